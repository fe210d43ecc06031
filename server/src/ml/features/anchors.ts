import type { Column } from '../../lib/files/column.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { lastReadable } from '../graph/as-of/days.ts';
import { firstVersion } from '../graph/as-of/rows.ts';
import { type PackedTables, packTables, unpackTables } from '../graph/frozen.ts';
import { withPairTables } from '../graph/pairs.ts';
import type { ResolvedReference, Table, Tables } from '../graph/tables.ts';
import { withValueTables } from '../graph/values.ts';
import type { Objective } from '../statistics/objective.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import { closedColumns, type Task } from '../tasks/task.ts';
import { allTable, labelsTable } from './feature.ts';
import { type Graph, openGraph } from './graph.ts';
import { newestNeighbors } from './neighbors.ts';
import { labelReference, neighborPairs, valuePairs } from './paths.ts';
import type { Anchors } from './state.ts';

/**
 * Whether the task predicts for new rows (a loan on the day it is granted) rather than for entities over time. True
 * when at least 95 % of the anchors whose row has a time have that time on the day that begins at the anchor.
 */
export function isFresh(task: Task, tables: Tables, examples: Examples): boolean {
  const { time } = entityTable(task, tables);
  return time !== undefined && areAskedAt(time, examples);
}

/**
 * The date of the entity's table at which its rows are asked about, where that is not the one by which the contract
 * dates them: the task is for new rows then, and is not taken for one. Null where there is none.
 */
export function otherTimeAsked(task: Task, tables: Tables, examples: Examples): string | null {
  const table = entityTable(task, tables);
  if (isFresh(task, tables, examples)) return null;
  for (const [name, column] of table.columns) {
    if (column.kind === 'time' && areAskedAt(column.values, examples)) return name;
  }
  return null;
}

function areAskedAt(time: ArrayLike<number>, { rows, at }: Examples): boolean {
  let known = 0;
  let same = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row < 0 || Number.isNaN(time[row])) continue;
    known++;
    if (time[row] >= at[i] && time[row] < at[i] + microsecondsPerDay) same++;
  }
  return known > 0 && same >= known * 0.95;
}

/** Returns readableUntil of anchor `i` at the moment `at`: microseconds, never later than the anchor. */
export type ReadableUntilOf = (at: number, i: number) => number;

/**
 * Nothing after the anchor is readable; with `strict`, nothing of the anchor's own moment; nothing after `until`
 * (Infinity: no bound).
 */
export function readableUntilAt(task: Task, until: number): ReadableUntilOf {
  return (at) => lastReadable(task, at, until);
}

/**
 * Whether the anchor's own row is left out of every history: that of a new row, and that of a row with an outcome,
 * whose parents' histories would tell it.
 */
export function leavesOwnOut({ outcome = [] }: Task, fresh: boolean): boolean {
  return fresh || outcome.length > 0;
}

/** Turns examples into the anchors that features are evaluated at. */
export function anchorsOf(
  task: Task,
  tables: Tables,
  examples: Examples,
  fresh: boolean,
  readableUntilOf: ReadableUntilOf,
): Anchors {
  const table = entityTable(task, tables);
  return {
    table,
    fresh,
    // Of a new row the first version is read.
    rows: fresh ? examples.rows.map((row) => (row < 0 ? -1 : firstVersion(table, row))) : examples.rows,
    own: leavesOwnOut(task, fresh) ? examples.rows : new Int32Array(examples.rows.length).fill(-1),
    ownTable: task.entity,
    at: examples.at,
    readableUntil: examples.at.map((at, i) => readableUntilOf(at, i)),
  };
}

/** A table without its references to tables that are not read. */
function leadingTo(table: Table, isRead: (name: string) => boolean): Table {
  const references = new Map([...table.references].filter(([, to]) => isRead(to.table)));
  return references.size === table.references.size ? table : { ...table, references };
}

/**
 * Returns the graph of the tables that the task does not ignore, with two additions: a table of values per category,
 * and the known labels as one more event table. A label's time is the moment its window closes. A label refers to its
 * entity, to the neighbors that the entity had at its anchor (of a new row: those that came with it) and to the
 * categories of the entity's last events at that time. Labels that never close are left out. `objective` says whether
 * labels are numbers or classes. `keepsEmpty`: whether there is a table of labels also where none is known, as for a
 * model that has learned to read them.
 */
