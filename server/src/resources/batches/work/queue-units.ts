import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import type { App } from '../../app.ts';
import { batchQueue, unitKey, unitQueue } from '../queue.ts';
import { countQueued, hasOpenUnits, lockQueueing, takePlanned } from './sql.ts';

/**
 * The maximum number of a workspace's units in the queue. It is small so that workspaces take turns and priorities take
 * effect.
 */
const waitingMax = 4;

/**
 * Queues the next units of a workspace, those of batches with higher priority first, until `waitingMax` are queued.
 * Call it whenever a unit begins or ends, and when units are planned.
 */
export async function queueUnits(app: App, tx: Tx, { workspaceId }: Context): Promise<void> {
  await lockQueueing(tx, workspaceId);
  const room = waitingMax - (await countQueued(tx));
  if (room <= 0) return;
  for (const unit of await takePlanned(tx, room)) {
    const options = { group: workspaceId, singletonKey: unitKey(unit) };
    await app.queue.send(tx, unitQueue, { ...unit, workspace_id: workspaceId }, options);
  }
}

/** Queues the job that ends a batch, if the batch has no open unit. The caller has locked the batch. */
export async function queueEnd(app: App, tx: Tx, { workspaceId }: Context, id: string): Promise<void> {
  if (await hasOpenUnits(tx, id)) return;
  const options = { group: workspaceId, singletonKey: id };
  await app.queue.send(tx, batchQueue, { id, workspace_id: workspaceId }, options);
}
