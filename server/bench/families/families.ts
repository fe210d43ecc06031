import { makeBills } from './bills.ts';
import { makeContests } from './contests.ts';
import { makeDrift } from './drift.ts';
import type { Draws, Family } from './family.ts';
import { makeLongReferences } from './long-references.ts';
import { makeNewRows } from './new-rows.ts';
import { makeRareLabels } from './rare-labels.ts';
import { makeSeasons } from './seasons.ts';

/** All families of made-up data, by name. */
export const families: Readonly<Record<string, (draws: Draws) => Family>> = {
  bills: makeBills,
  contests: makeContests,
  drift: makeDrift,
  'long references': makeLongReferences,
  'new rows': makeNewRows,
  'rare labels': makeRareLabels,
  seasons: makeSeasons,
};
