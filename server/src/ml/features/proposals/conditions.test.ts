import { expect, test } from 'vitest';
import { at, type Data, day, sampleContract, sampleTables } from '../../../../tests/samples.ts';
import { parseTask } from '../../tasks/parse-task.ts';
import { resolveTask } from '../../tasks/resolve.ts';
import { openGraph } from '../graph.ts';
import { proposeFeatures } from './propose-features.ts';

const contract = sampleContract([
  { name: 'patient', key: 'patient_id', columns: { patient_id: 'integer' } },
  { name: 'item', key: 'item_id', columns: { item_id: 'integer', name: 'string' } },
  {
    name: 'exam',
    time: 'taken',
    references: { patient_id: 'patient', item_id: 'item' },
    columns: {
      patient_id: 'integer',
      item_id: 'integer',
      taken: 'date',
      kind: 'string',
      ward: 'string',
      found: { type: 'string', knownFrom: 'told' },
      told: 'date',
      result: 'number',
    },
  },
]);
const item = ['sodium', 'iron', 'zinc'].map((name, item_id) => ({ item_id, name }));
const start = at('2024-01-01');
const cut = at('2024-06-01');

type Exam = { patient_id: number; item_id: number; taken: number; result: number } & Record<string, number | string>;

/**
 * Sixty patients have four exams each, two of each of two items; ten of them also have one of a third. Results differ
 * by item.
 */
function exams(change: (exam: Exam, k: number) => Partial<Exam> = () => ({})): Exam[] {
  const asked = Array.from({ length: 60 }, (_, patient_id) => [0, 1, 0, 1, ...(patient_id < 10 ? [2] : [])]);
  return asked
    .flatMap((items, patient_id) => items.map((item_id) => ({ patient_id, item_id })))
    .map(({ patient_id, item_id }, k) => {
      const exam = { patient_id, item_id, taken: start + (k % 100) * day, result: [10, 100, 1000][item_id] + (k % 7) };
      return { ...exam, ...change(exam, k) };
    });
}

/** The values of events for which numbers are read separately, as `place is value`. */
function conditionsOf(exam: Data[string], until = cut, hide: readonly string[] = []): string[] {
  const text = `entity: patient\nkey: patient_id\nlabel: y\nkind: binary\nhide: [${hide.join()}]\n`;
  const task = resolveTask(parseTask(text, 'ill', 'task.yaml'), contract, 'task.yaml');
  const patient = Array.from({ length: 60 }, (_, patient_id) => ({ patient_id }));
  const tables = sampleTables(contract, { patient, item, exam });
  const rows = Int32Array.from(patient.keys());
  const moment = new Float64Array(rows.length).fill(until);
  const asked = { table: tables.get('patient')!, fresh: false, rows, own: rows.map(() => -1), ownTable: 'patient' };
  const { features } = proposeFeatures(openGraph(tables), task, { ...asked, at: moment, readableUntil: moment }, until);
  const told = features.flatMap(({ read }) => {
    const when = read.kind === 'number' ? read.events.when : undefined;
    return when ? [`${[...when.path, when.column].join('.')} is ${when.value}`] : [];
  });
  return [...new Set(told)].sort();
}

const kindOf = ({ item_id }: Exam) => ({ kind: ['Na', 'Fe', 'Zn'][item_id] });

test('a number that a category tells apart is read for each of its values that most have', () => {
  expect(conditionsOf(exams(kindOf))).toEqual(['kind is Fe', 'kind is Na']);
});

test('what a row refers to may tell a number apart', () => {
  expect(conditionsOf(exams())).toEqual(['item_id.name is iron', 'item_id.name is sodium']);
});

test('of several categories the one counts that tells most', () => {
  const coarse = ({ item_id, patient_id }: Exam) => ({ kind: item_id === 0 || patient_id % 4 === 0 ? 'low' : 'high' });
  expect(conditionsOf(exams(coarse))).toEqual(['item_id.name is iron', 'item_id.name is sodium']);
});

test('of very many rows some tell, also where kinds come in turn', () => {
  const many = Array.from({ length: 60_000 }, (_, k) => {
    const item_id = k % 3;
    return { patient_id: Math.floor(k / 1000), item_id, taken: start, result: 100 * item_id + (k % 7) };
  });
  expect(conditionsOf(many)).toEqual(['item_id.name is iron', 'item_id.name is sodium', 'item_id.name is zinc']);
});

test('a category that tells little of a number leaves it whole', () => {
  const none = exams((_, k) => ({ ward: k % 3 === 0 ? 'north' : 'south', result: (k * 37) % 101 }));
  expect(conditionsOf(none)).toEqual([]);
});

test('a few numbers beyond all measure do not hide what a category tells', () => {
  const wild = exams((exam, k) => ({ ...kindOf(exam), ...(k % 50 === 0 ? { result: 1e12 } : {}) }));
  expect(conditionsOf(wild)).toEqual(['kind is Fe', 'kind is Na']);
});

test('a category that writes numbers itself, or of which one value is left, tells nothing apart', () => {
  const hidden = ['item.name'];
  const asPlace = ({ item_id }: Exam) => ({ kind: ['1', '2', 'none'][item_id] });
  expect(conditionsOf(exams(asPlace), cut, hidden)).toEqual([]);
  const oneLeft = exams((exam, k) => ({
    ...kindOf(exam),
    ...(exam.item_id === 1 && k > 30 ? { result: Number.NaN } : {}),
  }));
  expect(conditionsOf(oneLeft, cut, hidden)).toEqual([]);
});

test('a hidden category is not read', () => {
  expect(conditionsOf(exams(kindOf), cut, ['exam.kind', 'item.name'])).toEqual([]);
});

test('only what is known at the cut says which values are read', () => {
  const foundOf = (told: number) => (exam: Exam) => ({ found: kindOf(exam).kind, told });
  expect(conditionsOf(exams(foundOf(cut - day)), cut, ['item.name'])).toEqual(['found is Fe', 'found is Na']);
  expect(conditionsOf(exams(foundOf(cut)), cut, ['item.name'])).toEqual([]);
  const later = exams(kindOf).map((exam) => ({ ...exam, taken: cut + day, kind: 'other', result: 1 }));
  expect(conditionsOf([...exams(kindOf), ...later])).toEqual(['kind is Fe', 'kind is Na']);
});
