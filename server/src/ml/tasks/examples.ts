import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import { readTable } from '../../lib/files/read.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { endOfDay, keyValue, resolveKeys } from '../graph/load.ts';
import type { KeyValue, Table, Tables } from '../graph/tables.ts';
import type { Task } from './task.ts';

/**
 * Anchors with or without labels. `rows` count in the entity table (-1 where the key is unknown there), `at` is the
 * anchor, `labels` the label (NaN without one; the class number for multiclass), all of one length. `closes` is the moment the
 * label became known: the end of its window, Infinity where the task gives none.
 */
export type Examples = {
  readonly rows: Int32Array;
  readonly at: Float64Array;
  readonly labels: Float64Array;
  readonly closes: Float64Array;
};

/** Class names of a multiclass task in order of number; grown by `readExamples`. */
export type Classes = string[];

/**
 * Reads a label file with the task's key and time columns, and its label column when `labelled`.
 * An anchor given as a day is the start of that day; one after `now` (microseconds) is a warning. Throws Failure 'invalid'
 * naming the file, column and row, or when labels are of keys of which fewer than half are known.
 */
export async function readExamples(
  path: string,
  task: Task,
  tables: Tables,
  labelled: boolean,
  classes: Classes,
  warnings: string[],
  now = Number.POSITIVE_INFINITY,
): Promise<Examples> {
  const table = entityTable(task, tables);
  if (!existsSync(path)) throw new Failure('not_found', `${path} does not exist`);
  const file = basename(path);
  const keyName = table.contract.key[0]!;
  const keyType = table.contract.columns.find((column) => column.name === keyName)!.type;
  const labelType = task.kind === 'regression' ? ('number' as const) : ('string' as const);
  const read = await readTable(
    [path],
    [
      { name: task.key, type: keyType, required: true },
      { name: task.time, type: 'timestamp', required: true },
      ...(labelled ? [{ name: task.label, type: labelType }] : []),
    ],
    {},
  );
  const bad = read.rejects[0];
  if (bad)
    throw new Failure('invalid', `${file}, row ${bad.row}${bad.column ? `, column ${bad.column}` : ''}: ${bad.reason}`);
  if (labelled && !read.presentColumns.includes(task.label))
    throw new Failure(
      'invalid',
      `${file}: the label column ${task.label} is absent; it has ${read.unknownColumns.join(', ')}`,
    );
  const { columns, rows } = read.rows;
  const keys = columns.get(task.key)!;
  const time = columns.get(task.time)!;
  const at = (time as { values: Float64Array }).values.slice();
  const found = resolveKeys(keys, rows, table.rowOf);
  const unknown = found.filter((row) => row < 0).length;
  if (labelled && unknown > rows * unknownKeysMax)
    throw new Failure(
      'invalid',
      `${file}: only ${rows - unknown} of ${rows} values of ${task.key} are keys of ${table.name}.${keyName}; check entity and key of the task`,
    );
  if (unknown > 0) warnings.push(`${file}: ${unknown} of ${rows} keys are not in ${table.name}.${keyName}`);
  warnings.push(...read.warnings, ...warnOfAnchors(file, task, keys, at, now));
  const labels = labelled
    ? parseLabels(columns.get(task.label)!, rows, task, file, classes)
    : new Float64Array(rows).fill(Number.NaN);
  const unlabelled = labelled ? labels.reduce((count, label) => count + Number(Number.isNaN(label)), 0) : 0;
  if (unlabelled > 0)
    warnings.push(`${file}: ${unlabelled} of ${rows} rows have no ${task.label} and are not learned from`);
  return { rows: found, at, labels, closes: at.map((t) => closeOf(task, t)) };
}

/** Past this share of unknown keys the labels are taken for another table's. */
const unknownKeysMax = 0.5;
const ancient = Date.UTC(1900, 0, 1) * 1000;

/** Names anchors that are legal and yet rarely meant: in the future, before 1900, or given twice for one key. */
function warnOfAnchors(file: string, task: Task, keys: Column, at: Float64Array, now: number): string[] {
  const count = (is: (moment: number, row: number) => boolean) =>
    at.reduce((n, moment, row) => n + Number(is(moment, row)), 0);
  const seen = new Set<string>();
  const found: readonly (readonly [number, string])[] = [
    [count((moment) => moment > now), `have a ${task.time} in the future`],
    [count((moment) => moment < ancient), `have a ${task.time} before 1900`],
    [
      count((moment, row) => seen.size === seen.add(`${moment} ${keyValue(keys, row)}`).size),
      `repeat ${task.key} and ${task.time} of an earlier row`,
    ],
  ];
  return found.filter(([rows]) => rows > 0).map(([rows, what]) => `${file}: ${rows} of ${at.length} rows ${what}`);
}

function closeOf(task: Task, at: number): number {
  return task.windowDays === undefined ? Number.POSITIVE_INFINITY : at + task.windowDays * microsecondsPerDay;
}

