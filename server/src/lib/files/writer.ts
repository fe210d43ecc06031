import { type FileHandle, rename } from 'node:fs/promises';
import { assert } from '../failure.ts';
import type { Column, LogicalType, Rows } from './column.ts';

export type WriteColumn = {
  readonly name: string;
  readonly type: LogicalType;
  /** Of a timestamp: that it is a time on clocks of a zone that nobody named, and is written without one. */
  readonly isLocal?: true;
};

/** A file being written. Await each call before the next; call nothing after `close` or `abort`. */
export type Writer = {
  /** Adds rows. They must have a column of the right kind for each column of the file. */
  write(rows: Rows): Promise<void>;
  /** Finishes the file and renames it into place, in one step: a reader sees the whole file or none. */
  close(): Promise<void>;
  /** Removes the unfinished file. */
  abort(): Promise<void>;
};

/** Renames a complete file into place, once the disk has its bytes. */
export async function finish(file: FileHandle, partial: string, path: string): Promise<void> {
  await file.sync();
  await file.close();
  await rename(partial, path);
}

/**
 * The column of `rows` to write as `column`. Throws when it is absent or of another kind, or holds an invalid value for
 * the type: these are bugs of the caller.
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

/** Returns the column after checking that all its values are valid for the type. */
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
