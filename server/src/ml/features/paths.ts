// How rows reach each other: the paths along which features and label history are read.
import { isKnown } from '../graph/as-of/values.ts';
import { pairOf } from '../graph/pairs.ts';
import type { Table } from '../graph/tables.ts';
import { type Events, labelsTable } from './feature.ts';
import { type Graph, targetTable } from './graph.ts';

/** The tables a task may read. */
export type Surroundings = { readonly graph: Graph; readonly visible: readonly Table[] };

/** Most references in a path from events to an entity. */
const eventStepsMax = 2;
/** Most pairs of events and reference that neighbors are proposed by; pairs with most rows come first. */
const neighborPairsMax = 6;
/** Most category columns of events whose last value is looked up among the known labels. */
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

/** The pairs of events and one of their references by which a row of `table` meets rows of other kinds. */
export function neighborPairs(graph: Graph, visible: readonly Table[], table: Table): NeighborPair[] {
  const pairs: NeighborPair[] = [];
  for (const events of eventsOf({ graph, visible }, table)) {
    const source = graph.table(events.table);
    if (source.name === labelsTable) continue;
    for (const [to, { table: name }] of source.references) {
      const neighbors = visible.find((candidate) => candidate.name === name);
      if (!neighbors || to === events.via[0]) continue;
      // A row that gives its events their time is the event itself, not a neighbor.
      const { time } = source.contract;
      if (time && 'reference' in time && time.reference === to) continue;
      pairs.push({ events, to, neighbors });
    }
  }
  return pairs;
}

/** The pairs to propose: nearest first, and among equally near ones those with most rows at `cut`. */
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
  // At most two paths to one kind of neighbors: further ones mostly meet the same rows.
  const taken = new Map<string, number>();
  const kept = pairs.filter(({ neighbors }) => {
    taken.set(neighbors.name, (taken.get(neighbors.name) ?? 0) + 1);
    return taken.get(neighbors.name)! <= 2;
  });
  return kept.slice(0, neighborPairsMax);
}

/** Name of a label's reference to the row that its entity's last event led to. */
export function labelReference(events: Events, to: string): string {
  return `${events.table}.${to}`;
}

/** The category columns of the dated events that refer directly to `table`. */
export function valuePairs(graph: Graph, table: Table): { events: Events; to: string }[] {
  const pairs: { events: Events; to: string }[] = [];
  for (const source of graph.tables.values()) {
    if (!source.time || source.name === labelsTable) continue;
    for (const [reference, { table: target }] of source.references) {
      if (target !== table.name) continue;
      for (const [to, { values }] of source.references)
        if (values && !pairOf(to)) pairs.push({ events: { table: source.name, via: [reference] }, to });
    }
  }
  return pairs.slice(0, valuePairsMax);
}
