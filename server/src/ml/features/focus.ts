import { assert } from '../../lib/failure.ts';
import { type FollowReference, openReference } from '../graph/as-of/references.ts';
import { rowAsOf } from '../graph/as-of/rows.ts';
import type { Table } from '../graph/tables.ts';
import { type Events, type Focus, focusKey, neighborsMax } from './feature.ts';
import type { Graph } from './graph.ts';
import { openHistory } from './history.ts';
import { type Anchors, arrivals, type State } from './state.ts';

/** Returns the state that a focus has for anchors. */
export type StateOf = (anchors: Anchors) => State;
export type States = (focus: Focus) => StateOf;

/** Opens the states of foci. For one set of anchors each state is found once and shared. */
export function openStates(graph: Graph): States {
  const opened = new Map<string, StateOf>();
  const states = (focus: Focus): StateOf => {
    const key = focusKey(focus);
    let stateOf = opened.get(key);
    if (!stateOf) {
      const make = openState(graph, states, focus);
      const made = new WeakMap<Anchors, State>();
      stateOf = (anchors) => {
        let state = made.get(anchors);
        if (!state) made.set(anchors, (state = make(anchors)));
        return state;
      };
      opened.set(key, stateOf);
    }
    return stateOf;
  };
  return states;
}

function openState(graph: Graph, states: States, focus: Focus): StateOf {
  switch (focus.kind) {
    case 'root':
      return (anchors) => anchors;
    case 'all':
      return (anchors) => ({
        ...anchors,
        table: undefined,
        fresh: false,
        rows: new Int32Array(anchors.rows.length),
      });
    case 'parent':
      return openParent(graph, states(focus.of), focus.reference);
    case 'last':
      return openLast(graph, states(focus.of), focus);
    case 'recent':
      throw new Error('neighbors are averaged, they have no single row');
    case 'apart':
      throw new Error('two rows are set against each other, they are no single row');
  }
}

/** The rows that a reference leads to, as known at the anchor. */
function openParent(graph: Graph, stateOf: StateOf, name: string): StateOf {
  return (anchors) => {
    const of = stateOf(anchors);
    const { table, follow } = openLink(graph, of.table!, name);
    const reach = of.fresh ? reachOfParents(of) : of.reach;
    const reached = reach ?? of.readableUntil;
    const rows = of.rows.map((row, i) => {
      const readable = of.fresh ? row : rowAsOf(of.table!, row, reached[i]);
      return readable < 0 ? -1 : follow(readable, of.readableUntil[i], reached[i]);
    });
    return { ...anchors, table, fresh: false, rows, reach };
  };
}

/**
 * Rows that a new row refers to exist when it comes, so they may be read until then. The exception is data that stop
 * before the anchor, or before its own moment: nothing later is read.
 */
function reachOfParents(root: State): Float64Array | undefined {
  const { at, readableUntil } = root;
  const reach = arrivals(root).map((moment, i) => (readableUntil[i] < at[i] ? readableUntil[i] : moment));
  return reach.some((moment, i) => moment > readableUntil[i]) ? reach : undefined;
}

/** The row that the newest event with a readable reference leads to. */
function openLast(graph: Graph, stateOf: StateOf, { events, to }: Focus & { kind: 'last' }): StateOf {
  const { table, follow } = openLink(graph, graph.table(events.table), to);
  const history = openHistory(graph, events);
  return (anchors) => {
    const rows = new Int32Array(anchors.rows.length).fill(-1);
    history.each(stateOf(anchors), (windows) => {
      for (let k = 0; k < windows.count; k++) {
        const { i, readableUntil, count, row } = windows.at(k);
        for (let v = count - 1; v >= 0 && v >= count - neighborsMax && rows[i] < 0; v--)
          rows[i] = follow(row(v), readableUntil);
      }
    });
    return { ...anchors, table, fresh: false, rows };
  };
}

/** The table that the reference `name` leads to, and a function that follows the reference from a row. */
export function openLink(graph: Graph, from: Table, name: string): { table: Table; follow: FollowReference } {
  const reference = from.references.get(name);
  assert(reference, `reference ${name} of ${from.name}`);
  const table = graph.table(reference.table);
  return { table, follow: openReference(from, name, table) };
}

/** The table and row of each anchor's focus, as known then; -1 for none. */
export function focusRows(
  graph: Graph,
  focus: Focus,
  anchors: Anchors,
): { table: Table | undefined; rows: Int32Array } {
  const { table, rows, fresh, readableUntil, reach = readableUntil } = openStates(graph)(focus)(anchors);
  return { table, rows: table && !fresh ? rows.map((row, i) => rowAsOf(table, row, reach[i])) : rows };
}

/** The rows of the newest `most` readable events of each anchor's focus: `rows[k]` belongs to anchor `of[k]`. */
export function newestEvents(
  graph: Graph,
  focus: Focus,
  events: Events,
  most: number,
  anchors: Anchors,
): { of: readonly number[]; rows: readonly number[] } {
  const of: number[] = [];
  const rows: number[] = [];
  openHistory(graph, events).each(openStates(graph)(focus)(anchors), (windows) => {
    for (let k = 0; k < windows.count; k++) {
      const { i, count, row } = windows.at(k);
      for (let v = count - 1; v >= 0 && v >= count - most; v--) {
        of.push(i);
        rows.push(row(v));
      }
    }
  });
  return { of, rows };
}
