import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import type { App } from '../../app.ts';
import { batchQueue, unitKey, unitQueue } from '../queue.ts';
import { countQueued, hasOpenUnits, lockQueueing, takePlanned } from './sql.ts';

/**
 * Units of a workspace that wait in the queue at a time. Few, so that workspaces take turns and priorities are heeded.
 */
const waitingMax = 4;

/**
 * Queues the next units of a workspace, its batches of higher priority first, as far as few enough wait. To be called
 * whenever one has begun or ended, or new ones are planned.
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

/** Queues the end of a batch if none of its units is left to wait for. To be called with the batch locked. */
export async function queueEnd(app: App, tx: Tx, { workspaceId }: Context, id: string): Promise<void> {
  if (await hasOpenUnits(tx, id)) return;
  const options = { group: workspaceId, singletonKey: id };
  await app.queue.send(tx, batchQueue, { id, workspace_id: workspaceId }, options);
}
