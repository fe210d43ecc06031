import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { findSplit } from '../models/find-split.ts';
import { readPromisedFields } from '../models/read-observed.ts';
import { type AskedArm, compareArms } from './compare.ts';
import { presentSplit } from './split.ts';

/** The split of an alias of a model, and how its two sides compare. Throws Failure 'not_found', 'object_damaged'. */
export async function getSplit(app: Pick<App, 'db' | 'storage'>, ctx: Context, model: string, alias: string) {
  const found = await tenant(app.db, ctx, (tx) => findSplit(tx, model, alias));
  if (!found)
    throw refuse('not_found', `alias ${alias} of model ${model} is not split; split it with PUT at this address`);
  const { split, pointed, challenger } = found;
  const of = { modelId: split.model_id, alias, since: split.since };
  const asked: [AskedArm, AskedArm] = [
    {
      ...{ ...of, arm: 'alias', versionId: pointed.id, share: 1 - split.share },
      fields: await readPromisedFields(app, pointed),
    },
    {
      ...{ ...of, arm: 'split', versionId: challenger.id, share: split.share },
      fields: await readPromisedFields(app, challenger),
    },
  ];
  const comparison = await tenant(app.db, ctx, (tx) => compareArms(tx, ctx, asked, new Date()));
  return presentSplit(split, comparison);
}
