// Moments are microseconds; a day is known at its last one.
import type { Rows } from '../../../lib/files/column.ts';
import { microsecondsPerDay, type TableContract } from '../../contract/contract.ts';

/** Readable moments of the dates in `values`: a day is known at its last microsecond. */
export function endOfDay(values: Float64Array): Float64Array {
  return values.map((value) => value + microsecondsPerDay - 1);
}

/** The moments from which the values of a date or timestamp column are known; undefined when the column has none. */
export function momentsOf(table: TableContract, rows: Rows, name: string): Float64Array | undefined {
  const column = rows.columns.get(name);
  if (column?.kind !== 'time') return undefined;
  return table.columns.find((c) => c.name === name)?.type === 'date' ? endOfDay(column.values) : column.values;
}

/** Whether what happened up to `latest` all lies before `time`, and may be read whole by who asks about that time. */
export function isPast(latest: number, time: number): boolean {
  return latest < time;
}

/**
 * How far a question of moment `at` may read: nothing after it, of a strict task nothing of it, nothing after `until`
 * (Infinity for no bound).
 */
export function lastReadable({ strict }: { readonly strict: boolean }, at: number, until: number): number {
  return Math.min(strict ? at - 1 : at, until);
}
