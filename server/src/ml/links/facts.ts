// Dated facts (subject, relation, object) of a graph as periods. One period after the other is asked about and then
// becomes history.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { type NumberColumn, type TextColumn, toDoubles } from '../../lib/files/column.ts';
import { readTable } from '../../lib/files/read.ts';

/**
 * Facts of one moment, sorted by (subject, relation, object), as parallel arrays: entities in [0, entities), relations
 * in [0, relations). `time` is in steps since the first moment of the graph.
 */
export type Period = {
  readonly time: number;
  readonly subjects: Int32Array;
  readonly relations: Int32Array;
  readonly objects: Int32Array;
};

/** A graph split in time: every period of `train` lies before those of `valid`, and these before those of `test`. */
export type TemporalGraph = {
  readonly entities: number;
  readonly relations: number;
  /** The length of one step in units of the files' timestamps: the median gap between the moments of train. */
  readonly step: number;
  readonly train: readonly Period[];
  readonly valid: readonly Period[];
  readonly test: readonly Period[];
  readonly warnings: readonly string[];
};

/**
 * A question at a moment: which are the objects of (subject, relation, ?). Relations are in [0, 2 · relations); the
 * upper half are the inverse relations, which ask for subjects. `truths` are ascending; a fact that a file repeats is
 * repeated in them.
 */
export type LinkQuestion = { readonly subject: number; readonly relation: number; readonly truths: Int32Array };

/** The inverse of a relation: the same fact seen from its other end. relation: [0, 2 · relations). */
export function inverseOf(relation: number, relations: number): number {
  return relation < relations ? relation + relations : relation - relations;
}

/** The questions that a period's facts answer, from both ends, sorted by (subject, relation). */
export function questionsOf({ subjects, relations, objects }: Period, relationCount: number): LinkQuestion[] {
  const rows = subjects.length;
  const from = Int32Array.from({ length: 2 * rows }, (_, i) => (i < rows ? subjects[i] : objects[i - rows]));
  const to = Int32Array.from({ length: 2 * rows }, (_, i) => (i < rows ? objects[i] : subjects[i - rows]));
  const by = Int32Array.from({ length: 2 * rows }, (_, i) =>
    i < rows ? relations[i] : inverseOf(relations[i - rows], relationCount),
  );
  const order = Int32Array.from({ length: 2 * rows }, (_, i) => i).sort(
    (a, b) => from[a] - from[b] || by[a] - by[b] || to[a] - to[b],
  );
  const questions: LinkQuestion[] = [];
  for (let start = 0; start < order.length; ) {
    const [subject, relation] = [from[order[start]], by[order[start]]];
    let end = start;
    while (end < order.length && from[order[end]] === subject && by[order[end]] === relation) end++;
    questions.push({ subject, relation, truths: Int32Array.from(order.subarray(start, end), (i) => to[i]) });
    start = end;
  }
  return questions;
}

/** Groups facts in any order into periods, one per distinct time, ascending. times: any numbers. */
export function periodsOf(
  subjects: ArrayLike<number>,
  relations: ArrayLike<number>,
  objects: ArrayLike<number>,
  times: ArrayLike<number>,
): Period[] {
  const order = Int32Array.from({ length: times.length }, (_, i) => i).sort(
    (a, b) =>
      times[a] - times[b] || subjects[a] - subjects[b] || relations[a] - relations[b] || objects[a] - objects[b],
  );
  const periods: Period[] = [];
  for (let start = 0; start < order.length; ) {
    const time = times[order[start]];
    let end = start;
    while (end < order.length && times[order[end]] === time) end++;
    const own = order.subarray(start, end);
    periods.push({
      time,
      subjects: Int32Array.from(own, (i) => subjects[i]),
      relations: Int32Array.from(own, (i) => relations[i]),
      objects: Int32Array.from(own, (i) => objects[i]),
    });
    start = end;
  }
  return periods;
}

const parts = ['train', 'valid', 'test'] as const;

