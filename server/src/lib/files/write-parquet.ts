import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { openDuckDb, quoteName, quoteText, rowGroupRows, vectorRowsMax } from '../duckdb/duckdb.ts';
import type { Column, LogicalType, Rows } from './column.ts';
import { finish, sourceOf, type WriteColumn, type Writer } from './writer.ts';

const parquetMemoryMb = 512;
/** DuckDB keeps several blocks of 256 KiB of every column of a table in memory, whatever the number of rows. */
const parquetColumnMb = 2;
/** Most bytes in an appender's own memory, which cannot spill, and most bytes of a row group before compression. */
const appendedBytesMax = 64 << 20;
const rowGroupBytesMax = 128 << 20;
/** Estimated bytes per cell: a number takes 8; a text takes 16, and more when it is long. */
const cellBytes = 16;

/**
 * Opens a Parquet file for writing; it is called `partial` until it is closed. The rows wait in a DuckDB table that
 * spills to a folder beside the file, because DuckDB's COPY takes a query and no stream.
 */
export async function openParquet(path: string, partial: string, columns: readonly WriteColumn[]): Promise<Writer> {
  const spillFolder = resolve(`${partial}.spill`);
  const folders = [dirname(resolve(path))];
  const duckdb = await openDuckDb({
    folders,
    memoryLimitMb: parquetMemoryMb + parquetColumnMb * columns.length,
    spillFolder,
  });
  const types = columns.map((column) => (column.type === 'string' ? ('text' as const) : ('double' as const)));
  const names = columns.map((_, index) => `c${index}`);
  const declared = names.map((name, index) => `${name} ${types[index] === 'text' ? 'varchar' : 'double'}`);
  await duckdb.run(`create table pending (${declared.join(', ')})`);
  const appender = await duckdb.appender('pending', types);
  // Only whole vectors are appended: DuckDB keeps the boundaries of what it was given, and cuts row groups there.
  const waiting = types.map((type) =>
    type === 'text' ? new Array<string | null>(vectorRowsMax) : new Float64Array(vectorRowsMax),
  );
  let waitingRows = 0;
  let appendedBytes = 0;

  async function write(rows: Rows): Promise<void> {
    const sources = columns.map((column) => sourceOf(rows, column));
    for (let start = 0; start < rows.rows; ) {
      const end = Math.min(start + vectorRowsMax - waitingRows, rows.rows);
      for (const [index, source] of sources.entries()) copyRows(source, start, end, waiting[index], waitingRows);
      waitingRows += end - start;
      start = end;
      if (waitingRows === vectorRowsMax) append();
    }
  }

  function append(): void {
    appender.append(
      waitingRows,
      waiting.map((values) => (values instanceof Float64Array ? values.subarray(0, waitingRows) : values)),
    );
    appendedBytes += waitingRows * columns.length * cellBytes;
    waitingRows = 0;
    if (appendedBytes < appendedBytesMax) return;
    appender.flush();
    appendedBytes = 0;
  }

  async function close(): Promise<void> {
    if (waitingRows > 0) append();
    appender.close();
    const list = columns.map((column, index) => `${parquetValue(names[index], column)} as ${quoteName(column.name)}`);
    const target = quoteText(resolve(partial));
    const vectors = Math.floor(rowGroupBytesMax / cellBytes / columns.length / vectorRowsMax);
    const groupRows = Math.min(rowGroupRows, Math.max(1, vectors) * vectorRowsMax);
    const settings = `format parquet, compression zstd, row_group_size ${groupRows}`;
    await duckdb.run(`copy (select ${list.join(', ')} from pending) to ${target} (${settings})`);
    duckdb.close();
    await rm(spillFolder, { recursive: true, force: true });
    await finish(await open(partial, 'r+'), partial, path);
  }

  async function abort(): Promise<void> {
    duckdb.close();
    await rm(spillFolder, { recursive: true, force: true });
    await rm(partial, { force: true });
  }

  return { write, close, abort };
}

/** The SQL that converts a waiting value to the column's type. Values wait as float64 with NaN for missing. */
function parquetValue(name: string, { type, isLocal }: WriteColumn): string {
  const whole = `${name}::bigint`;
  const values: Record<LogicalType, string> = {
    string: name,
    number: name,
    integer: whole,
    boolean: `${name} <> 0`,
    date: `make_timestamp(${whole})::date`,
    timestamp: `make_timestamp(${whole})${isLocal ? '' : '::timestamptz'}`,
    time: `make_timestamp(${whole})::time`,
  };
  return type === 'string' ? name : `case when isnan(${name}) then null else ${values[type]} end`;
}

function copyRows(column: Column, start: number, end: number, target: Float64Array | (string | null)[], at: number) {
  if (column.kind !== 'text') {
    (target as Float64Array).set(column.values.subarray(start, end), at);
    return;
  }
  for (let row = start; row < end; row++) {
    const code = column.codes[row];
    target[at++] = code < 0 ? null : column.dictionary[code];
  }
}
