import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { codesSchema } from '../../api/because.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import { wallClock } from '../../lib/time-zone.ts';
import { currentIdentifiers, currentSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { requireCurrentData } from '../ingestions/require-current.ts';
import { leaves } from '../job.ts';
import type { CountedLabels, countLabels } from './compute.ts';
import { requireTask } from './require.ts';

/** How long an answer is waited for: a person looks on. */
const waitMs = 60_000;

export const countedLabelsSchema = answerOf(
  'CountedLabels',
  {
    output: 'prediction_30d',
    rows: 1_204,
    months: [
      { month: '2025-11', rows: 590, mean: 0.12 },
      { month: '2025-12', rows: 614, mean: 0.14 },
    ],
    warnings: [],
    warning_codes: [],
  },
  {
    output: Type.String({ description: 'The output whose labels they are: the first.' }),
    rows: Type.Integer({ description: 'All labels.' }),
    months: Type.Array(
      objectOf('LabelMonth', {
        month: Type.String({ description: 'Of the moments that are asked about: 2025-11.' }),
        rows: Type.Integer(),
        mean: Type.Number({ description: 'Of labels that are yes or no, how often it came.' }),
      }),
      { description: 'Without months that have none; empty where labels are categories.' },
    ),
    warnings: Type.Array(Type.String(), { description: 'What is odd about them.' }),
    warning_codes: codesSchema(),
  },
);

/**
 * Counts the labels of a task, named by its id or name, over the newest data. Throws Failure 'not_found', 'no_data',
 * 'data_behind_contract', 'invalid_task' when its labels come in files or the data no longer have what it asks about,
 * 'unavailable' when they cannot be counted now.
 */
export async function countTaskLabels(app: App, ctx: Context, id: string): Promise<CountedLabels> {
  const { task, snapshot, names } = await tenant(app.db, ctx, async (tx) => ({
    task: await requireTask(tx, id),
    snapshot: await currentSnapshot(tx, ctx),
    names: await currentIdentifiers(tx, ctx),
  }));
  if (task.labels.train)
    throw refuse('invalid_task', `the labels of ${task.name} come in files: they are as many as the files have rows`);
  if (!snapshot) throw refuse('no_data', 'the workspace has no data yet: take files in with POST /v1/api/ingestions');
  const contract = await requireCurrentData(app, ctx, snapshot);
  const local = await localSnapshot(app.storage, snapshot, names);
  if (!app.compute) throw new Failure('unavailable', 'labels are not counted here: train the task, and its run says');
  const signal = AbortSignal.timeout(waitMs);
  const input = {
    ...{ name: task.name, definition: task.definition, contract: contract.document },
    ...{ frozen: local.frozen, identifiers: local.names },
    now: wallClock(ctx.timeZone, Date.now()) * 1000,
  };
  try {
    return await app.compute.run<typeof countLabels>(
      { name: 'countLabels', input },
      { signal, group: ctx.workspaceId, leaves: leaves.scoring, about: { workspace: ctx.workspaceId } },
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Failure('unavailable', `the labels were not counted within ${waitMs / 1000} seconds: try again later`);
  }
}
