import { assert } from '../../lib/failure.ts';
import { buildEventIndex, type EventIndex, type IndexedNumbers, indexNumbers } from '../events/event-index.ts';
import { computeSignal, type Led, type Signal, type SignalValues, signalKey } from '../events/signals.ts';
import { followReferences } from '../graph/as-of/references.ts';
import { laterOf } from '../graph/as-of/values.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { allTable, type Events, type Focus, pathKey } from './feature.ts';
import type { State } from './state.ts';

/** Tables with their event indexes and signals. Each is built at first use and cached, until it is forgotten. */
export type Graph = {
  readonly tables: Tables;
  table(name: string): Table;
  index(events: Events): EventIndex;
  numbers(events: Events, signal: Signal): IndexedNumbers;
  categories(events: Events, signal: Signal): IndexedCategories;
  values(table: string, signal: Signal): SignalValues;
  /**
   * Per row of `events.table` the row of the table where `via` ends; -1 where a reference is empty. A condition of the
   * events is ignored.
   */
  targets(events: Events): Int32Array;
  /** Drops what is cached where it holds much memory. What was given out stays good; what is asked for is made anew. */
  forget(): void;
  /** Present where features read embeddings. */
  readonly encoder?: Encoder;
  /** Present where features read embeddings of a graph model. */
  readonly vectors?: Vectors;
};

/**
 * Encodes rows of a table as of given moments. It reads nothing later than their `readableUntil`. The result is rows ×
 * columns.
 */
export type Encoder = {
  readonly table: string;
  /** The focus whose row is encoded when the anchor's own row is new. */
  readonly focus: Focus;
  readonly columns: number;
  /**
   * How many of the columns are direct predictions. They are the last columns; the columns before them are an
   * embedding.
   */
  readonly forecasts: number;
  /** The encoding of row -1 is meaningless. */
  encode(rows: EncodedRows): Float32Array;
};

/**
 * Vectors that a graph model gives rows as of their `readableUntil`: rows × columns, NaN where it does not know the
 * row.
 */
export type Vectors = {
  /** The focus whose row is encoded. */
  readonly focus: Focus;
  readonly columns: number;
  encode(state: State): Float32Array;
};

/** Rows of an encoder's table with their moments, as in anchors (microseconds). */
export type EncodedRows = Pick<State, 'rows' | 'own' | 'ownTable' | 'at' | 'readableUntil'>;

/** A category signal in index order: codes (-1: missing), and from when each is known. */
export type IndexedCategories = {
  readonly codes: Int32Array;
  readonly known?: Float64Array;
  readonly dictionary: readonly string[];
  readonly codeOf: ReadonlyMap<string, number>;
  /**
   * Counts the events in positions [from, to) that have `code`, and those that have any value. The event at `skip`
   * (Infinity: none) is left out; `to` is then counted without it.
   */
  count(code: number, from: number, to: number, skip: number): [matching: number, filled: number];
};

/** Up to so many bytes are never dropped. */
const keptBytes = 256 * 1024 * 1024;

export function openGraph(tables: Tables): Graph {
  const paths = new Map<string, Path>();
  const indexes = new Map<string, EventIndex>();
  const signals = new Map<string, SignalValues>();
  const led = new Map<string, Led>();
  const numbers = new Map<string, IndexedNumbers>();
  const categories = new Map<string, IndexedCategories>();
  const path = (events: Events) =>
    remember(paths, pathKey({ table: events.table, via: events.via }), () => openPath(graph, events));
  const caches = [paths, indexes, signals, led, numbers, categories];
  const heldBytes = () =>
    caches.reduce((sum, cache) => sum + [...cache.values()].reduce((bytes, value) => bytes + bytesOf(value), 0), 0);
  const graph: Graph = {
    tables,
    forget() {
      if (heldBytes() > keptBytes) for (const cache of caches) cache.clear();
    },
    table(name) {
      const table = tables.get(name);
      assert(table, `table ${name}`);
      return table;
    },
    targets(events) {
      return path(events).targets;
    },
    index(events) {
      return remember(indexes, pathKey(events), () => {
        const target = targetTable(graph, events);
        const { targets, moments } = narrow(graph, events, path(events));
        const entities = target === allTable ? 1 : graph.table(target).rows;
        return buildEventIndex(graph.table(events.table), targets, entities, moments);
      });
    },
    values(table, signal) {
      const compute = () => computeSignal(tables, graph.table(table), signal, led);
      return isCopy(signal) ? compute() : remember(signals, `${table} ${signalKey(signal)}`, compute);
    },
    numbers(events, signal) {
      return remember(numbers, `${pathKey(events)} ${signalKey(signal)}`, () => {
        const values = graph.values(events.table, signal);
        assert(values.kind === 'number', `${signalKey(signal)} is numeric`);
        return indexNumbers(graph.index(events), values.values, values.known);
      });
    },
    categories(events, signal) {
      return remember(categories, `${pathKey(events)} ${signalKey(signal)}`, () => {
        const values = graph.values(events.table, signal);
        assert(values.kind === 'category', `${signalKey(signal)} is a category`);
        const { rows } = graph.index(events);
        const { known, dictionary } = values;
        const codes = rows.map((row) => values.codes[row]);
        return {
          codes,
          count: counter(codes),
          ...(known ? { known: Float64Array.from(rows, (row) => known[row]) } : {}),
          dictionary,
          codeOf: new Map(dictionary.map((value, code) => [value, code])),
        };
      });
    },
  };
  return graph;
}

/**
 * Whether a signal is a plain column of another table. Such signals are copied again for each index instead of being
 * cached: copying takes little time, and a hundred cached ones would fill gigabytes.
 */
function isCopy(signal: Signal): boolean {
  return signal.kind === 'column' && signal.path.length > 0 && !signal.measure && signal.word === undefined;
}

/** The bytes of the arrays that something consists of. */
function bytesOf(value: object): number {
  return Object.values(value).reduce((sum, part) => sum + (ArrayBuffer.isView(part) ? part.byteLength : 0), 0);
}

function remember<V>(cache: Map<string, V>, key: string, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = make()));
  return value;
}

/** Positions between running totals. Integer counts are exact in any order, so totals may cross entities. */
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

type Path = { readonly targets: Int32Array; readonly moments: Float64Array | undefined };

/** The row that each row of `events.table` leads to, and from when. */
function openPath({ tables, table: tableOf }: Graph, events: Events): Path {
  const table = tableOf(events.table);
  // Every label counts once among all, even if it occupies several rows.
  if (events.via[0] === allTable)
    return { targets: table.references.get(allTable)?.rows ?? new Int32Array(table.rows), moments: table.time };
  const { rows, since } = followReferences(tables, table, events.via);
  return { targets: rows, moments: laterOf(table.time, since) };
}

/** Applies a condition: rows that do not meet it lead nowhere, and those that do count from when that is known. */
function narrow(graph: Graph, { table, when }: Events, { targets, moments }: Path): Path {
  if (!when) return { targets, moments };
  const texts = graph.values(table, { kind: 'column', path: when.path, column: when.column });
  assert(texts.kind === 'category', `${when.column} is a text`);
  const { codes, known, dictionary } = texts;
  const code = dictionary.indexOf(when.value);
  return {
    targets: targets.map((target, row) => (code >= 0 && codes[row] === code ? target : -1)),
    moments: laterOf(moments, known),
  };
}
