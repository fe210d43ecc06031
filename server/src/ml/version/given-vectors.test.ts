import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, day, draws, type Row, sampleRows } from '../../../tests/samples.ts';
import { buyersContract, buyersTables } from '../../../tests/support/samples/rfm.ts';
import { openDuckDb } from '../../lib/duckdb/duckdb.ts';
import { type NumberColumn, type Rows, type TextColumn, textColumn } from '../../lib/files/column.ts';
import { readTable } from '../../lib/files/read.ts';
import { eventDaysOf } from '../../serving/event-days.ts';
import { readBody } from '../../serving/rows/body.ts';
import { momentAt } from '../../serving/rows/moments.ts';
import { openScorer } from '../../serving/rows/score.ts';
import { outputFields } from '../answers/answers.ts';
import { fitCohort } from '../calibration/cohort.ts';
import type { Feature } from '../features/feature.ts';
import { type OpenVersion, openVersion } from '../inference/predict.ts';
import type { Rfm } from '../rfm/folder.ts';
import { openEncoder } from '../rfm/open.ts';
import { makeRfm } from '../rfm/train.ts';
import type { Task } from '../tasks/task.ts';
import { encodeVector, readVector, snapshotInput, vectorInput, vectorProblems } from './given-vectors.ts';
import { inputRequests } from './input-requests.ts';
import { inputFields } from './schema.ts';
import { saveVersion, type Version } from './version.ts';

const until = at('2023-07-01');
const draw = draws(3);
const customers = 40;
const purchases: Row[] = [];
for (let customer_id = 0; customer_id < customers; customer_id++)
  for (let bought = at('2022-01-01'); bought < until; bought += draw.between(3, customer_id % 2 ? 20 : 80) * day)
    purchases.push({ purchase_id: purchases.length, bought, customer_id, amount: draw.between(1, 100) });
const tables = buyersTables(customers, purchases);

