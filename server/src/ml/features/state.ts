import type { Table } from '../graph/tables.ts';
import type { Read } from './feature.ts';

/** Rows of one table as of given moments: an anchor, or a row reached from anchors. Row -1 has nothing to read. */
export type State = {
  readonly table: Table | undefined;
  readonly fresh: boolean;
  readonly rows: Int32Array;
  readonly own: Int32Array;
  readonly ownTable: string;
  readonly at: Float64Array;
  readonly limit: Float64Array;
};

/** Receives the value of a feature for row i of a state; what is never written is missing. */
export type Write = (feature: number, i: number, value: number) => void;

/** One thing to read, and which feature it is. */
export type Member = { readonly index: number; readonly read: Read };
