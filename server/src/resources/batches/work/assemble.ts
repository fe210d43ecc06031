import type { Context } from '../../../access/context.ts';
import { tenant } from '../../../access/transactions.ts';
import { joinParquet } from '../../../lib/parquet/join.ts';
import type { Storage } from '../../../lib/storage/storage.ts';
import type { App } from '../../app.ts';
import type { BatchFileRow, BatchUnitRow } from '../batch.ts';
import { withCrc32 } from '../crc32.ts';
import { updateFile } from '../sql.ts';
import { resultKey } from '../storage-key.ts';

/**
 * Joins the parts of a file's units, in order, into its result. A single part becomes the result itself. Does nothing
 * for a file without parts. The same parts give the same bytes.
 */
export async function assembleFile(
  app: App,
  ctx: Context,
  file: BatchFileRow,
  units: readonly BatchUnitRow[],
): Promise<void> {
  const parts = units.filter(({ part_key }) => part_key !== null);
  if (file.output_key !== null || parts.length === 0) return;
  const output = parts.length === 1 ? asOutput(parts[0]) : await join(app, ctx, file, parts);
  await tenant(app.db, ctx, (tx) =>
    updateFile(tx, file.batch_id, file.position, {
      ...output,
      output_rows: parts.reduce((rows, { succeeded }) => rows + succeeded, 0),
    }),
  );
}

function asOutput({ part_key, part_bytes, part_sha256, part_crc32 }: BatchUnitRow) {
  return { output_key: part_key, output_bytes: part_bytes, output_sha256: part_sha256, output_crc32: part_crc32 };
}

async function join(app: App, ctx: Context, file: BatchFileRow, parts: readonly BatchUnitRow[]) {
  const key = resultKey(ctx, file.batch_id, file.position);
  const { storage } = app;
  const bytes = file.output_format === 'parquet' ? parquetOf(storage, parts) : textOf(storage, parts);
  const { body, crc32 } = withCrc32(bytes);
  const size = parts.reduce((total, { part_bytes }) => total + Number(part_bytes), 0);
  const stored = await storage.put(key, body, { size });
  return { output_key: key, output_bytes: stored.size, output_sha256: stored.sha256, output_crc32: crc32() };
}

function parquetOf(storage: Storage, parts: readonly BatchUnitRow[]): AsyncGenerator<Uint8Array> {
  return joinParquet(
    parts.map(({ part_key, part_bytes, part_sha256 }) => ({
      bytes: Number(part_bytes),
      read: (start, end) => storage.get(part_key!, part_sha256, { range: { start, end: end - 1 } }),
    })),
  );
}

/** Concatenates the lines of all parts, and keeps the header of CSV only in the first. */
async function* textOf(storage: Storage, parts: readonly BatchUnitRow[]): AsyncGenerator<Uint8Array> {
  for (const [index, { part_key, part_bytes, part_sha256, part_header_bytes }] of parts.entries()) {
    const start = index === 0 ? 0 : (part_header_bytes ?? 0);
    if (start < Number(part_bytes)) yield* await storage.get(part_key!, part_sha256, { range: { start } });
  }
}
