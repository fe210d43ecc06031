import type { Context } from '../../../access/context.ts';
import { type Database, system } from '../../../access/transactions.ts';
import { requireLeft } from '../../allowances/require-left.ts';
import { updateBatch } from '../sql.ts';
import { lockReserving, selectTakenRows } from './sql.ts';

/**
 * Reserves the rows of a batch of the quotas of its workspace and organization, until it ends. Batches of an
 * organization take turns, so that no quota is exceeded by those that begin at once. Doing so again changes nothing.
 * Throws Failure 'quota_exceeded'.
 */
export function reserveRows(
  db: Database,
  { organizationId, workspaceId }: Context,
  batchId: string,
  rows: number,
): Promise<void> {
  return system(db, 'reserve batch rows', async (tx) => {
    await lockReserving(tx, organizationId);
    const taken = await selectTakenRows(tx, workspaceId, batchId);
    await requireLeft(tx, workspaceId, { resource: 'batch_rows', taken, more: rows, what: 'this batch' });
    await updateBatch(tx, batchId, { quota_rows: rows });
  });
}
