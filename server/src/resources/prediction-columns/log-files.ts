import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { selectLines } from './sql.ts';

/** Predictions fetched at a time, which are held in memory. */
const linesAtOnce = 4_000;

/**
 * Writes the predictions of a model with ids from `first` to before `until` into files of at most `rowsPerFile` lines,
 * in order of id. Returns how many lines each has; there is no file where there are none.
 */
export async function writeLog(
  db: Database,
  ctx: Context,
  asked: { readonly modelId: string; readonly first: string; readonly until: string },
  pathOf: (file: number) => string,
  rowsPerFile = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const files: number[] = [];
  // No id is as short as a bound, so none equals it.
  let after = asked.first;
  for (let isMore = true; isMore; ) {
    let rows = 0;
    const lines = async function* () {
      while (isMore && rows < rowsPerFile) {
        const most = Math.min(linesAtOnce, rowsPerFile - rows);
        const page = await tenant(db, ctx, (tx) => selectLines(tx, ctx, { ...asked, after, most }));
        isMore = page.length === most;
        rows += page.length;
        after = page.at(-1)?.id ?? after;
        if (page.length > 0) yield `${page.map(({ line }) => line).join('\n')}\n`;
      }
    };
    await pipeline(lines, createWriteStream(pathOf(files.length)));
    if (rows > 0) files.push(rows);
  }
  return files;
}
