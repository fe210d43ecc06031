import { Failure } from '../../lib/failure.ts';
import type { Rows } from '../../lib/files/column.ts';
import type { TableContract } from '../contract/contract.ts';
import { momentsOf } from './as-of/days.ts';
import { keyValue } from './keys.ts';
import type { Versions } from './tables.ts';

/**
 * Orders the rows of a table into versions by its `knownAt` column. Throws Failure 'invalid' when that holds no dates.
 */
export function orderVersions(table: TableContract, rows: Rows, time: Float64Array | undefined): Versions {
  const known = momentsOf(table, rows, table.knownAt!);
  if (!known)
    throw new Failure('invalid', `table ${table.name}: known_at column ${table.knownAt} is not a date or timestamp`);
  const keyColumns = table.key.map((name) => rows.columns.get(name)!);
  const first = new Map<string, number>();
  const entity = new Int32Array(rows.rows);
  for (let row = 0; row < rows.rows; row++) {
    const key =
      keyColumns.length === 0 ? String(row) : JSON.stringify(keyColumns.map((column) => keyValue(column, row)));
    const seen = first.get(key);
    if (seen === undefined) first.set(key, row);
    entity[row] = seen ?? row;
  }
  // A version without a moment of its own became known with its event.
  const from = Float64Array.from(known, (moment, row) => {
    const event = time ? time[row] : Number.NEGATIVE_INFINITY;
    const since = Number.isNaN(moment) ? event : Math.max(moment, event);
    return Number.isNaN(since) ? Number.POSITIVE_INFINITY : since;
  });
  const order = Int32Array.from({ length: rows.rows }, (_, row) => row).sort(
    (a, b) => entity[a] - entity[b] || from[a] - from[b] || a - b,
  );
  const offsets = new Int32Array(rows.rows + 1);
  for (let row = 0; row < rows.rows; row++) offsets[entity[row] + 1]++;
  for (let row = 0; row < rows.rows; row++) offsets[row + 1] += offsets[row];
  const until = new Float64Array(rows.rows).fill(Number.POSITIVE_INFINITY);
  for (let k = 0; k + 1 < order.length; k++) {
    if (entity[order[k]] === entity[order[k + 1]]) until[order[k]] = from[order[k + 1]];
  }
  return { from, until, offsets, rows: order };
}
