import type { Context } from '../../tenancy/context.ts';
import type { Tx } from '../../tenancy/doors.ts';
import type { App } from '../app.ts';
import type { BatchRow } from './batch.ts';
import { batchQueue, unitKey, unitQueue } from './queue.ts';
import { hasOpenUnits, takePlanned } from './sql.ts';

/** Units of a batch that wait in the queue at a time: the next one comes behind what others have queued since. */
const unitsAheadMax = 4;

/**
 * Queues units of a batch that are not queued yet, as many as may wait at once, or just the `next` one; where none is
 * left to wait for, queues the batch's end. To be called with the batch locked.
 */
export async function queueUnits(
  app: App,
  tx: Tx,
  ctx: Context,
  batch: Pick<BatchRow, 'id' | 'priority'>,
  most = unitsAheadMax,
): Promise<void> {
  const options = { group: ctx.workspaceId, priority: batch.priority };
  const own = { id: batch.id, workspace_id: ctx.workspaceId };
  const units = await takePlanned(tx, batch.id, most);
  for (const unit of units)
    await app.queue.send(tx, unitQueue, { ...own, ...unit }, { ...options, singletonKey: unitKey(unit) });
  if (units.length === 0 && !(await hasOpenUnits(tx, batch.id)))
    await app.queue.send(tx, batchQueue, own, { ...options, singletonKey: batch.id });
}
