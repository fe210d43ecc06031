import { system } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import type { App } from '../app.ts';
import { removeInSteps } from '../in-steps.ts';
import { keptSince } from '../kept-since.ts';
import { predictionsFrom } from '../predictions/filter.ts';
import { deleteOutcomes, selectWorkspacesWithOlder } from './sql.ts';

const removedAtOnce = 10_000;

/**
 * Removes the outcomes of predictions that are older than predictions are kept, some at a time. An error in one
 * workspace is logged, and the others go on. Returns how many there were.
 */
export async function expireOutcomes(
  { db, log, retentionDays }: Pick<App, 'db' | 'log' | 'retentionDays'>,
  signal?: AbortSignal,
): Promise<number> {
  const before = keptSince(retentionDays.predictions);
  if (before === null) return 0;
  const bound = predictionsFrom(before.getTime());
  let removed = 0;
  for (const id of await system(db, 'expire outcomes', (tx) => selectWorkspacesWithOlder(tx, bound))) {
    try {
      const ctx = await workspaceContext(db, id);
      removed += await removeInSteps(removedAtOnce, signal, () =>
        system(db, 'expire outcomes', (tx) => deleteOutcomes(tx, ctx, bound, removedAtOnce)),
      );
    } catch (error) {
      log.warn({ err: error, workspace: id }, 'outcomes not expired');
    }
  }
  return removed;
}
