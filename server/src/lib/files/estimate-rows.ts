import { readBlocks } from './bytes.ts';
import { inspectFile } from './inspect.ts';

const newline = 10;

/** About how many rows a file has: as a Parquet file states, or by its lines. Throws what `describeFile` throws. */
export async function estimateRows(path: string): Promise<number> {
  const { format, compression, parquet } = await inspectFile(path);
  if (parquet) return parquet.rows;
  let lines = 0;
  for await (const block of readBlocks(path, compression))
    for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) lines++;
  return format === 'csv' ? Math.max(0, lines - 1) : lines;
}
