import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { named } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { assert } from '../../lib/failure.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import { requireUploaded } from '../files/require.ts';
import type { IngestionFile } from './ingestion.ts';
import { ingestionQueue } from './queue.ts';
import { insertIngestion, selectIngestion } from './sql.ts';

type IngestionRequest =
  | { readonly files: readonly IngestionFile[]; readonly metadata?: Readonly<Record<string, unknown>> }
  /** The id of an earlier ingestion whose files to ingest again. */
  | { readonly again: string };

/**
 * Queues an ingestion within a transaction. Returns its id. Throws Failure 'not_found', 'file_not_uploaded',
 * 'file_deleted' for a file that cannot be read.
 */
export async function startIngestion(app: App, tx: Tx, ctx: Context, asked: IngestionRequest): Promise<string> {
  const { files, metadata } = 'again' in asked ? await filesOf(tx, asked.again) : asked;
  for (const [at, { file_id }] of files.entries()) {
    const found = requireUploaded(tx, file_id);
    await ('again' in asked ? found : named(`/files/${at}/file_id`, found));
  }
  const id = newId('ing');
  const contractId = (await selectActiveContract(tx))?.id ?? null;
  await insertIngestion(tx, ctx, { id, files, contractId, metadata: metadata ?? {} });
  await record(tx, ctx, 'ingestion-lifecycle', { type: 'ingestion', id }, { status: 'queued' });
  await app.queue.send(tx, ingestionQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
  return id;
}

async function filesOf(tx: Tx, id: string) {
  const row = await selectIngestion(tx, id);
  assert(row, `ingestion ${id} of a contract exists`);
  return { files: row.files, metadata: row.metadata };
}
