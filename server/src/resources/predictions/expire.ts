import type { Context } from '../../access/context.ts';
import { system, type Tx } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { removeInSteps } from '../in-steps.ts';
import { keptSince } from '../kept-since.ts';
import { dayOf } from '../prediction-columns/days.ts';
import { awaitColumns, dropColumns } from '../prediction-columns/drop.ts';
import { forgetShadowAnswers } from '../shadows/forget.ts';
import { predictionsFrom } from './filter.ts';
import { deletePredictions, selectWorkspacesWithOlder } from './sql.ts';

/** The number of predictions removed per transaction: 0.1 s where each has 1 kB, measured. */
const removedAtOnce = 10_000;

/**
 * Removes predictions that are older than they are kept, the oldest of each workspace first, some at a time, and the
 * columns of their days. What is
 * removed and the entry that says so are one transaction: whoever goes on after a crash finds the rest. An error in one
 * workspace is logged, and the others go on. `signal` stops it soon. Returns how many there were.
 */
export async function expirePredictions(
  { db, log, storage, retentionDays }: Pick<App, 'db' | 'log' | 'storage' | 'retentionDays'>,
  signal?: AbortSignal,
  most = removedAtOnce,
): Promise<number> {
  const before = keptSince(retentionDays.predictions);
  if (before === null) return 0;
  let removed = 0;
  const bound = predictionsFrom(before.getTime());
  for (const id of await system(db, 'expire predictions', (tx) => selectWorkspacesWithOlder(tx, bound))) {
    try {
      const ctx = await workspaceContext(db, id);
      removed += await removeInSteps(most, signal, () =>
        system(db, 'expire predictions', (tx) => removeSome(tx, ctx, storage, before, most)),
      );
    } catch (error) {
      log.warn({ err: error, workspace: id }, 'predictions not expired');
    }
  }
  return removed;
}

async function removeSome(
  tx: Tx,
  ctx: Context,
  storage: Pick<Storage, 'delete'>,
  before: Date,
  most: number,
): Promise<number> {
  await awaitColumns(tx, ctx);
  await dropColumns(tx, ctx, storage, { before: dayOf(before.getTime()) });
  await forgetShadowAnswers(tx, ctx, { before: predictionsFrom(before.getTime()) });
  const count = await deletePredictions(tx, ctx, predictionsFrom(before.getTime()), most);
  if (count > 0)
    await record(
      tx,
      ctx,
      'prediction-expiry',
      { type: 'workspace', id: ctx.workspaceId },
      { predictions: count, before: before.toISOString() },
    );
  return count;
}
