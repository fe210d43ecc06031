import type { SignalValues } from '../../events/signals.ts';
import { rowMoments } from '../../graph/as-of/rows.ts';
import type { Table } from '../../graph/tables.ts';

/**
 * What a row is read for.
 * - `read`: its value, or that it is there, is what is aggregated.
 * - `compared`: what is aggregated is held against it: of a rate all earlier events, of a swing the rest of the year,
 *   of a trend the newest value where the span lacks it.
 * - `own`: its value is held against what is aggregated.
 * - `leads`: its reference leads to a row that is read.
 */
export type Role = 'read' | 'compared' | 'own' | 'leads';

/** A row of a table; of rows that are sent again, that version. */
export type RowPlace = { readonly table: Table; readonly row: number };

export type ReadRow = RowPlace & {
  readonly role: Role;
  /** The place in `subjects` of the row that it is read for. */
  readonly of: number;
  /** What is read of it, as `signalKey` names it; null where it only counts. */
  readonly column: string | null;
  /** A number, the place of a text in its dictionary as text, or null where it only counts. */
  readonly value: number | string | null;
  /** Since when the row is there and says this, microseconds; -Infinity: always. */
  readonly known: number;
  /** The row in which the value stands, where this one leads to it. */
  readonly holder: RowPlace | null;
};

/** Takes a row that is read; `Found` leaves open for which subject. */
export type Add<R = ReadRow> = (row: R) => void;

export type Found = Omit<ReadRow, 'of'>;

/** The later of the moments of a row and of a value of it. */
export function knownAt(known: Float64Array | undefined, row: number, since: number): number {
  return known ? Math.max(known[row], since) : since;
}

/** Since when a row, or a version of one, is there. */
export function rowSince(table: Table, row: number): number {
  const since = rowMoments(table)?.[row] ?? Number.NaN;
  return Number.isNaN(since) ? Number.NEGATIVE_INFINITY : since;
}

export function textOf({ codes, dictionary }: { codes: Int32Array; dictionary: readonly string[] }, row: number) {
  return codes[row] < 0 ? null : dictionary[codes[row]];
}

/** The text of a category; the number of the row where it says which row a reference leads to. */
export function tellSignal(values: SignalValues, row: number): number | string | null {
  if (values.kind === 'number') return values.values[row];
  return values.dictionary[values.codes[row]] ?? null;
}
