import type { Context } from '../../access/context.ts';
import { signAddress } from '../../access/credentials/signed-address.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { type BatchFileRow, type BatchModel, type BatchRow, finishedStatuses } from './batch.ts';
import { savedName } from './output-path.ts';
import { requireBatch } from './require.ts';
import { selectFiles, selectVersionName } from './sql.ts';

/** How long a signed address of a result is valid. */
export const addressLifetimeMs = 15 * 60 * 1000;

/** A file of a result. */
export type ResultFile = {
  readonly position: number;
  readonly fileId: string;
  readonly path: string;
  /** What it is called where it is saved. */
  readonly savedAs: string;
  readonly format: string;
  readonly key: string;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
  readonly crc32: number;
};

/**
 * Returns signed addresses by which the result can be fetched without a key until they expire. Throws Failure
 * 'not_found', 'batch_not_finished', 'batch_without_result', 'result_deleted'.
 */
export async function getResult(app: App, ctx: Context, id: string) {
  const files = await tenant(app.db, ctx, async (tx) => resultFiles(tx, await requireBatch(tx, id)));
  const expires = new Date(Date.now() + addressLifetimeMs);
  const sign = (path: string) =>
    `${app.publicUrl()}${signAddress(app.keys.addresses, ctx, { path, method: 'GET', expires })}`;
  const signed = files.map(({ position, fileId, path, rows, bytes, sha256 }) => ({
    file_id: fileId,
    path,
    download_url: sign(`/v2/api/batches/${id}/result/files/${position}`),
    rows,
    bytes,
    sha256,
  }));
  return {
    download_url: signed.length === 1 ? signed[0].download_url : sign(`/v2/api/batches/${id}/result/archive`),
    expires_at: expires.toISOString(),
    files: signed,
  };
}

/**
 * Returns the result files of a finished batch, in the order of its inputs. Throws Failure 'batch_not_finished',
 * 'batch_without_result', 'result_deleted'.
 */
export async function resultFiles(tx: Tx, batch: BatchRow): Promise<ResultFile[]> {
  if (!finishedStatuses.includes(batch.status))
    throw refuse('batch_not_finished', `the batch is ${batch.status}; its result comes when it has ended`);
  if (batch.result_deleted_at !== null) throw refuse('result_deleted', 'the result of the batch has been deleted');
  const version = await selectVersionName(tx, batch.model as BatchModel | null);
  const files = (await selectFiles(tx, [batch.id])).flatMap((file) => resultOf(file, version));
  if (files.length === 0)
    throw refuse('batch_without_result', 'the batch ended before anything was scored; its failure says why');
  return files;
}

function resultOf(file: BatchFileRow, version: Parameters<typeof savedName>[1]): ResultFile[] {
  if (file.output_key === null) return [];
  return [
    {
      position: file.position,
      fileId: file.file_id,
      path: file.output_path!,
      // Rows that name their models are of several versions.
      savedAs: savedName(file.output_path!, file.endpoints === null ? version : undefined),
      format: file.output_format!,
      key: file.output_key,
      bytes: Number(file.output_bytes),
      rows: Number(file.output_rows),
      sha256: file.output_sha256!,
      crc32: Number(file.output_crc32),
    },
  ];
}
