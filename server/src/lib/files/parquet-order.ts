import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDuckDb, quoteName, quoteText } from '../duckdb/duckdb.ts';

/** A row of one of some files, both counted from 0, and the moment in it, microseconds. */
export type DatedRow = { readonly file: number; readonly row: number; readonly at: number };

/**
 * Finds the first rows of Parquet files by the moments in a column, the newest or the oldest first, and of one moment
 * by their places, in the same direction; rows without one have none. Goes on after `after`. Of the files the column
 * alone is read, and memory grows with `most`.
 */
export async function rowsByMoment(
  paths: readonly string[],
  column: string,
  {
    isNewestFirst,
    after,
    most,
  }: { readonly isNewestFirst: boolean; readonly after: DatedRow | null; readonly most: number },
): Promise<DatedRow[]> {
  if (paths.length === 0) return [];
  const files = await Promise.all(paths.map((path) => realpath(path)));
  const duckdb = await openDuckDb({ folders: [...new Set(files.map((file) => dirname(file)))], threads: 1 });
  try {
    const source = `read_parquet([${files.map(quoteText).join(', ')}], union_by_name = true)`;
    // Files that were written before a column was known lack it.
    const known = await duckdb.rows(`describe select * from ${source}`);
    if (!known.some(({ column_name: name }) => name === column)) return [];
    const [direction, beyond] = isNewestFirst ? ['desc', '<'] : ['asc', '>'];
    const place = after && `(microseconds, file_at, row_at) ${beyond} (${after.at}, ${after.file}, ${after.row})`;
    const order = ['microseconds', 'file_at', 'row_at'].map((name) => `${name} ${direction}`);
    const found = duckdb.stream(`select file_at::double, row_at::double, microseconds::double from (
        select file_index::bigint as file_at, file_row_number as row_at, (${quoteName(column)})::timestamp as moment,
          case when isfinite(moment) then epoch_us(moment) end as microseconds from ${source})
      where microseconds is not null ${place ? `and ${place}` : ''} order by ${order.join(', ')} limit ${most}`);
    const rows: DatedRow[] = [];
    for await (const batch of found) {
      const [file, row, at] = [0, 1, 2].map((one) => batch.doubles(one).values);
      for (let k = 0; k < batch.rows; k++) rows.push({ file: file[k], row: row[k], at: at[k] });
    }
    return rows;
  } finally {
    duckdb.close();
  }
}
