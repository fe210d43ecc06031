import { microsecondsPerDay } from '../contract/contract.ts';
import type { Table } from '../graph/tables.ts';
import type { Read } from './feature.ts';

/**
 * Rows to evaluate features for: row `rows[i]` of `table`, as of `at[i]`, reading nothing later than `readableUntil[i]`
 * (microseconds; readableUntil ≤ at). `own[i]` is the anchor's own row in the tables, which is left out of every
 * history, or -1. `table` may hold rows that are not in the tables (new applications): then `own` is -1, or the row
 * they restate.
 */
export type Anchors = {
  readonly table: Table;
  /**
   * True when the anchor's row is new at its time and all of it is readable; false when it is an entity read as of
   * `readableUntil`.
   */
  readonly fresh: boolean;
  readonly rows: Int32Array;
  readonly own: Int32Array;
  /** The table that `own` indexes. */
  readonly ownTable: string;
  readonly at: Float64Array;
  readonly readableUntil: Float64Array;
  /** Labels are known until then, where that is earlier than `readableUntil`. */
  readonly labelled?: Float64Array;
};

/**
 * Rows of one table as of given moments: the anchors' own rows, or rows reached from them. Row -1 has nothing to read.
 */
export type State = Omit<Anchors, 'table'> & {
  readonly table: Table | undefined;
  /**
   * Until when the rows themselves may be read, where that is not `readableUntil`: rows that a new row refers to exist
   * when it comes.
   */
  readonly reach?: Float64Array | undefined;
};

/**
 * Until when rows that come with new rows may be read: the new row's own time, if it is later than `readableUntil` and
 * less than a day after the anchor; else `readableUntil`.
 */
export function arrivals({ table, rows, at, readableUntil }: State): Float64Array {
  const time = table?.time;
  return readableUntil.map((moment, i) => {
    const own = time && rows[i] >= 0 ? time[rows[i]] : Number.NaN;
    return own > moment && own < at[i] + microsecondsPerDay ? own : moment;
  });
}

/** Receives the value of a feature for row i of a state. A value that is never written is missing. */
export type Write = (feature: number, i: number, value: number) => void;

/** One value to read, and the index of its feature. */
export type Member = { readonly index: number; readonly read: Read };

/** Reads prepared values of each row of a state. */
export type ReadState = (state: State, write: Write) => void;
