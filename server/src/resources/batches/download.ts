import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { Call } from '../../api/route.ts';
import { sendArchive } from '../../api/send-archive.ts';
import { partOf, sendObject } from '../../api/send-object.ts';
import { refuse } from '../../errors.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { ZipEntry } from '../../lib/zip/zip.ts';
import { hasRecorded, record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireBatch } from './require.ts';
import { resultFiles } from './result.ts';

type Exchanged = Pick<Call<never, never, never>, 'exchange' | 'ensure'>;

const contentTypes: Readonly<Record<string, string>> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
};

/**
 * Sends one file of a result to a caller with its signed address, and records the download. A download in several
 * ranges is recorded once, whichever range comes first. Throws Failure as `resultFiles` and `sendObject` do.
 */
export async function downloadFile(
  app: App,
  ctx: Context,
  { id, position }: { readonly id: string; readonly position: number },
  { exchange, ensure }: Exchanged,
): Promise<Answer> {
  const { key, savedAs, sha256, bytes, format } = await tenant(app.db, ctx, async (tx) => {
    const files = await resultFiles(tx, await requireBatch(tx, id));
    const file = files.find((file) => file.position === position);
    if (!file) throw refuse('not_found', `the result of batch ${id} has no file ${position}`);
    const part = exchange.method === 'HEAD' ? null : partOf(exchange.headers, file);
    if (part === null) return file;
    const about = { files: [file.path] };
    const goesOn =
      part !== 'whole' &&
      part.start > 0 &&
      (await hasRecorded(tx, ctx, 'batch-result-download', { type: 'batch', id }, about));
    if (!goesOn) await record(tx, ctx, 'batch-result-download', { type: 'batch', id }, about);
    return file;
  });
  return sendObject(
    app.storage,
    key,
    { exchange, ensure },
    { sha256, bytes, contentType: contentTypes[format], name: savedAs },
  );
}

/** Sends all files of a result as one ZIP archive, built while it is sent. Throws Failure as `resultFiles` does. */
export async function downloadArchive(
  app: App,
  ctx: Context,
  id: string,
  { exchange: { method }, ensure }: Exchanged,
): Promise<Answer> {
  const { batch, files } = await tenant(app.db, ctx, async (tx) => {
    const batch = await requireBatch(tx, id);
    const files = await resultFiles(tx, batch);
    const about = { files: files.map(({ path }) => path) };
    if (method !== 'HEAD') await record(tx, ctx, 'batch-result-download', { type: 'batch', id }, about);
    return { batch, files };
  });
  const entries = files.map(
    ({ path, bytes, crc32, key, sha256 }): ZipEntry => ({
      name: path,
      bytes,
      crc32,
      modified: batch.finished_at!,
      open: () => app.storage.get(key, sha256),
    }),
  );
  return sendArchive(id, entries, ensure);
}
