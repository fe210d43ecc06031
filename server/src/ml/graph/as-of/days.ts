// Moments are microseconds. A day counts as known at its last microsecond.
import type { Rows } from '../../../lib/files/column.ts';
import { microsecondsPerDay, type TableContract } from '../../contract/contract.ts';

/** Moments from which the dates in `values` may be read: the last microsecond of each day. */
export function endOfDay(values: Float64Array): Float64Array {
  return values.map((value) => value + microsecondsPerDay - 1);
}

/** The moments from which the values of a date or timestamp column are known; undefined when the column has none. */
export function momentsOf(table: TableContract, rows: Rows, name: string): Float64Array | undefined {
  const column = rows.columns.get(name);
  if (column?.kind !== 'time') return undefined;
  return table.columns.find((c) => c.name === name)?.type === 'date' ? endOfDay(column.values) : column.values;
}

/** Whether everything up to `latest` lies before `time`, so that a question about `time` may read all of it. */
export function isPast(latest: number, time: number): boolean {
  return latest < time;
}

/**
 * The last moment that a question asked at `at` may read: `at` itself, or one microsecond before it for a strict task,
 * and never past `until` (Infinity for no bound).
 */
export function lastReadable({ strict }: { readonly strict: boolean }, at: number, until: number): number {
  return Math.min(strict ? at - 1 : at, until);
}
