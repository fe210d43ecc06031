import { microsecondsPerDay, type TableContract } from '../contract/contract.ts';
import { type Anchors, focusRows } from '../features/evaluate.ts';
import { labelsTable } from '../features/feature.ts';
import { type Graph, openGraph } from '../features/graph.ts';
import { companyPairs } from '../features/propose.ts';
import type { ResolvedReference, Table, Tables } from '../graph/tables.ts';
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
  return {
    table: entityTable(task, tables),
    fresh,
    rows: examples.rows,
    own: fresh ? examples.rows : new Int32Array(examples.rows.length).fill(-1),
    ownTable: task.entity,
    at: examples.at,
    limit: examples.at.map((at, i) => limitOf(at, i)),
  };
}

/**
 * The tables without those the task ignores, with known labels as one more event table: a label happens when its window
 * closes, and leads to its entity and to the company the entity kept at its anchor. Labels that never close are left out.
 */
export function withLabels(task: Task, tables: Tables, examples: Examples, fresh: boolean): Graph {
  const visible = new Map([...tables].filter(([name]) => !task.ignore.includes(name)));
  const closed: number[] = [];
  for (let i = 0; i < examples.rows.length; i++) {
    if (examples.rows[i] >= 0 && Number.isFinite(examples.closes[i]) && !Number.isNaN(examples.labels[i]))
      closed.push(i);
  }
  if (closed.length === 0 || task.kind === 'multiclass') return openGraph(visible);
  const references = new Map<string, ResolvedReference>([
    ['entity', { table: task.entity, rows: Int32Array.from(closed, (i) => examples.rows[i]) }],
  ]);
  const graph = openGraph(visible);
  const entity = entityTable(task, tables);
  if (!fresh) {
    const anchors = anchorsOf(
      task,
      tables,
      { ...examples, rows: references.get('entity')!.rows, at: Float64Array.from(closed, (i) => examples.at[i]) },
      false,
      limitAt(task, task.dataUntil ?? Number.POSITIVE_INFINITY),
    );
    for (const { events, to, company } of companyPairs(graph, [...visible.values()], entity)) {
      if (graph.table(events.table).time === undefined) continue;
      const rows = focusRows(graph, { kind: 'last', of: { kind: 'root' }, events, to }, anchors);
      references.set(`${events.table}.${to}`, { table: company.name, rows });
    }
  }
  const contract: TableContract = {
    name: labelsTable,
    key: [],
    references: [],
    columns: [
      { name: 'label', type: 'number', required: true, unique: false, planned: false, mutable: false, pii: false },
    ],
  };
  const labels: Table = {
    contract,
    name: labelsTable,
    rows: closed.length,
    columns: new Map([['label', { kind: 'number', values: Float64Array.from(closed, (i) => examples.labels[i]) }]]),
    rowOf: new Map(),
    references,
    time: Float64Array.from(closed, (i) => examples.closes[i]),
  };
  return openGraph(new Map([...visible, [labelsTable, labels]]));
}
