import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { openDuckDb, quoteName, quoteText, rowGroupRows, vectorRowsMax } from '../duckdb/duckdb.ts';
import type { Column, LogicalType, Rows } from './column.ts';
import { finish, sourceOf, type WriteColumn, type Writer } from './writer.ts';

const parquetMemoryMb = 512;
/** A table keeps several blocks of 256 KiB of every column in memory, whatever its rows. */
const parquetColumnMb = 2;
/** What an appender may hold of its own, which cannot spill, and what a row group may take before it is compressed. */
const appendedBytesMax = 64 << 20;
const rowGroupBytesMax = 128 << 20;
/** Of a number 8 bytes; of a text 16, and more when it is long. */
const cellBytes = 16;

/**
 * Opens a Parquet file, written as `partial` until it is closed. The rows wait in a DuckDB table, which spills beside
 * the file, because its COPY takes a query and no stream.
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
  // Only whole vectors are appended: DuckDB keeps the seams of what it was given, and cuts row groups at them.
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
    const list = columns.map(({ name, type }, index) => `${parquetValue(names[index], type)} as ${quoteName(name)}`);
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

/** Numbers wait as float64, NaN for missing, and become what they are on the way out. */
function parquetValue(name: string, type: LogicalType): string {
  const whole = `${name}::bigint`;
  const values: Record<LogicalType, string> = {
    string: name,
    number: name,
    integer: whole,
    boolean: `${name} <> 0`,
    date: `make_timestamp(${whole})::date`,
    timestamp: `make_timestamp(${whole})::timestamptz`,
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
