import { assert } from '../../lib/failure.ts';
import { buildEventIndex, type EventIndex, type IndexedNumbers, indexNumbers } from '../events/event-index.ts';
import { computeSignal, type Signal, type SignalValues, signalKey } from '../events/signals.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { allTable, type Events, eventsKey } from './feature.ts';

/** Tables with their event indexes and signals, each built when first asked for and kept. */
export type Graph = {
  readonly tables: Tables;
  table(name: string): Table;
  index(events: Events): EventIndex;
  numbers(events: Events, signal: Signal): IndexedNumbers;
  categories(events: Events, signal: Signal): IndexedCategories;
  values(table: string, signal: Signal): SignalValues;
  /** The row of the table that `via` ends at, per row of `events.table`; -1 where a reference is empty. */
  targets(events: Events): Int32Array;
};

/** A category signal in index order: codes with -1 for missing, and from when each is known. */
export type IndexedCategories = {
  readonly codes: Int32Array;
  readonly known?: Float64Array;
  readonly dictionary: readonly string[];
  readonly codeOf: ReadonlyMap<string, number>;
  /** How many events in positions [from, to) have the code, and how many any; the event at `skip` (Infinity: none) is passed over, `to` then counts without it. */
  count(code: number, from: number, to: number, skip: number): [matching: number, filled: number];
};

export function openGraph(tables: Tables): Graph {
  const targets = new Map<string, Int32Array>();
  const indexes = new Map<string, EventIndex>();
  const signals = new Map<string, SignalValues>();
  const numbers = new Map<string, IndexedNumbers>();
  const categories = new Map<string, IndexedCategories>();
  const graph: Graph = {
    tables,
    table(name) {
      const table = tables.get(name);
      assert(table, `table ${name}`);
      return table;
    },
    targets(events) {
      return remember(targets, eventsKey(events), () => followReferences(graph, events));
    },
    index(events) {
      return remember(indexes, eventsKey(events), () => {
        const target = targetTable(graph, events);
        return buildEventIndex(
          graph.table(events.table),
          graph.targets(events),
          target === allTable ? 1 : graph.table(target).rows,
        );
      });
    },
    values(table, signal) {
      return remember(signals, `${table} ${signalKey(signal)}`, () =>
        computeSignal(tables, graph.table(table), signal),
      );
    },
    numbers(events, signal) {
      return remember(numbers, `${eventsKey(events)} ${signalKey(signal)}`, () => {
        const values = graph.values(events.table, signal);
        assert(values.kind === 'number', `${signalKey(signal)} is numeric`);
        return indexNumbers(graph.index(events), values.values, values.known);
      });
    },
    categories(events, signal) {
      return remember(categories, `${eventsKey(events)} ${signalKey(signal)}`, () => {
        const values = graph.values(events.table, signal);
        assert(values.kind === 'category', `${signalKey(signal)} is a category`);
        const { rows } = graph.index(events);
        const { known, dictionary } = values;
        const codes = Int32Array.from(rows, (row) => values.codes[row]!);
        return {
          codes,
          count: counter(codes),
          ...(known ? { known: Float64Array.from(rows, (row) => known[row]!) } : {}),
          dictionary,
          codeOf: new Map(dictionary.map((value, code) => [value, code])),
        };
      });
    },
  };
  return graph;
}

function remember<V>(cache: Map<string, V>, key: string, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = make()));
  return value;
}

/** Counts of whole numbers are exact in any order, so running totals every so many positions may cross entities. */
const totalsEvery = 64;

function counter(codes: Int32Array): IndexedCategories['count'] {
  const totals = new Map<number, Int32Array>();
  const anyCode = -2;
  const matches = (code: number, p: number) => (code === anyCode ? codes[p] >= 0 : codes[p] === code);
  const totalsOf = (code: number) => {
    let made = totals.get(code);
    if (!made) {
      made = new Int32Array(Math.floor(codes.length / totalsEvery) + 1);
      let total = 0;
      for (let p = 0; p < codes.length; p++) {
        if (p % totalsEvery === 0) made[p / totalsEvery] = total;
        if (matches(code, p)) total++;
      }
      if (codes.length % totalsEvery === 0) made[codes.length / totalsEvery] = total;
      totals.set(code, made);
    }
    return made;
  };
  const before = (code: number, p: number) => {
    const block = Math.floor(p / totalsEvery);
    let total = totalsOf(code)[block];
    for (let q = block * totalsEvery; q < p; q++) if (matches(code, q)) total++;
    return total;
  };
  const countOf = (code: number, from: number, to: number, skip: number) => {
    if (skip >= to) return before(code, to) - before(code, from);
    if (skip <= from) return before(code, to + 1) - before(code, from + 1);
    return before(code, to + 1) - before(code, from) - (matches(code, skip) ? 1 : 0);
  };
  return (code, from, to, skip) => [countOf(code, from, to, skip), countOf(anyCode, from, to, skip)];
}

/** The table that the references `via` end at, starting from `events.table`. */
export function targetTable(graph: Graph, events: Events): string {
  let name = events.table;
  for (const step of events.via) {
    if (step === allTable) return allTable;
    const reference = graph.table(name).references.get(step);
    assert(reference, `reference ${step} of ${name}`);
    name = reference.table;
  }
  return name;
}

function followReferences(graph: Graph, events: Events): Int32Array {
  let table = graph.table(events.table);
  if (events.via[0] === allTable) return new Int32Array(table.rows);
  const rows = new Int32Array(table.rows).map((_, row) => row);
  for (const step of events.via) {
    const reference = table.references.get(step);
    assert(reference, `reference ${step} of ${table.name}`);
    for (let row = 0; row < rows.length; row++) rows[row] = rows[row]! < 0 ? -1 : reference.rows[rows[row]!]!;
    table = graph.table(reference.table);
  }
  return rows;
}
