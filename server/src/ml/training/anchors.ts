import type { Column } from '../../lib/files/column.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type Anchors, focusRows } from '../features/evaluate.ts';
import { labelsTable } from '../features/feature.ts';
import { type Graph, openGraph } from '../features/graph.ts';
import { companyPairs, labelReference, valuePairs } from '../features/paths.ts';
import { firstVersion, type ResolvedReference, type Table, type Tables } from '../graph/tables.ts';
import { withValueTables } from '../graph/values.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';

/**
 * Whether the task predicts for new rows (a loan on the day it is granted) rather than for entities over time:
 * nearly all anchors are the moment, or the day, of the row they name.
 */
export function isFresh(task: Task, tables: Tables, examples: Examples): boolean {
  const table = entityTable(task, tables);
  const { time } = table;
  if (!time) return false;
  let known = 0;
  let same = 0;
  for (let i = 0; i < examples.rows.length; i++) {
    const row = examples.rows[i];
    if (row < 0 || Number.isNaN(time[row])) continue;
    known++;
    if (time[row] >= examples.at[i] && time[row] < examples.at[i] + microsecondsPerDay) same++;
  }
  return known > 0 && same >= known * 0.95;
}

/** How far each anchor may read: microseconds, never later than the anchor. */
export type LimitOf = (at: number, i: number) => number;

/** Nothing after the anchor; with `strict` nothing of its own moment; nothing after `until` (Infinity for no bound). */
export function limitAt(task: Task, until: number): LimitOf {
  return (at) => Math.min(task.strict ? at - 1 : at, until);
}

/** Examples as questions to the feature program. */
export function anchorsOf(task: Task, tables: Tables, examples: Examples, fresh: boolean, limitOf: LimitOf): Anchors {
  const table = entityTable(task, tables);
  return {
    table,
    fresh,
    // A new row is read as it first came.
    rows: fresh ? examples.rows.map((row) => (row < 0 ? -1 : firstVersion(table, row))) : examples.rows,
    own: fresh ? examples.rows : new Int32Array(examples.rows.length).fill(-1),
    ownTable: task.entity,
    at: examples.at,
    limit: examples.at.map((at, i) => limitOf(at, i)),
  };
}

/**
 * The tables without those the task ignores, with a table of values per category, and with the known labels as one more event
 * table: a label happens when its window closes, and leads to its entity, to the company the entity kept at its anchor and
 * to the categories of its last events then. Labels that never close are left out.
 */
export function withLabels(
  task: Task,
  tables: Tables,
  examples: Examples,
  fresh: boolean,
  classes: readonly string[],
): Graph {
  const visible = withValueTables(new Map([...tables].filter(([name]) => !task.ignore.includes(name))), task.hide);
  const closed: number[] = [];
  for (let i = 0; i < examples.rows.length; i++) {
    if (examples.rows[i] >= 0 && Number.isFinite(examples.closes[i]) && !Number.isNaN(examples.labels[i]))
      closed.push(i);
  }
  if (closed.length === 0) return openGraph(visible);
  const references = new Map<string, ResolvedReference>([
    ['entity', { table: task.entity, rows: Int32Array.from(closed, (i) => examples.rows[i]) }],
  ]);
  if (!fresh) {
    const graph = openGraph(visible);
    const entity = entityTable(task, visible);
    const asked = {
      ...examples,
      rows: references.get('entity')!.rows,
      at: Float64Array.from(closed, (i) => examples.at[i]),
    };
    const anchors = anchorsOf(task, visible, asked, false, limitAt(task, task.dataUntil ?? Number.POSITIVE_INFINITY));
    const rowsOf = [...visible.values()].filter((table) => !table.values);
    for (const { events, to } of [...companyPairs(graph, rowsOf, entity), ...valuePairs(graph, entity)]) {
      const source = graph.table(events.table);
      if (source.time === undefined) continue;
      const rows = focusRows(graph, { kind: 'last', of: { kind: 'root' }, events, to }, anchors);
      // Of several ways to the same reference the nearest, which comes first.
      const name = labelReference(events, to);
      if (!references.has(name)) references.set(name, { table: source.references.get(to)!.table, rows });
    }
  }
  const isClass = task.kind === 'multiclass';
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
    rows: closed.length,
    columns: new Map<string, Column>([
      [
        'label',
        isClass
          ? { kind: 'text', codes: Int32Array.from(closed, (i) => examples.labels[i]), dictionary: classes }
          : { kind: 'number', values: Float64Array.from(closed, (i) => examples.labels[i]) },
      ],
    ]),
    rowOf: new Map(),
    references,
    time: Float64Array.from(closed, (i) => examples.closes[i]),
  };
  return openGraph(new Map([...visible, [labelsTable, labels]]));
}
