import { system, type Tx, tenant } from '../../../access/transactions.ts';
import { workspaceContext } from '../../../access/workspace-context.ts';
import type { App } from '../../app.ts';
import { finishedStatuses } from '../batch.ts';
import { batchQueue, unitKey, unitQueue } from '../queue.ts';
import { lockBatch, selectSilent } from '../sql.ts';
import { selectUnits } from './sql.ts';

const minuteMs = 60 * 1000;
/** Workers update running units every second. A batch without any change for this long may have lost its job. */
const silentMs = 15 * minuteMs;

/**
 * Queues jobs again for batches whose jobs were given up, for example because storage was unavailable for longer than
 * the retries last. A job that still waits is not duplicated. Returns how many batches it checked.
 */
export async function reviveBatches(app: App, silence = silentMs): Promise<number> {
  const before = new Date(Date.now() - silence);
  const silent = await system(app.db, 'revive batches', (tx) => selectSilent(tx, before));
  for (const { id, workspace_id } of silent) {
    const ctx = await workspaceContext(app.db, workspace_id);
    await tenant(app.db, ctx, (tx) => revive(app, tx, id, workspace_id));
  }
  return silent.length;
}

async function revive(app: App, tx: Tx, id: string, workspaceId: string): Promise<void> {
  const batch = await lockBatch(tx, id);
  if (!batch || finishedStatuses.includes(batch.status)) return;
  const own = { id, workspace_id: workspaceId };
  const options = { group: workspaceId };
  const begun = (await selectUnits(tx, id)).filter(({ status }) => status === 'queued' || status === 'running');
  for (const { position, unit } of begun)
    await app.queue.send(
      tx,
      unitQueue,
      { ...own, position, unit },
      { ...options, singletonKey: unitKey({ id, position, unit }) },
    );
  if (begun.length === 0) await app.queue.send(tx, batchQueue, own, { ...options, singletonKey: id });
}
