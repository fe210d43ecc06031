import { Readable } from 'node:stream';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import { writeZip, type ZipEntry, zipBytes } from '../../lib/zip/zip.ts';
import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import type { App } from '../app.ts';
import { sendObject } from '../send-object.ts';
import type { BatchRow } from './batch.ts';
import { requireBatch } from './require.ts';
import { type ResultFile, resultFiles } from './result.ts';

const contentTypes: Readonly<Record<string, string>> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
};

/** One file of a result, to whoever holds its address. Throws Failure as `resultFiles` does. */
export async function downloadFile(
  app: App,
  ctx: Context,
  { id, position }: { readonly id: string; readonly position: number },
  exchange: Exchange,
): Promise<Answer> {
  const { files } = await fetchResult(app, ctx, id, exchange, (files) =>
    files.filter((file) => file.position === position),
  );
  const [file] = files;
  if (!file) throw refuse('not_found', `the result of batch ${id} has no file ${position}`);
  const { key, path, sha256, bytes, format } = file;
  return sendObject(app, key, exchange, { sha256, bytes, contentType: contentTypes[format], name: path });
}

/** All files of a result as one archive, made while it is sent. Throws Failure as `downloadFile` does. */
export async function downloadArchive(app: App, ctx: Context, id: string, exchange: Exchange): Promise<Answer> {
  const { batch, files } = await fetchResult(app, ctx, id, exchange, (files) => files);
  const entries = files.map(
    ({ path, bytes, crc32, key }): ZipEntry => ({
      name: path,
      bytes,
      crc32,
      modified: batch.finished_at!,
      open: () => app.storage.get(key),
    }),
  );
  return {
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'content-length': String(zipBytes(entries)),
      'content-disposition': `attachment; filename="${id}.zip"`,
      'cache-control': 'private, no-transform',
    },
    body: Readable.from(writeZip(entries), { objectMode: false }),
  };
}

/** The chosen files of a result; leaves the trail of their download. */
async function fetchResult(
  app: App,
  ctx: Context,
  id: string,
  exchange: Exchange,
  choose: (files: readonly ResultFile[]) => readonly ResultFile[],
): Promise<{ batch: BatchRow; files: readonly ResultFile[] }> {
  return tenant(app.db, ctx, async (tx) => {
    const batch = await requireBatch(tx, id);
    const files = choose(await resultFiles(tx, batch));
    const about = { files: files.map(({ path }) => path) };
    if (files.length > 0 && isFirstOf(exchange))
      await record(tx, ctx, 'batch-result-download', { type: 'batch', id }, about);
    return { batch, files };
  });
}

/** A download in pieces is one, and begins with the piece that begins the file. */
function isFirstOf({ method, headers }: Exchange): boolean {
  return method === 'GET' && (headers.range === undefined || /^bytes=0-/.test(String(headers.range)));
}
