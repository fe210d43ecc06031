import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { BatchRow } from './batch.ts';
import { lockBatch, selectBatch } from './sql.ts';

/** Returns a batch. Throws Failure 'not_found'. */
export async function requireBatch(tx: Tx, id: string): Promise<BatchRow> {
  return found(id, await selectBatch(tx, id));
}

/** Like `requireBatch`, and locks the row until the transaction ends. */
export async function requireLocked(tx: Tx, id: string): Promise<BatchRow> {
  return found(id, await lockBatch(tx, id));
}

function found(id: string, row: BatchRow | undefined): BatchRow {
  if (!row) throw refuse('not_found', `there is no batch ${id}`);
  return row;
}
