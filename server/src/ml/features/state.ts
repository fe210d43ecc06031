import { microsecondsPerDay } from '../contract/contract.ts';
import type { Table } from '../graph/tables.ts';
import type { Read } from './feature.ts';

/**
 * The questions asked: for row `rows[i]` of `table`, as of `at[i]`, reading nothing later than `readableUntil[i]`
 * (microseconds; readableUntil ≤ at). `own[i]` is the anchor's own row in the tables, kept out of every history, or -1.
 * `table` may hold rows that are not in the tables (new applications): then `own` is -1, or the row they restate.
 */
export type Anchors = {
  readonly table: Table;
  /**
   * True when the anchor's row is new at its time and readable whole; false when it is an entity read as of
   * `readableUntil`.
   */
  readonly fresh: boolean;
  readonly rows: Int32Array;
  readonly own: Int32Array;
  /** The table `own` counts in. */
  readonly ownTable: string;
  readonly at: Float64Array;
  readonly readableUntil: Float64Array;
  /** How far labels are known, where that is earlier than `readableUntil`. */
  readonly labelled?: Float64Array;
};

/** Rows of one table as of given moments: an anchor, or a row reached from anchors. Row -1 has nothing to read. */
export type State = Omit<Anchors, 'table'> & {
  readonly table: Table | undefined;
  /**
   * How far the rows themselves may be read, where that is not `readableUntil`: what a new row refers to is there when
   * it is.
   */
  readonly reach?: Float64Array | undefined;
};

/**
 * Until when what comes with new rows was there: their own moment, where that is later than `readableUntil` but not
 * than the day that begins with the anchor.
 */
export function arrivals({ table, rows, at, readableUntil }: State): Float64Array {
  const time = table?.time;
  return readableUntil.map((moment, i) => {
    const own = time && rows[i] >= 0 ? time[rows[i]] : Number.NaN;
    return own > moment && own < at[i] + microsecondsPerDay ? own : moment;
  });
}

/** Receives the value of a feature for row i of a state; what is never written is missing. */
export type Write = (feature: number, i: number, value: number) => void;

/** One thing to read, and which feature it is. */
export type Member = { readonly index: number; readonly read: Read };

/** Reads what it is prepared for off each row of a state. */
export type ReadState = (state: State, write: Write) => void;
