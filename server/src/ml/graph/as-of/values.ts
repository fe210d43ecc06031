import type { Column } from '../../../lib/files/column.ts';
import type { ColumnContract } from '../../contract/contract.ts';
import { keyValue } from '../keys.ts';
import type { Table } from '../tables.ts';
import { momentsOf } from './days.ts';

/**
 * Whether the value that became known at `known[k]` is readable at `readableUntil`. Never when that moment is NaN;
 * always when `known` is undefined.
 */
export function isKnown(known: Float64Array | undefined, k: number, readableUntil: number): boolean {
  return known === undefined || known[k] <= readableUntil;
}

/** The column that says since when the value of another is known; undefined where none does. */
export function datedBy({ contract }: Pick<Table, 'contract'>, name: string): string | undefined {
  return contract.columns.find((column) => column.name === name)?.knownFrom;
}

/** Whether the values of a column are filled in after their row came, from the date in its `knownFrom` column on. */
export function isFilledLater({ contract }: Pick<Table, 'contract'>, name: string): boolean {
  return contract.columns.find((column) => column.name === name)?.knownFrom !== undefined;
}

/**
 * Whether a column changes after its row came while neither a `knownFrom` date nor kept versions say when. Such a
 * column says nothing about any earlier moment.
 */
export function changesUndated({ versions }: Pick<Table, 'versions'>, { mutable, knownFrom }: ColumnContract): boolean {
  return mutable && knownFrom === undefined && versions === undefined;
}

/**
 * The moments from which the values of a column are known, when its contract names a date column in `knownFrom`;
 * undefined otherwise. NaN (never) for rows without that date. This holds for reference columns too: where a reference
 * leads is known from its date on.
 */
export function knownMoments(table: Table, name: string): Float64Array | undefined {
  const contract = table.contract.columns.find((column) => column.name === name);
  if (contract?.knownFrom === undefined) return undefined;
  return momentsOf(table.contract, table, contract.knownFrom) ?? new Float64Array(table.rows).fill(Number.NaN);
}

/**
 * Like `knownMoments`, for a date column: a date that is not `planned` becomes known only when that date is reached.
 */
export function knownDates(table: Table, name: string): Float64Array | undefined {
  const known = knownMoments(table, name);
  if (table.contract.columns.find((column) => column.name === name)?.planned) return known;
  return laterOf(momentsOf(table.contract, table, name), known);
}

/** For each row the later of two moments, NaN (never) where either is missing. Undefined stands for always. */
export function laterOf(one: Float64Array | undefined, other: Float64Array | undefined): Float64Array | undefined {
  return one && other ? one.map((moment, row) => Math.max(moment, other[row])) : (one ?? other);
}

/**
 * For each row, or version of a row, the moment since which it has its present value; -Infinity when no earlier version
 * had another value. Undefined when the table keeps no versions.
 */
export function changeMoments({ versions, rows }: Table, column: Column): Float64Array | undefined {
  if (!versions) return undefined;
  const since = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY);
  for (let entity = 0; entity < rows; entity++) {
    for (let k = versions.offsets[entity] + 1; k < versions.offsets[entity + 1]; k++) {
      const [before, now] = [versions.rows[k - 1], versions.rows[k]];
      since[now] = keyValue(column, before) === keyValue(column, now) ? since[before] : versions.from[now];
    }
  }
  return since;
}
