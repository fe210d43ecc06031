// Which rows a feature is read from: through the readers' own states, windows and references.
import { assert } from '../../../lib/failure.ts';
import { rowAsOf } from '../../graph/as-of/rows.ts';
import type { Table } from '../../graph/tables.ts';
import { openReads, readExactly } from '../evaluate.ts';
import type { Feature, Focus } from '../feature.ts';
import { openStates } from '../focus.ts';
import type { Graph } from '../graph.ts';
import type { Anchors, State } from '../state.ts';
import { readEvents } from './events.ts';
import { readOwn } from './own.ts';
import type { Found, ReadRow } from './read-row.ts';
import { subjectsOf } from './subjects.ts';
import type { WholeRows } from './whole.ts';

/** A row whose state is read: the one that is asked about or reached from it. */
export type Subject = {
  readonly table: Table | undefined;
  /** -1: none was known. */
  readonly row: number;
  /** Its share in the value; of two that are set against each other 1 and -1. */
  readonly weight: number;
  /** What is read of it; NaN: nothing. */
  readonly value: number;
};

export type FeatureRows = {
  /** In full precision; models read it as float32. NaN: missing, and then nothing is listed. */
  readonly value: number;
  readonly subjects: readonly Subject[];
  readonly whole: WholeRows | null;
  /** How many rows there are, and those of them that were asked for: the newest of each subject first. */
  readonly count: number;
  readonly rows: readonly ReadRow[];
};

/** Of the rows in their order those at places `from` to `to` - 1. */
export type Slice = { readonly from: number; readonly to: number };

/**
 * Returns the rows that a feature is read from at the only anchor. Nothing of them became known after its
 * `readableUntil` (of what comes with a new row: after the row's own time).
 */
export function rowsOf(graph: Graph, feature: Feature, anchors: Anchors, slice: Slice): FeatureRows {
  assert(anchors.rows.length === 1, 'one anchor');
  const [value] = readExactly(graph, [feature], anchors)[0];
  const list = openList(slice);
  if (Number.isNaN(value)) return { value, subjects: [], whole: null, count: 0, rows: [] };
  const { focus, read } = feature;
  const states = openStates(graph);
  const subjects: Subject[] = [];
  let whole: WholeRows | null = null;
  for (const { state, weight } of subjectsOf(graph, states, focus, anchors, list.add)) {
    const of = subjects.length;
    const own = valueAt(graph, feature, state, value);
    const { table, fresh, rows, readableUntil, reach = readableUntil } = state;
    const row = !table || fresh ? rows[0] : rowAsOf(table, rows[0], reach[0]);
    subjects.push({ table, row, weight, value: own });
    if (Number.isNaN(own)) continue;
    const add = (found: Found) => list.add({ ...found, of });
    if ('events' in read) whole = readEvents(graph, states, read, state, add) ?? whole;
    else whole = readOwn(graph, read, state, row, add) ?? whole;
  }
  return { value, subjects: sharing(focus, subjects), whole, count: list.count(), rows: list.rows };
}

function openList({ from, to }: Slice) {
  const rows: ReadRow[] = [];
  let count = 0;
  return {
    rows,
    count: () => count,
    add(row: ReadRow): void {
      if (count >= from && count < to) rows.push(row);
      count++;
    },
  };
}

/** What is read of one subject: of a focus that is one row, the value itself. */
function valueAt(graph: Graph, { focus, read }: Feature, state: State, value: number): number {
  if (focus.kind !== 'recent' && focus.kind !== 'apart') return value;
  let own = Number.NaN;
  openReads(graph, [{ index: 0, read }])(state, (_, __, found) => {
    own = found;
  });
  return own;
}

/** Weights as shares of those subjects that have a value. */
function sharing({ kind }: Focus, subjects: readonly Subject[]): Subject[] {
  if (kind !== 'recent') return [...subjects];
  const total = subjects.reduce((sum, { weight, value }) => sum + (Number.isNaN(value) ? 0 : weight), 0);
  return subjects.map((one) => ({ ...one, weight: Number.isNaN(one.value) ? 0 : one.weight / total }));
}
