import { knownMoments } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import { pickState } from '../distinct-states.ts';
import { type Focus, neighborDecay, neighborsMax } from '../feature.ts';
import { openLink, type States } from '../focus.ts';
import type { Graph } from '../graph.ts';
import { openHistory, type Window } from '../history.ts';
import type { Anchors, State } from '../state.ts';
import { type Add, type Found, knownAt } from './read-row.ts';

type SubjectState = { readonly state: State; readonly weight: number };

/** The rows that a focus describes, and the events that lead to them. */
export function subjectsOf(graph: Graph, states: States, focus: Focus, anchors: Anchors, add: Add): SubjectState[] {
  if (focus.kind === 'apart') {
    const { of, reference, from } = focus;
    addLeading(graph, states, of, anchors, add);
    return [reference, from].map((name, k) => ({
      state: states({ kind: 'parent', of, reference: name })(anchors),
      weight: k === 0 ? 1 : -1,
    }));
  }
  if (focus.kind !== 'recent') {
    addLeading(graph, states, focus, anchors, add);
    return [{ state: states(focus)(anchors), weight: 1 }];
  }
  addLeading(graph, states, focus.of, anchors, add);
  const { table, follow } = openLink(graph, graph.table(focus.events.table), focus.to);
  const history = openHistory(graph, focus.events);
  const isTimed = history.index.table.time !== undefined && !focus.events.arriving;
  const weights = new Map<number, number>();
  history.each(states(focus.of)(anchors), (windows) => {
    const window = windows.at(0);
    let weight = 1;
    for (let v = window.count - 1; v >= 0 && v >= window.count - neighborsMax; v--) {
      const met = follow(window.row(v), anchors.readableUntil[0]);
      if (met < 0) continue;
      const of = weights.has(met) ? [...weights.keys()].indexOf(met) : weights.size;
      add({ ...leading(history.index.table, window, v, focus.to, history.index.time), of });
      weights.set(met, (weights.get(met) ?? 0) + weight);
      if (isTimed) weight *= neighborDecay;
    }
  });
  return Array.from(weights, ([met, weight]) => {
    const state = pickState(anchors, [0], { table, fresh: false, rows: Int32Array.of(met) });
    return { state, weight };
  });
}

/** Adds the event that leads to the last row of a focus, and to those that it was reached by. */
function addLeading(graph: Graph, states: States, focus: Focus, anchors: Anchors, add: Add): void {
  if (focus.kind === 'root' || focus.kind === 'all') return;
  addLeading(graph, states, focus.of, anchors, add);
  if (focus.kind !== 'last') return;
  const { follow } = openLink(graph, graph.table(focus.events.table), focus.to);
  const history = openHistory(graph, focus.events);
  history.each(states(focus.of)(anchors), (windows) => {
    const window = windows.at(0);
    for (let v = window.count - 1; v >= 0 && v >= window.count - neighborsMax; v--) {
      if (follow(window.row(v), window.readableUntil) < 0) continue;
      add({ ...leading(history.index.table, window, v, focus.to, history.index.time), of: 0 });
      return;
    }
  });
}

function leading(table: Table, window: Window, v: number, to: string, time: Float64Array): Found {
  const row = window.row(v);
  const known = knownAt(knownMoments(table, to), row, time[window.position(v)]);
  return { table, row, role: 'leads', column: to, value: null, known, holder: null };
}
