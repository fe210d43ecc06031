import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDuckDb, quoteName, quoteText } from '../duckdb/duckdb.ts';
import type { RowRange } from './source.ts';

/**
 * Finds the rows of a range of a Parquet file whose values in `columns` some row of other files has too. Of all files
 * these columns alone are read, and memory grows with the range. The files are such as this program writes. Returns 1
 * for each row of the range that was found, else 0.
 */
export async function findRepeated(
  path: string,
  { first, count }: RowRange,
  columns: readonly string[],
  others: readonly string[],
): Promise<Uint8Array> {
  const found = new Uint8Array(count);
  if (others.length === 0 || columns.length === 0) return found;
  const [own, ...later] = await Promise.all([path, ...others].map((file) => realpath(file)));
  const folders = [...new Set([own, ...later].map((file) => dirname(file)))];
  const duckdb = await openDuckDb({ folders, threads: 1 });
  try {
    const names = columns.map(quoteName);
    // Of a table DuckDB knows how many rows it has, and keeps the smaller side of a join in memory.
    await duckdb.run(`create temp table wanted as select file_row_number - ${first} as number_in_range,
      ${names.map((name, at) => `${name} as v${at}`).join(', ')}
      from read_parquet(${quoteText(own)}, file_row_number = true)
      where file_row_number >= ${first} and file_row_number < ${first + count}`);
    const repeated = duckdb.stream(`select distinct number_in_range::double from wanted
      join read_parquet([${later.map(quoteText).join(', ')}], union_by_name = true) as other
      on ${names.map((name, at) => `other.${name} = v${at}`).join(' and ')}`);
    for await (const batch of repeated) {
      const { values } = batch.doubles(0);
      for (let row = 0; row < batch.rows; row++) found[values[row]] = 1;
    }
    return found;
  } finally {
    duckdb.close();
  }
}
