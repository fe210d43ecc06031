import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import { describeFile, readTable } from '../../lib/files/read.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import type { Notice } from '../contract/notices.ts';
import { keyValue, resolveKeys } from '../graph/keys.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { decidingObjective } from '../kinds/kinds.ts';
import { labelFileColumns, requireColumns, timeRequest } from './label-columns.ts';
import type { Task } from './task.ts';

/**
 * Anchors with or without labels, as arrays of one length. `rows`: row in the entity table (-1 when the key is unknown
 * there). `at`: the anchor. `labels`: the label (NaN without one; the class number for multiclass). `closes`: the
 * moment the label became known, which is what the label file says, or else the end of its window; Infinity when the
 * task gives no window.
 */
export type Examples = {
  readonly rows: Int32Array;
  readonly at: Float64Array;
  readonly labels: Float64Array;
  readonly closes: Float64Array;
};

/** Class names of a multiclass task in order of class number. `readExamples` appends to it. */
export type Classes = string[];

/**
 * Reads a label file with the task's key and time columns, and its label column when `labelled`. `hasOnly`: no classes
 * but those in `classes` may occur. An anchor given as a day is the start of that day. An anchor after `now`
 * (microseconds) is a warning. Of a sample of the entity's table, rows with other keys are left out. Throws Failure
 * 'invalid' naming the file, column and row, and when fewer than half of the keys of labelled rows are known.
 */
export async function readExamples(
  path: string,
  task: Task,
  tables: Tables,
  labelled: boolean,
  classes: Classes,
  warnings: Notice[],
  now = Number.POSITIVE_INFINITY,
  hasOnly = false,
): Promise<Examples> {
  const table = entityTable(task, tables);
  if (!existsSync(path)) throw new Failure('not_found', `${path} does not exist`);
  const file = basename(path);
  const keyName = table.contract.key[0];
  const keyType = table.contract.columns.find((column) => column.name === keyName)!.type;
  const labelType = decidingObjective(task.kind) === 'regression' ? ('number' as const) : ('string' as const);
  const header = (await describeFile(path)).columns.map(({ name }) => name);
  requireColumns(file, header, labelFileColumns(task, labelled));
  const read = await readTable(
    [path],
    [
      { name: task.key, type: keyType, required: true },
      { ...timeRequest(task.time, table.contract), required: true },
      ...(labelled ? [{ name: task.label, type: labelType }] : []),
      ...(labelled && task.known !== undefined ? [timeRequest(task.known, table.contract)] : []),
    ],
    {},
  );
  const bad = read.rejects[0];
  if (bad)
    throw new Failure('invalid', `${file}, row ${bad.row}${bad.column ? `, column ${bad.column}` : ''}: ${bad.reason}`);
  const { columns, rows } = read.rows;
  const keys = columns.get(task.key)!;
  const time = columns.get(task.time)!;
  const at = (time as { values: Float64Array }).values.slice();
  const found = resolveKeys(keys, rows, table.rowOf);
  const unknown = found.filter((row) => row < 0).length;
  if (labelled && !table.isSample && unknown > rows * unknownKeysMax)
    throw new Failure(
      'invalid',
      `${file}: only ${rows - unknown} of ${rows} values of ${task.key} are keys of ${table.name}.${keyName}; check entity and key of the task`,
    );
  if (unknown > 0 && !table.isSample)
    warnings.push({ code: 'unknown_keys', file, rows: unknown, of: rows, to: `${table.name}.${keyName}` });
  warnings.push(...read.warnings, ...warnOfAnchors(file, task, keys, at, now));
  const labels = labelled
    ? parseLabels(columns.get(task.label)!, rows, task, file, classes, hasOnly)
    : new Float64Array(rows).fill(Number.NaN);
  const unlabelled = labelled ? labels.reduce((count, label) => count + Number(Number.isNaN(label)), 0) : 0;
  if (unlabelled > 0) warnings.push({ code: 'unlabelled_rows', file, rows: unlabelled, of: rows, column: task.label });
  const known = labelled && task.known !== undefined ? columns.get(task.known) : undefined;
  const closes = known ? closesOf(known, at, task, file) : at.map((t) => closeOf(task, t));
  const examples = { rows: found, at, labels, closes };
  if (!table.isSample) return examples;
  return pickExamples(
    examples,
    Int32Array.from(found.keys()).filter((row) => found[row] >= 0),
  );
}

/** The moments from which labels are known; a day counts to its end. A row without one closes with its window. */
function closesOf(known: Column, at: Float64Array, task: Task, file: string): Float64Array {
  const { values } = known as { values: Float64Array };
  return at.map((anchor, row) => {
    const moment = values[row];
    if (Number.isNaN(moment)) return closeOf(task, anchor);
    // A label known at its own anchor would be read when predicting itself.
    if (!(moment > anchor))
      throw new Failure(
        'invalid',
        `${file}, row ${row + 1}, column ${task.known}: the label must be known after ${task.time}, not at it or before`,
      );
    return knownSince(moment);
  });
}

