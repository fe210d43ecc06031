import { textOf } from '../kit/text-of.ts';
import type { Head } from '../uploads/head-of-file.ts';
import { broughtColumns, rowColumn } from './result-columns.ts';

/** The last of these is the last column that the service writes itself. */
const written: readonly string[] = ['as_of', 'model_id', 'version_id', 'interval', 'row', 'warnings'];

type Shown = Pick<Head, 'columns' | 'rows'>;

/**
 * Puts first what people know a row by: its number, the keys of whom it is about, and what they sent beside these. What
 * they may bring and brought nowhere is not shown: without a value it takes the place of what is looked for. `hasOwn`:
 * whether columns that were sent stand behind those of the answer, which are then `own`.
 */
export function arrangeColumns({ columns, rows }: Shown, hasOwn: boolean): Shown & { own: ReadonlySet<string> } {
  const keys = columns.indexOf(broughtColumns[0]!);
  const ends = hasOwn ? Math.max(...written.map((name) => columns.indexOf(name))) + 1 : columns.length;
  const rankOf = (at: number): number => {
    if (columns[at] === rowColumn) return 0;
    if (at < keys) return 1;
    return at >= ends ? 2 : 3;
  };
  const isShown = (at: number): boolean =>
    !broughtColumns.includes(columns[at]!) || rows.some((row) => textOf(row[at]) !== '');
  const places = [...columns.keys()].filter(isShown).sort((one, other) => rankOf(one) - rankOf(other) || one - other);
  return {
    columns: places.map((at) => columns[at]!),
    rows: rows.map((row) => places.map((at) => row[at])),
    own: new Set(columns.slice(ends)),
  };
}
