// Reads Parquet with DuckDB: it decodes and casts to FLOAT, DOUBLE or VARCHAR, and the vectors become columns here.
import { stat } from 'node:fs/promises';
import type { Batch } from '../duckdb/duckdb.ts';
import { Failure } from '../failure.ts';
import { checkDensity, parquetDensityMax } from './density.ts';
import { addBatch } from './parquet-batch.ts';
import { inlineBytes, measureTexts, portionsOf, rowTooLong, withoutLong } from './parquet-long.ts';
import { planJobs } from './parquet-plan.ts';
import { damaged, openFor, type ParquetShape } from './parquet-shape.ts';
import type { RowRange, Source, SourceContext } from './source.ts';

/**
 * Reads the rows of a Parquet file whose footer has been read. Long texts stay in the file at first, since DuckDB hands
 * over 2,048 rows at a time whatever they hold; the batches with such texts are then read again, few rows at a time.
 * Throws Failure 'invalid' when the texts are too many times the size of the file, before they are read.
 */
export async function* readParquet(path: string, shape: ParquetShape, context: SourceContext): Source {
  const { table, rejects, file: name, range } = context;
  const jobs = planJobs(shape, context);
  if (context.rowsMax === Number.POSITIVE_INFINITY) table.reserve(table.rows + shape.rows);
  const { size } = await stat(path);
  const { duckdb, file, done } = await openFor(path);
  // A second one, since a statement ends the stream of the first.
  let again: Awaited<ReturnType<typeof openFor>> | null = null;
  const sql = jobs.map((job) => job.sql);
  const inline = inlineBytes(jobs.filter(({ bytesSql }) => bytesSql !== null).length);
  const numbers = jobs.filter(({ bytesSql }) => bytesSql === null).length * Float64Array.BYTES_PER_ELEMENT;
  let row = range?.first ?? 0;
  let unpacked = 0;
  const isFull = (rows: number): boolean =>
    table.rows > 0 && (table.rows + rows > context.rowsMax || table.textBytes >= context.textBytesMax);
  const add = (batch: Batch, first: number): void => {
    if (table.rows === 0) table.reserve(Math.min(context.rowsMax, range?.count ?? shape.rows));
    addBatch(batch, first + 1, jobs, context);
  };
  try {
    const columns = jobs.map((job) => withoutLong(job, inline));
    for await (const batch of duckdb.stream(queryOf(file, shape, columns, range))) {
      const { bytes, long } = measureTexts(batch, jobs);
      unpacked += bytes + batch.rows * numbers;
      checkDensity(size, unpacked, parquetDensityMax, name, 'its rows unpack');
      if (long === null) {
        if (isFull(batch.rows) || rejects.isFull()) yield;
        add(batch, row);
        row += batch.rows;
        continue;
      }
      again ??= await openFor(path);
      for (const { first, count, isTooLong } of portionsOf(batch.rows, long)) {
        let at = row + first;
        if (isTooLong) {
          rejects.add({ file: name, row: at + 1, column: null, reason: rowTooLong, value: null });
          continue;
        }
        for await (const part of again.duckdb.stream(queryOf(again.file, shape, sql, { first: at, count }))) {
          if (isFull(part.rows) || rejects.isFull()) yield;
          add(part, at);
          at += part.rows;
        }
      }
      row += batch.rows;
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw damaged(name, cause);
  } finally {
    done();
    again?.done();
  }
}

/** The statement for the columns of a range of rows, or of all. Row groups without any of them are skipped. */
function queryOf(file: string, shape: ParquetShape, columns: readonly string[], range: RowRange | undefined): string {
  const list = columns.length === 0 ? '0::double' : columns.join(', ');
  if (range === undefined) return `select ${list} from read_parquet(${file})`;
  const { first, count } = range;
  // The number of a row cannot be asked for where the file has a column of that name.
  if (shape.columns.some(({ name }) => name.toLowerCase() === 'file_row_number'))
    return `select ${list} from read_parquet(${file}) limit ${count} offset ${first}`;
  return `select ${list} from read_parquet(${file}, file_row_number = true)
    where file_row_number >= ${first} and file_row_number < ${first + count}`;
}
