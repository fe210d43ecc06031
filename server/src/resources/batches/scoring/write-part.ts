import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rowGroupRows } from '../../../lib/duckdb/duckdb.ts';
import type { CsvOptions } from '../../../lib/files/csv-dialect.ts';
import { openWriter } from '../../../lib/files/write.ts';
import type { WriteColumn, Writer } from '../../../lib/files/writer.ts';
import { joinParquet } from '../../../lib/parquet/join.ts';
import type { OutputFormat } from '../batch.ts';

/** The number of rows in a piece of a Parquet file, which wait in memory until they are compressed. */
const pieceRows = 2 * rowGroupRows;

/** Like `openWriter`, but in constant memory: it writes Parquet in pieces and joins them. */
export async function openPart(
  path: string,
  format: OutputFormat,
  columns: readonly WriteColumn[],
  csv: CsvOptions,
): Promise<Writer> {
  if (format !== 'parquet') return openWriter(path, format, columns, csv);
  const pieces = [`${path}.0`];
  let writer: Writer | null = await openWriter(pieces[0], format, columns);
  let rows = 0;
  const removePieces = async () => {
    for (const piece of pieces) await rm(piece, { force: true });
  };
  const finish = async () => {
    const open = writer;
    writer = null;
    await open?.close();
  };
  return {
    async write(added) {
      if (rows >= pieceRows) {
        await finish();
        pieces.push(`${path}.${pieces.length}`);
        rows = 0;
      }
      writer ??= await openWriter(pieces.at(-1)!, format, columns);
      await writer.write(added);
      rows += added.rows;
    },
    async close() {
      await finish();
      if (pieces.length === 1) return rename(pieces[0], path);
      await joinFiles(pieces, path);
      await removePieces();
    },
    async abort() {
      await writer?.abort();
      await removePieces();
    },
  };
}

async function joinFiles(pieces: readonly string[], path: string): Promise<void> {
  const parts = pieces.map(async (piece) => ({
    bytes: (await stat(piece)).size,
    read: async (start: number, end: number) => createReadStream(piece, { start, end: end - 1 }),
  }));
  await pipeline(Readable.from(joinParquet(await Promise.all(parts))), createWriteStream(path));
}
