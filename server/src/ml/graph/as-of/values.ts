import type { Column } from '../../../lib/files/column.ts';
import type { ColumnContract } from '../../contract/contract.ts';
import { keyValue } from '../keys.ts';
import type { Table } from '../tables.ts';
import { momentsOf } from './days.ts';

/**
 * Whether what became known at `known[k]` is readable at `readableUntil`: never where that moment is missing, always
 * without moments.
 */
export function isKnown(known: Float64Array | undefined, k: number, readableUntil: number): boolean {
  return known === undefined || known[k] <= readableUntil;
}

/** Whether a column's values are filled in after their row came, at a date of the row. */
export function isFilledLater({ contract }: Pick<Table, 'contract'>, name: string): boolean {
  return contract.columns.find((column) => column.name === name)?.knownFrom !== undefined;
}

/**
 * Whether a column changes after its row came, and neither a date nor kept versions say when: it says nothing of any
 * earlier moment.
 */
export function changesUndated({ versions }: Pick<Table, 'versions'>, { mutable, knownFrom }: ColumnContract): boolean {
  return mutable && knownFrom === undefined && versions === undefined;
}

/**
 * The moments from which a column's values are known, where the contract names a date for that (`knownFrom`); rows that
 * come without that date never say. A reference is a column like any other: where it leads is known from its date on.
 */
export function knownMoments(table: Table, name: string): Float64Array | undefined {
  const contract = table.contract.columns.find((column) => column.name === name);
  if (contract?.knownFrom === undefined) return undefined;
  return momentsOf(table.contract, table, contract.knownFrom) ?? new Float64Array(table.rows).fill(Number.NaN);
}

/** The same of a date column: a date that is not planned is itself known only when it has come. */
export function knownDates(table: Table, name: string): Float64Array | undefined {
  const known = knownMoments(table, name);
  if (table.contract.columns.find((column) => column.name === name)?.planned) return known;
  return laterOf(momentsOf(table.contract, table, name), known);
}

/** Per row the later of two moments; where either is missing, never. Undefined stands for always. */
export function laterOf(one: Float64Array | undefined, other: Float64Array | undefined): Float64Array | undefined {
  return one && other ? one.map((moment, row) => Math.max(moment, other[row])) : (one ?? other);
}

/**
 * Per row, or version of a row, since when its value is what it is, where an earlier version said otherwise; undefined
 * without versions.
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
