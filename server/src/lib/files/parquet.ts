// Reads Parquet with DuckDB: it decodes and casts to FLOAT, DOUBLE or VARCHAR, and the vectors become columns here.
import { Failure } from '../failure.ts';
import { addBatch } from './parquet-batch.ts';
import { planJobs } from './parquet-plan.ts';
import { damaged, openFor, type ParquetShape } from './parquet-shape.ts';
import type { Source, SourceContext } from './source.ts';

/** Reads the rows of a Parquet file whose footer has been read. */
export async function* readParquet(path: string, shape: ParquetShape, context: SourceContext): Source {
  const { table } = context;
  const jobs = planJobs(shape, context);
  if (context.rowsMax === Number.POSITIVE_INFINITY) table.reserve(table.rows + shape.rows);
  const { duckdb, file, done } = await openFor(path);
  try {
    const list = jobs.length === 0 ? '0::double' : jobs.map((job) => job.sql).join(', ');
    const { first, count } = context.range ?? { first: 0, count: shape.rows };
    const from = context.range
      ? `read_parquet(${file}, file_row_number = true)
        where file_row_number >= ${first} and file_row_number < ${first + count}`
      : `read_parquet(${file})`;
    let row = first + 1;
    for await (const batch of duckdb.stream(`select ${list} from ${from}`)) {
      const isTooMuch = table.rows > 0 && table.rows + batch.rows > context.rowsMax;
      if (isTooMuch || context.rejects.isFull()) yield;
      if (table.rows === 0) table.reserve(Math.min(context.rowsMax, count));
      addBatch(batch, row, jobs, context);
      row += batch.rows;
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw damaged(context.file, cause);
  } finally {
    done();
  }
}