/** The moment from which a label is known that a file dates by `moment`: of a day, its end. */
export function knownSince(moment: number): number {
  return moment % microsecondsPerDay === 0 ? moment + microsecondsPerDay - 1 : moment;
}

/** When more than this share of keys is unknown, the labels are taken to belong to another table. */
const unknownKeysMax = 0.5;
const ancient = Date.UTC(1900, 0, 1) * 1000;

/** Warns about anchors that are legal but rarely intended: in the future, before 1900, or given twice for one key. */
function warnOfAnchors(file: string, task: Task, keys: Column, at: Float64Array, now: number): Notice[] {
  const count = (is: (moment: number, row: number) => boolean) =>
    at.reduce((n, moment, row) => n + Number(is(moment, row)), 0);
  const seen = new Set<string>();
  const of = { file, of: at.length };
  const repeated = count((moment, row) => seen.size === seen.add(`${moment} ${keyValue(keys, row)}`).size);
  const found = [
    { code: 'future_anchors', ...of, rows: count((moment) => moment > now), column: task.time },
    { code: 'ancient_anchors', ...of, rows: count((moment) => moment < ancient), column: task.time },
    { code: 'repeated_anchors', ...of, rows: repeated, columns: [task.key, task.time] },
  ] as const;
  return found.filter(({ rows }) => rows > 0);
}

function closeOf(task: Task, at: number): number {
  return task.windowDays === undefined ? Number.POSITIVE_INFINITY : at + task.windowDays * microsecondsPerDay;
}

/** The table the task predicts for. Throws Failure 'invalid' when the contract has none, or it has no single key. */
export function entityTable(task: Pick<Task, 'name' | 'entity'> & Partial<Pick<Task, 'key'>>, tables: Tables): Table {
  const table = tables.get(task.entity);
  if (!table)
    throw new Failure(
      'invalid',
      `task ${task.name}: entity ${task.entity} is not a table of the contract (${[...tables.keys()].join(', ')})`,
    );
  if (table.contract.key.length !== 1) {
    const wanted = task.key !== undefined && table.columns.has(task.key) ? task.key : 'the column that names its rows';
    throw new Failure(
      'invalid',
      `task ${task.name}: table ${table.name} has no key of one column; remove the rows that repeat ${wanted}, or make it the primaryKey in contract.yaml`,
    );
  }
  return table;
}

/** Training makes a tree per class and round, and a probability per class and row: free text would fill the memory. */
export const classesMax = 1_000;
/** In English and Portuguese. */
const trueWords = new Set(['1', '1.0', 'true', 't', 'yes', 'y', 'sim', 's', 'verdadeiro']);
const falseWords = new Set(['0', '0.0', 'false', 'f', 'no', 'n', 'não', 'nao', 'falso']);

function parseLabels(
  column: Column,
  rows: number,
  task: Task,
  file: string,
  classes: Classes,
  hasOnly: boolean,
): Float64Array {
  if (column.kind !== 'text') return Float64Array.from(column.values);
  const labels = new Float64Array(rows).fill(Number.NaN);
  const isClass = decidingObjective(task.kind) === 'multiclass';
  for (let row = 0; row < rows; row++) {
    const value = keyValue(column, row);
    if (value === null) continue;
    const text = String(value).trim();
    if (isClass && !hasOnly && text !== '' && !classes.includes(text) && classes.push(text) > classesMax)
      throw new Failure(
        'invalid',
        `${file}, row ${row + 1}, column ${task.label}: more than ${classesMax} different labels; name at most so many classes, or predict a number (kind: regression)`,
      );
    labels[row] = labelOf(text, isClass ? classes : null);
    if (Number.isNaN(labels[row]))
      throw new Failure(
        'invalid',
        `${file}, row ${row + 1}, column ${task.label}: expected ${expectedLabel(isClass ? classes : null, hasOnly)}, found ${JSON.stringify(text.slice(0, 80))}`,
      );
  }
  return labels;
}

/** The label that a text stands for: the number of a class, or 0 or 1 where `classes` is null. NaN for another text. */
export function labelOf(text: string, classes: readonly string[] | null): number {
  if (classes) {
    const code = classes.indexOf(text.trim());
    return code < 0 ? Number.NaN : code;
  }
  const word = text.trim().toLowerCase();
  return trueWords.has(word) ? 1 : falseWords.has(word) ? 0 : Number.NaN;
}

/** What a text of a label must be, in words. `hasOnly`: there are no classes but these. */
export function expectedLabel(classes: readonly string[] | null, hasOnly: boolean): string {
  if (!classes) return '0 or 1';
  return hasOnly ? `one of ${classes.join(', ')}` : 'the name of a class';
}

/** Examples at the given positions. */
export function pickExamples(examples: Examples, positions: ArrayLike<number>): Examples {
  const pick = <A extends Float64Array | Int32Array>(from: A, into: A) => {
    for (let k = 0; k < positions.length; k++) into[k] = from[positions[k]];
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