export function withLabels(
  task: Task,
  tables: Tables,
  examples: Examples,
  fresh: boolean,
  objective: Objective,
  keepsEmpty = false,
): Graph {
  const isRead = (name: string) => !task.ignore.includes(name);
  const readable = new Map(
    [...tables].flatMap(([name, table]): [string, Table][] => (isRead(name) ? [[name, leadingTo(table, isRead)]] : [])),
  );
  const visible = withMade(task, readable, fresh);
  const closed: number[] = [];
  for (let i = 0; i < examples.rows.length; i++) {
    if (examples.rows[i] >= 0 && Number.isFinite(examples.closes[i]) && !Number.isNaN(examples.labels[i]))
      closed.push(i);
  }
  if (closed.length === 0 && !keepsEmpty) return openGraph(visible);
  const entities = closed.map((i) => examples.rows[i]);
  const asked = {
    ...examples,
    rows: Int32Array.from(entities),
    at: Float64Array.from(closed, (i) => examples.at[i]),
  };
  const readableUntilOf = readableUntilAt(task, task.dataUntil ?? Number.POSITIVE_INFINITY);
  const neighbors = meetNeighbors(openGraph(visible), task, anchorsOf(task, visible, asked, fresh, readableUntilOf));
  // A label whose entity met several rows at once occupies several rows. The further rows refer to those neighbors
  // only, so they are not counted anywhere else.
  const labelOf = Array.from(closed.keys());
  const places = neighbors.map(({ of }) =>
    of.map((label, k) => (k === 0 || of[k - 1] !== label ? label : labelOf.push(label) - 1)),
  );
  const rowsOf = (pairs: Iterable<readonly [place: number, row: number]>) => {
    const rows = new Int32Array(labelOf.length).fill(-1);
    for (const [place, row] of pairs) rows[place] = row;
    return rows;
  };
  const references = new Map<string, ResolvedReference>([
    ['entity', { table: task.entity, rows: rowsOf(entities.entries()) }],
    [allTable, { table: allTable, rows: rowsOf(entities.map((_, label) => [label, 0])) }],
    ...neighbors.map(({ name, table, rows }, c): [string, ResolvedReference] => [
      name,
      { table, rows: rowsOf(rows.map((row, k) => [places[c][k], row])) },
    ]),
  ]);
  const examplesOf = labelOf.map((label) => closed[label]);
  const isClass = objective.kind === 'multiclass';
  const labels: Table = {
    contract: {
      name: labelsTable,
      key: [],
      references: [],
      columns: [
        {
          name: 'label',
          type: isClass ? 'string' : 'number',
          required: true,
          unique: false,
          planned: false,
          mutable: false,
          pii: false,
        },
      ],
    },
    name: labelsTable,
    rows: examplesOf.length,
    columns: new Map<string, Column>([
      [
        'label',
        isClass
          ? {
              kind: 'text',
              codes: Int32Array.from(examplesOf, (i) => examples.labels[i]),
              dictionary: objective.classes,
            }
          : { kind: 'number', values: Float64Array.from(examplesOf, (i) => examples.labels[i]) },
      ],
    ]),
    rowOf: new Map(),
    references,
    time: Float64Array.from(examplesOf, (i) => examples.closes[i]),
  };
  return openGraph(new Map([...visible, [labelsTable, labels]]));
}

/** Adds what tables are read by besides: those of values and, for new rows, of pairs. */
function withMade(task: Task, tables: Tables, fresh: boolean): Tables {
  const known = withValueTables(tables, closedColumns(task));
  return fresh ? withPairTables(known, task.entity) : known;
}

/** The tables of a graph for another thread. Encoders and vectors are not among them. */
export function packGraph({ tables }: Graph): PackedTables {
  return packTables(new Map([...tables].filter(([, { values }]) => !values)));
}

/** Opens what `packGraph` made of a graph of `withLabels`, of the same task. */
export function unpackGraph(task: Task, packed: PackedTables, fresh: boolean): Graph {
  const tables = unpackTables(packed);
  const labels = tables.get(labelsTable);
  const made = withMade(task, new Map([...tables].filter(([name]) => name !== labelsTable)), fresh);
  return openGraph(labels ? new Map([...made, [labelsTable, labels]]) : made);
}

type Neighbors = {
  /** The name of the labels' reference to these rows. */
  readonly name: string;
  readonly table: string;
  /** `of[k]` is the label that met `rows[k]`. Entries of one label stand together. */
  readonly of: readonly number[];
  readonly rows: readonly number[];
};

/** Finds the rows that the entities of the labels met last before their anchors, along each path to neighbors. */
function meetNeighbors(graph: Graph, task: Task, anchors: Anchors): Neighbors[] {
  const entity = entityTable(task, graph.tables);
  const visible = [...graph.tables.values()].filter((table) => !table.values);
  const found = new Map<string, Neighbors>();
  for (const { events, to } of [...neighborPairs(graph, visible, entity), ...valuePairs(graph, entity)]) {
    // Of several paths to the same reference the nearest is taken; it comes first.
    const name = labelReference(events, to);
    if (found.has(name)) continue;
    if (anchors.fresh && (events.via.length > 1 || events.table === task.entity)) continue;
    // By the time a label is known, all rows dated no later than its own row are readable.
    const asTheyCame = anchors.fresh ? { ...events, arriving: true as const } : events;
    const { table } = graph.table(events.table).references.get(to)!;
    found.set(name, { name, table, ...newestNeighbors(graph, asTheyCame, to, anchors) });
  }
  return [...found.values()];
}