const folder = mkdtempSync(join(tmpdir(), 'lastro-given-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let rfm: Rfm;
let version: OpenVersion;
let snapshot: string;
const task: Task = {
  ...{ name: 'spends', entity: 'customer', key: 'customer_id', time: 'day', label: 'spends', kind: 'binary' },
  ...{ metric: 'auroc', strict: false, ignore: [], hide: [], windowDays: 30 },
};

/** A model that reads the first two numbers of the embedding and the first forecast. */
beforeAll(async () => {
  const options = { until, seed: 1, horizonsDays: [30, 90], steps: 20, pairs: 200 };
  ({ rfm } = await makeRfm(tables, 'customer', options, () => {}));
  // The first of the forecasts.
  const predicted = Math.min(64, rfm.shape.width);
  const features: Feature[] = [0, 1, predicted].map((place) => ({
    focus: { kind: 'root' },
    read: { kind: 'embedding', place },
  }));
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const terms = features.map((_, feature) => ({
    ...{ feature, weight: 1 + feature, mean: 0, missing: null },
    map: { kind: 'plain' } as const,
  }));
  const linear = { loss: 'logistic', expected: 0, terms, iterations: 1, gradient: 0 } as const;
  const output = {
    ...{ name: 'prediction', objective, calibrator: null, cohort: fitCohort([0.5]), interval: null },
    ...{ head: [{ kind: 'linear', linear } as never], range: [0, 1] as const },
  };
  const made: Version = {
    ...{
      task,
      contract: buyersContract,
      fresh: false,
      features,
      encoder: rfm,
      isDayGiven: true,
      usual: new Float32Array(3),
    },
    outputs: [output],
    inputFields: inputFields(task, buyersContract, false, features, [1, 1, 1]),
    outputFields: outputFields(task, [output]),
  };
  await saveVersion(join(folder, 'version'), made, null, tables, {});
  version = await openVersion(join(folder, 'version'), tables);
  snapshot = version.version.encoderSnapshot!;
});
afterAll(() => version.close());

const asOf = at('2023-03-01');
const options = { asOf, dataUntil: Number.POSITIVE_INFINITY, factors: 0, language: 'en' } as const;
const keys = (ids: readonly number[]): Rows =>
  sampleRows(
    buyersContract.tables[0],
    ids.map((customer_id) => ({ customer_id })),
  );

function answersOf(rows: Rows): { prediction: number[]; coverage: string[] } {
  const { columns } = version.predict(rows, options);
  const { values } = columns.get('prediction') as { values: Float64Array };
  const { codes, dictionary } = columns.get('data_coverage') as TextColumn;
  return { prediction: [...values], coverage: Array.from(codes, (code) => dictionary[code]) };
}

function vectorOf(customer: number): Float32Array {
  const row = tables.get('customer')!.rowOf.get(customer)!;
  return openEncoder(rfm, buyersContract, tables).embed(Int32Array.of(row), Float64Array.of(asOf));
}

/** Rows of customers, each with a vector as text, or none. */
function withVectors(ids: readonly number[], texts: readonly (string | null)[]): Rows {
  const rows = keys(ids);
  return { ...rows, columns: new Map([...rows.columns, [vectorInput, textColumn(texts)]]) };
}

test('a vector takes the place of the version’s own, in base64 or as a list, row by row', () => {
  const own = answersOf(keys([3, 8, 12]));
  expect(new Set(own.prediction).size).toBe(3);
  const [a, b] = [vectorOf(3), vectorOf(8)];
  const given = answersOf(withVectors([8, 3, 12], [encodeVector(a), `[${[...b].join(', ')}]`, null]));
  own.prediction.forEach((value, i) => {
    expect(given.prediction[i]).toBeCloseTo(value, 6);
  });
  expect(given.coverage).toEqual(['full', 'full', 'full']);
});

test('who is in no table is answered by the vector alone, and the answer says so', () => {
  const [known] = answersOf(keys([3])).prediction;
  const text = encodeVector(vectorOf(3));
  const given = answersOf(withVectors([999, 998], [text, null]));
  expect(given.prediction[0]).toBeCloseTo(known!, 6);
  expect(given.prediction[1]).not.toBeCloseTo(known!, 6);
  expect(given.coverage).toEqual(['partial', 'none']);
});

const unit = Float32Array.of(1, ...new Float32Array(1023));

test.each([
  [
    'too few bytes',
    encodeVector(unit.subarray(0, 64)),
    'is not 1024 float32 in base64, which is 4096 bytes (it has 256)',
  ],
  ['something else', 'vector', 'is not 1024 float32'],
  ['too few numbers', '[1, 0]', 'has 2 numbers, not 1024'],
  ['half a list', '[1, 0', 'begins like a list and is none'],
  ['no number', encodeVector(Float32Array.of(Number.NaN, ...unit.subarray(1))), 'has a number that is none'],
  ['another length', encodeVector(unit.map((value) => value * 2)), 'has length 2.000'],
  ['nothing but zeros', encodeVector(new Float32Array(1024)), 'has length 0.000'],
])('%s is refused', (_, text, message) => {
  expect(readVector(text)).toContain(message);
});

test('the inputs are declared, and a request with a list, a bad vector or another snapshot is told what is wrong', () => {
  const { inputs } = version;
  expect(inputs.slice(-2)).toMatchObject([
    { name: vectorInput, required: false, format: 'embedding' },
    { name: snapshotInput, required: false, enum: [snapshot] },
  ]);
  expect(snapshot).toMatch(/^rfm-[0-9a-f]{16}$/);
  expect(readVector(inputs.at(-2)!.example as string)).toBeInstanceOf(Float32Array);
  const ask = (body: Record<string, unknown>) =>
    readBody({ customer_id: 3, ...body }, inputs, {}, Number.POSITIVE_INFINITY).rows;
  const sound = ask({ [vectorInput]: [...unit], [snapshotInput]: snapshot });
  expect(sound.columns.get(vectorInput)).toMatchObject({ dictionary: [encodeVector(unit)] });
  expect(vectorProblems(sound, inputs)).toEqual([]);
  const refusal = (body: Record<string, unknown>) => {
    try {
      ask(body);
    } catch (error) {
      return error;
    }
    return null;
  };
  expect(refusal({ [vectorInput]: [1, 0] })).toMatchObject({
    reason: 'invalid_input',
    problems: [{ at: `/${vectorInput}`, message: 'has 2 numbers, not 1024' }],
  });
  expect(refusal({ [vectorInput]: [...unit.subarray(1), 'x'] })).toMatchObject({ reason: 'invalid_input' });
  expect(refusal({ [vectorInput]: encodeVector(unit), [snapshotInput]: 'rfm-other' })).toMatchObject({
    problems: [{ at: `/${snapshotInput}`, message: expect.stringContaining(snapshot) }],
  });
  expect(refusal({ [vectorInput]: null, [snapshotInput]: null })).toBeNull();
});

test('rows of a batch are answered by their vectors, and those with a bad one are told by row', () => {
  const asOfMs = asOf / 1000;
  const has = (column: string) => ['customer_id', vectorInput].includes(column);
  const scorer = openScorer(
    {
      targets: [{ opened: version, told: { model_id: 'mdl', version_id: 'ver' } }],
      ...{ endpoints: null, fallback: 0, timeZone: 'UTC', language: 'en', now: asOfMs },
      isDayGiven: true,
      eventDays: eventDaysOf([]),
      usual: momentAt('UTC', asOfMs),
    },
    { has, isSeen: has },
  );
  expect(scorer.requests.map(({ name }) => name)).toEqual(['customer_id', vectorInput]);
  const rows = withVectors([3, 8, 12], [encodeVector(vectorOf(8)), 'vector', null]);
  const rowNumbers = Float64Array.of(1, 2, 3);
  const chunk = { firstRow: 1, rows, rowNumbers, rejects: [], rejectedTotal: 0 };
  const { rows: answered, problems, failed } = scorer.score(chunk);
  expect([answered.rows, failed]).toEqual([2, 1]);
  expect(problems).toMatchObject([{ row: 2, column: vectorInput, code: 'invalid_input' }]);
  const { values } = answered.columns.get('prediction') as NumberColumn;
  const [, second, third] = answersOf(keys([3, 8, 12])).prediction;
  expect(values[0]).toBeCloseTo(second!, 4);
  expect(values[1]).toBeCloseTo(third!, 4);
});

test('files bring vectors as lists of Parquet and JSONL too, and as both in CSV', async () => {
  const vector = vectorOf(8);
  const list = JSON.stringify([...vector]);
  const place = join(folder, 'rows');
  mkdirSync(place);
  const duckdb = await openDuckDb({ folders: [place] });
  for (const type of ['float[]', 'float[1024]', 'double[]'])
    await duckdb.run(
      `copy (select 3 as customer_id, '${list}'::${type} as ${vectorInput}) to '${place}/${type.replace(/\W/g, '')}.parquet'`,
    );
  duckdb.close();
  writeFileSync(join(place, 'rows.jsonl'), `{"customer_id": 3, "${vectorInput}": ${list}}\n`);
  writeFileSync(join(place, 'list.csv'), `customer_id,${vectorInput}\n3,"${list}"\n`);
  writeFileSync(join(place, 'base64.csv'), `customer_id,${vectorInput}\n3,${encodeVector(vector)}\n`);
  const wanted = answersOf(keys([8])).prediction[0];
  const requests = inputRequests(version.version).filter(({ name }) => ['customer_id', vectorInput].includes(name));
  const files = readdirSync(place);
  expect(files).toHaveLength(6);
  for (const file of files) {
    const { rows } = await readTable([join(place, file)], requests, {});
    expect(vectorProblems(rows, version.inputs), file).toEqual([]);
    expect(answersOf(rows).prediction[0], file).toBeCloseTo(wanted, 6);
  }
});
