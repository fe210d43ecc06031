import type { Leading } from '../uploads/take-rows.ts';
import type { Batch } from './batch.ts';

/**
 * The columns by which files of corrected rows say which rows of which file they correct. They lead the rows, no model
 * reads them, and results repeat them (`include: ["input_columns"]`), so that both results can be joined.
 */
const rowName = 'original_row';
const fileName = 'original_file';

/**
 * The columns for rows of a file of a batch. Rows that are corrected once more keep those that they have: they lead to
 * the rows of the first file.
 */
export function leadingOf({ corrects, files }: Pick<Batch, 'corrects' | 'files'>, path: string): Leading {
  return (columns) => {
    if (corrects !== null && rowColumnOf(columns) >= 0) return [];
    const row = { name: freeOf(rowName, columns), say: String };
    return files.length > 1 ? [row, { name: freeOf(fileName, columns), say: () => path }] : [row];
  };
}

/** Where the number of the original row stands; -1 where it does not. */
export const rowColumnOf = (columns: readonly string[]): number => placeOf(rowName, columns);

/** Where the path of the original file stands. */
export const fileColumnOf = (columns: readonly string[]): number => placeOf(fileName, columns);

/** Whether a column is one of these two, and not one's own. */
export const isOriginalColumn = (column: string): boolean =>
  [rowName, fileName].includes(column.trim().toLowerCase().replace(/_+$/, ''));

/** A file may have such a column of its own: then the one of here is longer. */
function freeOf(name: string, columns: readonly string[]): string {
  const taken = new Set(columns.map((column) => column.trim().toLowerCase()));
  let free = name;
  while (taken.has(free)) free += '_';
  return free;
}

function placeOf(name: string, columns: readonly string[]): number {
  const plain = columns.map((column) => column.trim().toLowerCase());
  const own = plain.filter((column) => column.startsWith(name) && /^_*$/.test(column.slice(name.length)));
  const longest = own.reduce((best, column) => (column.length > best.length ? column : best), '');
  return longest === '' ? -1 : plain.indexOf(longest);
}
