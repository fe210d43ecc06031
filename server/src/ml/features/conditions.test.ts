import { expect, test } from 'vitest';
import { at, day, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { evaluate } from './evaluate.ts';
import type { Aggregate, Condition, Feature } from './feature.ts';
import { openGraph } from './graph.ts';

const contract = sampleContract([
  { name: 'patient', key: 'patient_id', columns: { patient_id: 'integer' } },
  {
    name: 'exam',
    time: 'taken',
    references: { patient_id: 'patient' },
    columns: {
      patient_id: 'integer',
      taken: 'date',
      item: 'string',
      found: { type: 'string', knownFrom: 'told' },
      told: 'date',
      result: { type: 'number', knownFrom: 'sent' },
      sent: 'date',
    },
  },
]);
const start = at('2024-01-01');

type Exam = Partial<Record<'item' | 'found', string> & Record<'told' | 'sent' | 'result', number>> & { taken: number };

/** Reads one aggregate of a number of one patient's exams at each of the moments. */
function readAt(
  exams: readonly Exam[],
  when: Condition,
  aggregate: Aggregate,
  moments: readonly number[],
  last?: number,
): number[] {
  const exam = exams.map((row) => ({ patient_id: 1, item: null, found: null, told: null, result: null, ...row }));
  const tables = sampleTables(contract, {
    patient: [{ patient_id: 1 }],
    exam: exam.map((row) => ({ sent: row.taken, ...row })),
  });
  const feature: Feature = {
    focus: { kind: 'root' },
    read: {
      kind: 'number',
      events: { table: 'exam', via: ['patient_id'], when },
      signal: { kind: 'column', path: [], column: 'result' },
      span: last === undefined ? { all: true } : { last },
      aggregate,
    },
  };
  const rows = new Int32Array(moments.length);
  const asked = { table: tables.get('patient')!, fresh: false, rows, own: rows.map(() => -1), ownTable: 'patient' };
  const readableUntil = Float64Array.from(moments);
  return [...evaluate(openGraph(tables), [feature], { ...asked, at: readableUntil, readableUntil }).values];
}

const sodium: Condition = { path: [], column: 'item', value: 'sodium' };

test('the newest number of a value is found behind any number of others, and its last ones are its own', () => {
  const exams = Array.from({ length: 300 }, (_, k) => ({
    taken: start + k * day,
    item: k < 5 ? 'sodium' : 'iron',
    result: k,
  }));
  const late = [start + 400 * day];
  expect(readAt(exams, sodium, 'last', late)).toEqual([4]);
  expect(readAt(exams, sodium, 'trend', late)).toEqual([2]);
  expect(readAt(exams, sodium, 'mean', late, 3)).toEqual([3]);
  expect(readAt(exams, { ...sodium, value: 'never seen' }, 'last', late)).toEqual([Number.NaN]);
});

test('a value that is filled in later counts from then on, and its number from the later of both', () => {
  const ill: Condition = { path: [], column: 'found', value: 'ill' };
  const exams = [
    { taken: start, found: 'ill', told: start + 10 * day, result: 7, sent: start + 2 * day },
    { taken: start, found: 'ill', told: start + 4 * day, result: 1, sent: start + 20 * day },
    { taken: start, found: 'well', told: start, result: 100 },
    { taken: start, found: 'ill', result: 1000 },
  ];
  const days = [3, 9, 12, 19, 22];
  const moments = days.map((after) => start + after * day);
  expect(readAt(exams, ill, 'sum', moments)).toEqual([Number.NaN, Number.NaN, 7, 7, 8]);
});
