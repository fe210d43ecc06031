import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { named } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { assert } from '../../lib/failure.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import { requireUploaded } from '../files/require.ts';
import type { AskedIngestion, IngestionFile } from './ingestion.ts';
import { ingestionQueue } from './queue.ts';
import { insertIngestion, selectIngestion } from './sql.ts';

type IngestionRequest =
  | AskedIngestion
  /** The id of an earlier ingestion whose files to ingest again. */
  | { readonly again: string }
  /** Files taken in before, which are read again under the active contract. */
  | { readonly reread: readonly IngestionFile[] };

/**
 * Queues an ingestion within a transaction. Returns its id. Throws Failure 'not_found', 'file_not_uploaded',
 * 'file_deleted' for a file that cannot be read.
 */
export async function startIngestion(app: App, tx: Tx, ctx: Context, asked: IngestionRequest): Promise<string> {
  const { kind, files, acceptContract = false, metadata } = await detailsOf(tx, asked);
  for (const [at, { file_id }] of files.entries()) {
    const found = requireUploaded(tx, file_id);
    await ('files' in asked ? named(`/files/${at}/file_id`, found) : found);
  }
  const id = newId('ing');
  const contractId = (await selectActiveContract(tx))?.id ?? null;
  await insertIngestion(tx, ctx, { id, kind, files, contractId, acceptContract, metadata: metadata ?? {} });
  await record(tx, ctx, 'ingestion-lifecycle', { type: 'ingestion', id }, { status: 'queued', kind });
  await app.queue.send(tx, ingestionQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
  return id;
}

async function detailsOf(tx: Tx, asked: IngestionRequest) {
  if ('files' in asked) return { ...asked, kind: 'delivery' as const };
  if ('reread' in asked) return { kind: 'reread' as const, files: asked.reread, acceptContract: false, metadata: {} };
  const row = await selectIngestion(tx, asked.again);
  assert(row, `ingestion ${asked.again} of a contract exists`);
  const { files, accept_contract: acceptContract, metadata } = row;
  return { kind: 'delivery' as const, files, acceptContract, metadata };
}