/**
 * Reads a folder with train.csv, valid.csv and test.csv: columns subject, relation and object (any texts) and timestamp
 * (a number). entities.csv (entity_id) and relations.csv (relation_id), if present, list further entities and relations
 * that facts may have. Numbers are assigned in the order of these files, then by first appearance. Throws Failure
 * 'invalid' for a row that cannot be read, an empty file, or parts that do not follow each other in time.
 */
export async function readGraph(folder: string): Promise<TemporalGraph> {
  const warnings: string[] = [];
  const entities = await readNames(join(folder, 'entities.csv'), 'entity_id');
  const relations = await readNames(join(folder, 'relations.csv'), 'relation_id');
  const named = { entities: entities.size, relations: relations.size };
  const raw = [];
  for (const part of parts) raw.push(await readPart(join(folder, `${part}.csv`), entities, relations));
  for (const [noun, names] of [['entities', entities] as const, ['relations', relations] as const])
    if (named[noun] > 0 && names.size > named[noun])
      warnings.push(`${noun}.csv lacks ${names.size - named[noun]} of the ${noun} that the facts hold`);

  const ends = raw.map(({ times }) => ({ first: extreme(times, Math.min), last: extreme(times, Math.max) }));
  for (const at of [1, 2])
    if (ends[at].first <= ends[at - 1].last)
      throw new Failure(
        'invalid',
        `${parts[at]}.csv begins at ${ends[at].first}, which is not after the end of ${parts[at - 1]}.csv at ${ends[at - 1].last}; split the facts in time`,
      );
  const step = medianGap(raw[0].times);
  const [train, valid, test] = raw.map(({ subjects, predicates, objects, times }) =>
    periodsOf(
      subjects,
      predicates,
      objects,
      times.map((time) => (time - ends[0].first) / step),
    ),
  );
  return { entities: entities.size, relations: relations.size, step, train, valid, test, warnings };
}

async function readNames(path: string, column: string): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  if (!existsSync(path)) return numbers;
  const { rows } = await readTable([path], [{ name: column, type: 'string', required: true }]);
  const { dictionary } = rows.columns.get(column) as TextColumn;
  for (const name of dictionary) numbers.set(name, numbers.size);
  return numbers;
}

async function readPart(path: string, entities: Map<string, number>, relations: Map<string, number>) {
  if (!existsSync(path))
    throw new Failure('invalid', `${path} is missing; a graph is train.csv, valid.csv and test.csv`);
  const { rows, rejects, rejectedTotal } = await readTable(
    [path],
    [
      ...['subject', 'relation', 'object'].map((name) => ({ name, type: 'string' as const, required: true })),
      { name: 'timestamp', type: 'number', required: true, isStrict: true },
    ],
  );
  if (rejectedTotal > 0) {
    const [{ file, row, column, reason }] = rejects;
    throw new Failure(
      'invalid',
      `${file}, row ${row}${column === null ? '' : `, column ${column}`}: ${reason}; ${rejectedTotal} rows cannot be read`,
    );
  }
  if (rows.rows === 0) throw new Failure('invalid', `${path} holds no facts`);
  return {
    subjects: numberTexts(rows.columns.get('subject') as TextColumn, entities),
    predicates: numberTexts(rows.columns.get('relation') as TextColumn, relations),
    objects: numberTexts(rows.columns.get('object') as TextColumn, entities),
    times: toDoubles((rows.columns.get('timestamp') as NumberColumn).values),
  };
}

/** The numbers of a column's texts. A text without a number gets the next one. */
function numberTexts({ codes, dictionary }: TextColumn, numbers: Map<string, number>): Int32Array {
  const ofCode = Int32Array.from(dictionary, (text) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  });
  return codes.map((code) => ofCode[code]);
}

function extreme(values: Float64Array, pick: (a: number, b: number) => number): number {
  return values.reduce((a, b) => pick(a, b));
}

/** The median gap between distinct moments; 1 when there is only one moment. */
function medianGap(times: Float64Array): number {
  const moments = [...new Set(times)].sort((a, b) => a - b);
  const gaps = moments.slice(1).map((moment, i) => moment - moments[i]);
  return gaps.length === 0 ? 1 : gaps.sort((a, b) => a - b)[gaps.length >> 1];
}
