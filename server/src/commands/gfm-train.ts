import { resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { isDay } from '../lib/time-zone.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { openStore } from '../ml/gfm/facts/store.ts';
import { fitEncoder } from '../ml/gfm/fit.ts';
import { openFactGraph } from '../ml/gfm/graph.ts';
import { requireName, saveGfm } from '../ml/gfm/version.ts';
import { readArguments, requireNewFolder, type Usage } from './arguments.ts';
import { openProgress } from './progress.ts';

export const gfmTrainUsage = {
  usage: 'gfm train <store> --out <version> --name <name> [--until YYYY-MM-DD] [--periods 4]',
  about: `Trains a version of the graph model on a store of facts: vectors of 1024 numbers for everything in it, as of any moment.

  --out     a folder to make; a version is never changed
  --name    what it is called: demo-1, 2.6
  --until   learn from what was known at the end of this day (UTC); default: everything. What is known later stays in the
            graph and is read as of later days; gfm evaluate asks whether it was predicted
  --periods quarters, the last one ending with the newest fact, at whose ends everybody is embedded, so that neighbours
            are found among millions; 256 bytes each per entity`,
  positionals: 1,
  options: { out: 'value', name: 'value', until: 'value', periods: 'value' },
  required: ['out', 'name'],
} as const satisfies Usage;

const periodsDefault = 4;
const periodsMax = 40;

/** Trains a GFM version. */
export async function gfmTrainCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, gfmTrainUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  requireName(values.name!);
  const asked = values.until === undefined ? null : endOf(values.until);
  const periods = Number(values.periods ?? periodsDefault);
  if (!(Number.isInteger(periods) && periods >= 0 && periods <= periodsMax))
    throw new Failure('invalid', `--periods ${values.periods}: expected a whole number from 0 to ${periodsMax}`);
  const progress = openProgress(log);
  const source = resolve(words[0]);
  const store = await openStore(source);
  let newest = Number.NEGATIVE_INFINITY;
  for (const known of store.facts.known) newest = Math.max(newest, known);
  const until = Math.min(asked ?? newest, newest);
  if (!Number.isFinite(until)) throw new Failure('invalid', `${source} has no facts to learn from`);
  const fitted = fitEncoder(openFactGraph(store), { until }, progress.phase);
  await saveGfm(
    folder,
    source,
    fitted,
    { name: values.name!, until, generatedAt: Date.now(), periods },
    progress.phase,
  );
  progress.say(
    `trained ${values.name} on ${store.facts.subject.length} facts about ${store.entities.size} entities: ${folder}`,
  );
  return 0;
}

function endOf(text: string): number {
  const day = isDay(text) ? Date.parse(`${text}T00:00:00Z`) * 1000 : Number.NaN;
  if (Number.isNaN(day)) throw new Failure('invalid', `--until ${text} is not a day, written YYYY-MM-DD`);
  return day + microsecondsPerDay - 1;
}