/** The table the task predicts for. Throws Failure 'invalid' when the contract has none, or it has no single key. */
export function entityTable(task: Task, tables: Tables): Table {
  const table = tables.get(task.entity);
  if (!table)
    throw new Failure(
      'invalid',
      `task ${task.name}: entity ${task.entity} is not a table of the contract (${[...tables.keys()].join(', ')})`,
    );
  if (table.contract.key.length !== 1) {
    const wanted = table.columns.has(task.key) ? task.key : 'the column that names its rows';
    throw new Failure(
      'invalid',
      `task ${task.name}: table ${table.name} has no key of one column; remove the rows that repeat ${wanted}, or make it the primaryKey in contract.yaml`,
    );
  }
  return table;
}

const trueWords = new Set(['1', '1.0', 'true', 't', 'yes', 'y']);
const falseWords = new Set(['0', '0.0', 'false', 'f', 'no', 'n']);

function parseLabels(column: Column, rows: number, task: Task, file: string, classes: Classes): Float64Array {
  if (column.kind !== 'text') return column.values.slice();
  const labels = new Float64Array(rows).fill(Number.NaN);
  for (let row = 0; row < rows; row++) {
    const value = keyValue(column, row);
    if (value === null) continue;
    const text = String(value).trim();
    if (task.kind === 'multiclass' && text !== '') {
      let code = classes.indexOf(text);
      if (code < 0) code = classes.push(text) - 1;
      labels[row] = code;
    } else if (trueWords.has(text.toLowerCase())) labels[row] = 1;
    else if (falseWords.has(text.toLowerCase())) labels[row] = 0;
    if (Number.isNaN(labels[row]!)) {
      const expected = task.kind === 'multiclass' ? 'the name of a class' : '0 or 1';
      throw new Failure(
        'invalid',
        `${file}, row ${row + 1}, column ${task.label}: expected ${expected}, found ${JSON.stringify(text.slice(0, 80))}`,
      );
    }
  }
  return labels;
}

/** Examples at the given positions. */
export function pickExamples(examples: Examples, positions: ArrayLike<number>): Examples {
  const pick = <A extends Float64Array | Int32Array>(from: A, into: A) => {
    for (let k = 0; k < positions.length; k++) into[k] = from[positions[k]!]!;
    return into;
  };
  const n = positions.length;
  return {
    rows: pick(examples.rows, new Int32Array(n)),
    at: pick(examples.at, new Float64Array(n)),
    labels: pick(examples.labels, new Float64Array(n)),
    closes: pick(examples.closes, new Float64Array(n)),
  };
}

export function joinExamples(...parts: readonly Examples[]): Examples {
  const n = parts.reduce((sum, part) => sum + part.rows.length, 0);
  const joined = {
    rows: new Int32Array(n),
    at: new Float64Array(n),
    labels: new Float64Array(n),
    closes: new Float64Array(n),
  };
  let from = 0;
  for (const part of parts) {
    joined.rows.set(part.rows, from);
    joined.at.set(part.at, from);
    joined.labels.set(part.labels, from);
    joined.closes.set(part.closes, from);
    from += part.rows.length;
  }
  return joined;
}

/** Past this many anchors a layout is thinned to every so many entities: more would not change a model, only its cost. */
const layoutAnchorsMax = 60_000;

/**
 * Lays out anchors and labels them from future rows, one Examples per horizon (same anchors, in the same order).
 * An entity counts from the first target row of its that was readable; labels whose window ends after the last dated
 * row are left out, since their end is not known.
 */
