// How rows reach each other: the paths that features and label history are read along.
import { isKnown } from '../graph/as-of/values.ts';
import type { Table } from '../graph/tables.ts';
import { type Events, labelsTable } from './feature.ts';
import { type Graph, targetTable } from './graph.ts';

/** The tables a task may read. */
export type Surroundings = { readonly graph: Graph; readonly visible: readonly Table[] };

/** Steps of references by which events may lead to an entity. */
const eventStepsMax = 2;
/** Company is proposed by at most this many pairs of events and reference, those with most rows first. */
const neighborPairsMax = 6;
/** Category columns of events whose last value is looked up among the known labels. */
const valuePairsMax = 16;

/** Event tables that lead to `table`, nearest first. */
export function eventsOf({ graph, visible }: Surroundings, table: Table): Events[] {
  const found: Events[] = [];
  const follow = (events: Events) => {
    const end = targetTable(graph, events);
    if (events.via.length > 0 && end === table.name) found.push(events);
    if (events.via.length >= eventStepsMax) return;
    for (const [reference, { table: next }] of graph.table(end).references) {
      if (visible.some((candidate) => candidate.name === next))
        follow({ table: events.table, via: [...events.via, reference] });
    }
  };
  for (const candidate of visible) follow({ table: candidate.name, via: [] });
  return found.sort((a, b) => a.via.length - b.via.length);
}

export type NeighborPair = { readonly events: Events; readonly to: string; readonly neighbors: Table };

/** By which events, and which of their references, a row of `table` meets rows of other kinds. */
export function neighborPairs(graph: Graph, visible: readonly Table[], table: Table): NeighborPair[] {
  const pairs: NeighborPair[] = [];
  for (const events of eventsOf({ graph, visible }, table)) {
    const source = graph.table(events.table);
    if (source.name === labelsTable) continue;
    for (const [to, { table: name }] of source.references) {
      const neighbors = visible.find((candidate) => candidate.name === name);
      if (!neighbors || to === events.via[0]) continue;
      // A row that its events inherit their time from is the event itself, no neighbor.
      const { time } = source.contract;
      if (time && 'reference' in time && time.reference === to) continue;
      pairs.push({ events, to, neighbors });
    }
  }
  return pairs;
}

/** The pairs to propose: the nearest, and of those the ones with most rows at `cut`. */
export function chooseNeighbors(graph: Graph, visible: readonly Table[], table: Table, cut: number): NeighborPair[] {
  const rows = new Map<string, number>();
  const rowsBy = (name: string) => {
    const { time, rows: all } = graph.table(name);
    let known = rows.get(name);
    if (known === undefined)
      rows.set(name, (known = time ? time.filter((_, row) => isKnown(time, row, cut)).length : all));
    return known;
  };
  const pairs = neighborPairs(graph, visible, table).sort(
    (a, b) => a.events.via.length - b.events.via.length || rowsBy(b.events.table) - rowsBy(a.events.table),
  );
  // Two ways to the same kind of neighbors mostly meet the same rows.
  const taken = new Map<string, number>();
  const kept = pairs.filter(({ neighbors }) => {
    taken.set(neighbors.name, (taken.get(neighbors.name) ?? 0) + 1);
    return taken.get(neighbors.name)! <= 2;
  });
  return kept.slice(0, neighborPairsMax);
}

/** The name of the reference by which a label leads to what its entity's last event led to. */
export function labelReference(events: Events, to: string): string {
  return `${events.table}.${to}`;
}

/** The category columns of the dated events that lead straight to `table`. */
export function valuePairs(graph: Graph, table: Table): { events: Events; to: string }[] {
  const pairs: { events: Events; to: string }[] = [];
  for (const source of graph.tables.values()) {
    if (!source.time || source.name === labelsTable) continue;
    for (const [reference, { table: target }] of source.references) {
      if (target !== table.name) continue;
      for (const [to, { values }] of source.references)
        if (values) pairs.push({ events: { table: source.name, via: [reference] }, to });
    }
  }
  return pairs.slice(0, valuePairsMax);
}
