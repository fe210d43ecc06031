import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { idsFrom } from '../../lib/crypto/ids.ts';
import type { App } from '../app.ts';
import { daysWithin } from './days.ts';
import { writeLog } from './log-files.ts';
import { selectColumns } from './sql.ts';

/** Predictions of a piece at most, which is read by one process. */
export const pieceRows = 98_304;

/** A part of a log in a local file: some rows of an object of columns, or lines of JSON. Pieces are in order of id. */
export type LogPiece = {
  readonly path: string;
  readonly format: 'columns' | 'lines';
  /** Of columns: which rows of the file. */
  readonly range: { readonly first: number; readonly count: number };
};

/**
 * Fetches the log of a model, from one moment to before another (milliseconds), into local files: days in columns as
 * they are, with rows before and after those moments, and all else from the log itself.
 */
export async function placeLog(
  { db, storage }: Pick<App, 'db' | 'storage'>,
  ctx: Context,
  { modelId, fromMs, untilMs }: { readonly modelId: string; readonly fromMs: number; readonly untilMs: number },
  folder: string,
): Promise<LogPiece[]> {
  const days = daysWithin(fromMs, untilMs);
  const built = await tenant(db, ctx, (tx) => selectColumns(tx, ctx, modelId, days[0].day, days.at(-1)!.day));
  const byDay = new Map(built.map((row) => [row.day, row]));
  const pieces: LogPiece[] = [];
  const [least, most] = [idsFrom('prd', fromMs), idsFrom('prd', untilMs)];
  for (let at = 0; at < days.length; at++) {
    const { day, first } = days[at];
    const object = byDay.get(day);
    if (object !== undefined) {
      const path = await storage.localPath(object.storage_key, object.sha256);
      for (let row = 0; row < object.rows; row += pieceRows)
        pieces.push({ path, format: 'columns', range: { first: row, count: Math.min(pieceRows, object.rows - row) } });
      continue;
    }
    // Days in a row that are not in columns are read at once.
    while (at + 1 < days.length && !byDay.has(days[at + 1].day)) at++;
    const { until } = days[at];
    const asked = { modelId, first: first < least ? least : first, until: until > most ? most : until };
    const pathOf = (file: number) => join(folder, `log-${day}-${file}`);
    const files = await writeLog(db, ctx, asked, pathOf, pieceRows);
    for (const [file, count] of files.entries())
      pieces.push({ path: pathOf(file), format: 'lines', range: { first: 0, count } });
  }
  return pieces;
}