export function layOutExamples(task: Task, tables: Tables): Examples[] {
  const { target, anchors } = task;
  if (!target || !anchors)
    throw new Failure('invalid', `task ${task.name} has neither label files nor a target with anchors`);
  const entities = entityTable(task, tables);
  const table = tables.get(target.table);
  if (!table) throw new Failure('invalid', `task ${task.name}: target table ${target.table} is not in the contract`);
  const owner = ownerRows(task, tables, table, target.reference);
  const { dates, weights } = targetEvents(task, table);
  const events = new Map<number, { date: number; weight: number }[]>();
  const since = new Float64Array(entities.rows).fill(Number.POSITIVE_INFINITY);
  let last = Number.NEGATIVE_INFINITY;
  for (const each of tables.values()) for (const moment of each.time ?? []) if (moment > last) last = moment;
  for (let row = 0; row < table.rows; row++) {
    const entity = owner[row]!;
    if (entity < 0) continue;
    const readable = (table.versions?.from ?? table.time)?.[row] ?? Number.NEGATIVE_INFINITY;
    if (readable < since[entity]!) since[entity] = readable;
    if (Number.isNaN(dates[row]!) || isSuperseded(table, row)) continue;
    const list = events.get(entity);
    if (list) list.push({ date: dates[row]!, weight: weights[row]! });
    else events.set(entity, [{ date: dates[row]!, weight: weights[row]! }]);
  }
  const step = anchors.everyDays * microsecondsPerDay;
  const moments: number[] = [];
  for (let at = anchors.from; at <= anchors.until; at += step) moments.push(at);
  let size = 0;
  for (const at of moments) for (let entity = 0; entity < entities.rows; entity++) if (since[entity]! <= at) size++;
  const stride = Math.max(1, Math.ceil(size / layoutAnchorsMax));
  const rows: number[] = [];
  const at: number[] = [];
  for (const [m, moment] of moments.entries()) {
    // The start moves with the moment, so that thinning visits every entity in turn.
    for (let entity = m % stride; entity < entities.rows; entity += stride) {
      if (since[entity]! <= moment) {
        rows.push(entity);
        at.push(moment);
      }
    }
  }
  return target.horizonsDays.map((days) => {
    const window = days * microsecondsPerDay;
    const labels = Float64Array.from(rows, (entity, i) => {
      if (at[i]! + window > last) return Number.NaN;
      let value = 0;
      for (const { date, weight } of events.get(entity) ?? []) {
        if (date > at[i]! && date <= at[i]! + window) value += weight;
      }
      return target.aggregate === 'exists' ? Math.min(value, 1) : value;
    });
    return {
      rows: Int32Array.from(rows),
      at: Float64Array.from(at),
      labels,
      closes: Float64Array.from(at, (t) => t + window),
    };
  });
}

/** Whether a later version of the row was sent: what happened is told by the last. */
function isSuperseded({ versions }: Table, row: number): boolean {
  return (
    versions !== undefined && (versions.until[row]! < Number.POSITIVE_INFINITY || !Number.isFinite(versions.from[row]!))
  );
}

function ownerRows(task: Task, tables: Tables, table: Table, path: readonly string[]): Int32Array {
  const rows = new Int32Array(table.rows).map((_, row) => row);
  let from = table;
  for (const step of path) {
    const reference = from.references.get(step);
    if (!reference) throw new Failure('invalid', `task ${task.name}: ${step} is not a reference of ${from.name}`);
    for (let row = 0; row < rows.length; row++) rows[row] = rows[row]! < 0 ? -1 : reference.rows[rows[row]!]!;
    from = tables.get(reference.table)!;
  }
  if (from.name !== task.entity)
    throw new Failure('invalid', `task ${task.name}: ${path.join('.')} leads to ${from.name}, not to ${task.entity}`);
  return rows;
}

/** When the target event of each row happened (NaN: it did not), and what it counts for. */
function targetEvents(task: Task, table: Table): { dates: Float64Array; weights: Float64Array } {
  const { event, aggregate } = task.target!;
  const columnOf = (name: string) => {
    const column = table.columns.get(name);
    if (!column) throw new Failure('invalid', `task ${task.name}: ${name} is not a column of ${table.name}`);
    return column;
  };
  const weights = new Float64Array(table.rows).fill(1);
  if (typeof aggregate === 'object') {
    const column = columnOf(aggregate.sum);
    if (column.kind !== 'number') throw new Failure('invalid', `task ${task.name}: ${aggregate.sum} is not numeric`);
    for (let row = 0; row < table.rows; row++) weights[row] = column.values[row]! || 0;
  }
  if (event.kind === 'overdue') {
    const due = columnOf(event.due);
    const paid = columnOf(event.paid);
    if (due.kind !== 'time' || paid.kind !== 'time')
      throw new Failure('invalid', `task ${task.name}: ${event.due} and ${event.paid} must be dates`);
    const dates = endOfDay(due.values.map((day) => day + event.days * microsecondsPerDay));
    return {
      dates: dates.map((date, row) => (endOfDay(paid.values.subarray(row, row + 1))[0]! <= date ? Number.NaN : date)),
      weights,
    };
  }
  const time = table.time;
  if (!time) throw new Failure('invalid', `task ${task.name}: target table ${table.name} has no event time`);
  if (event.kind === 'any') return { dates: time, weights };
  const column = columnOf(event.column);
  const wanted = { number: 'a number', text: 'a text in quotes', time: '' }[column.kind];
  if ((column.kind === 'number') !== (typeof event.value === 'number') || wanted === '')
    throw new Failure(
      'invalid',
      `task ${task.name}: where compares ${table.name}.${event.column} with ${JSON.stringify(event.value)}; ${wanted === '' ? 'dates cannot be compared' : `it takes ${wanted}`}`,
    );
  return {
    dates: time.map((moment, row) => (holds(keyValue(column, row), event.is, event.value) ? moment : Number.NaN)),
    weights,
  };
}

function holds(left: KeyValue | null, is: string, right: string | number): boolean {
  if (left === null) return false;
  if (is === '=') return left === right;
  if (is === '!=') return left !== right;
  if (is === '>') return left > right;
  if (is === '>=') return left >= right;
  return is === '<' ? left < right : left <= right;
}
