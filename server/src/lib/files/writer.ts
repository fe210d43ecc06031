import { type FileHandle, rename } from 'node:fs/promises';
import { assert } from '../failure.ts';
import type { Column, LogicalType, Rows } from './column.ts';

export type WriteColumn = { readonly name: string; readonly type: LogicalType };

/** A file being written. Wait for each call before the next; after `close` or `abort` there is nothing more to call. */
export type Writer = {
  /** Adds rows, which have a column of the right kind for each of the file's. */
  write(rows: Rows): Promise<void>;
  /** Finishes the file and gives it its name, in one step: a reader sees the whole of it or nothing. */
  close(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
};

/** Gives a file that is complete its name. */
export async function finish(file: FileHandle, partial: string, path: string): Promise<void> {
  await file.sync();
  await file.close();
  await rename(partial, path);
}

/**
 * The column of a piece that is written as `column`. Throws where there is none of its kind, or a value that is not fit
 * for its type: bugs of the caller.
 */
export function sourceOf(rows: Rows, column: WriteColumn): Column {
  return checked(columnOf(rows, column), column);
}

function columnOf(rows: Rows, { name, type }: WriteColumn): Column {
  const column = rows.columns.get(name);
  assert(column !== undefined, `the rows have no column "${name}"`);
  const isTime = type === 'date' || type === 'timestamp' || type === 'time';
  const kind = type === 'string' ? 'text' : isTime ? 'time' : 'number';
  assert(column.kind === kind, `column "${name}" holds ${column.kind} where ${kind} is written`);
  return column;
}

/** A column, once all its values are known to be fit for its type. */
function checked(column: Column, { name, type }: WriteColumn): Column {
  if (column.kind === 'text') return column;
  const isWhole = type !== 'number' && type !== 'boolean';
  const { values } = column;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    const isFit = isWhole
      ? Math.floor(value) === value && value - value === 0
      : type === 'number'
        ? value - value === 0
        : value === 0 || value === 1;
    if (!isFit && !Number.isNaN(value)) throw new Error(`column "${name}" cannot hold ${value} as ${type}`);
  }
  return column;
}
