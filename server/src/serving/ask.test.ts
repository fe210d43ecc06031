import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../tests/samples.ts';
import { writeShop } from '../../tests/shop.ts';
import { openDataset } from '../commands/dataset.ts';
import { fitCommand } from '../commands/fit.ts';
import type { Rows } from '../lib/files/column.ts';
import { type OpenVersion, openVersion } from '../ml/inference/predict.ts';
import { readExplanation, readOutputs } from './answer.ts';
import { type Ask, joinRows, openAsk, type Question } from './ask.ts';
import { readBody } from './rows/body.ts';

const folder = mkdtempSync(join(tmpdir(), 'ask-'));
let opened: OpenVersion;

beforeAll(async () => {
  const shop = writeShop();
  await fitCommand([shop, '--task', 'returns', '--out', join(folder, 'version')], () => {});
  const { tables } = await openDataset(shop, { phase() {}, say() {} });
  opened = await openVersion(join(folder, 'version'), tables);
});
afterAll(() => {
  opened.close();
  rmSync(folder, { recursive: true });
});

const served: Question['opened'] = { predict: async (rows, options) => opened.predict(rows, options) };
const question = (i: number, of = served): Question => {
  const body = {
    customer_id: i % 9 === 8 ? `nobody-${i}` : `C${1 + (i % 30)}`,
    ...(i % 4 === 0 ? { correlation_id: i % 8 === 0 ? `row ${i}` : null } : {}),
  };
  const asOf = at('2023-06-01') + (i % 5) * 30 * 86_400_000_000;
  return {
    opened: of,
    rows: readBody(body, opened.inputs, {}, Number.POSITIVE_INFINITY).rows,
    options: { asOf, dataUntil: asOf, factors: i % 7 === 0 ? 2 : 3, language: i % 3 === 0 ? 'pt-BR' : 'en' },
  };
};
const outputsOf = async (ask: Ask, asked: Question): Promise<Record<string, unknown>> => {
  const { answer, row } = await ask(asked);
  return readOutputs(answer, row, opened.outputs, 'UTC');
};

test('questions asked at once get the answers they get alone, to the last bit', async () => {
  const questions = Array.from({ length: 120 }, (_, i) => question(i));
  const ask = openAsk();
  const together = await Promise.all(questions.map((one) => outputsOf(ask, one)));
  const alone = questions.map(({ rows, options }) =>
    readOutputs(opened.predict(rows, options), 0, opened.outputs, 'UTC'),
  );
  expect(together).toEqual(alone);
  expect(new Set(together.map(({ prediction }) => prediction)).size).toBeGreaterThan(10);
});

test('explanations come with the answers, in the calls that answer, and say what the answers say', async () => {
  let calls = 0;
  const counted: Question['opened'] = {
    async predict(rows, options) {
      calls++;
      return opened.predict(rows, options);
    },
  };
  const questions = Array.from({ length: 16 }, (_, i) => question(i, counted)).map(
    (one): Question => ({ ...one, options: { ...one.options, factors: 3, language: 'en', explanation: true } }),
  );
  const ask = openAsk();
  const answers = await Promise.all(questions.map((one) => ask(one)));
  const shapes = new Set(questions.map(({ rows }) => [...rows.columns.keys()].join()));
  expect(calls).toBe(shapes.size);
  let told = 0;
  const usual = new Set<number>();
  for (const [i, { answer, row }] of answers.entries()) {
    const { explanation: _, ...plain } = questions[i].options;
    const alone = opened.predict(questions[i].rows, plain);
    const outputs = readOutputs(answer, row, opened.outputs, 'UTC');
    expect(outputs).toEqual(readOutputs(alone, 0, opened.outputs, 'UTC'));
    const { explanation, explained } = readExplanation(answer, row);
    expect(explanation.map(({ text }) => text)).toEqual(outputs.key_factors);
    for (const { contribution, effect, path } of explanation) {
      expect(Math.sign(effect)).toBe(Math.sign(contribution));
      expect(path).toHaveProperty('focus');
    }
    told += explanation.length;
    // By hand: what is said to add up is the answer less the usual one, in percentage points.
    const sum = explanation.reduce((total, { effect }) => total + effect, explained!.usual + explained!.others);
    expect(sum).toBeCloseTo(100 * (outputs.prediction as number), 6);
    expect(explained).toMatchObject({ field: 'prediction', unit: 'percentage_points' });
    usual.add(explained!.usual);
  }
  expect(told).toBeGreaterThan(answers.length);
  expect(usual.size).toBe(1);
});

test('a question that fails fails alone, and no call has more rows than it may', async () => {
  const sizes: number[] = [];
  const strict: Question['opened'] = {
    async predict(rows, options) {
      sizes.push(rows.rows);
      const names = rows.columns.get('customer_id') as { dictionary: readonly string[] };
      if (names.dictionary.includes('C3')) throw new RangeError('not C3');
      return opened.predict(rows, options);
    },
  };
  const ask = openAsk();
  const questions = Array.from({ length: 120 }, (_, i) => question(i, strict));
  const ends = await Promise.allSettled(questions.map((one) => ask(one)));
  const failed = ends.flatMap(({ status }, i) => (status === 'rejected' ? [i % 30] : []));
  expect(new Set(failed)).toEqual(new Set([2]));
  expect(failed.length).toBe(questions.filter((_, i) => i % 30 === 2 && i % 9 !== 8).length);
  expect(Math.max(...sizes)).toBe(16);
});

test('rows are joined with what they lack, and each text is listed once', () => {
  const rows = (text: string | null, value: number): Rows => ({
    rows: 1,
    columns: new Map([
      ['text', { kind: 'text', codes: Int32Array.of(text === null ? -1 : 0), dictionary: text === null ? [] : [text] }],
      ['value', { kind: 'time', values: Float64Array.of(value) }],
    ]),
  });
  expect(joinRows([rows('b', 1), rows(null, Number.NaN), rows('a', 2), rows('b', 3)])).toEqual({
    rows: 4,
    columns: new Map([
      ['text', { kind: 'text', codes: Int32Array.of(0, -1, 1, 0), dictionary: ['b', 'a'] }],
      ['value', { kind: 'time', values: Float64Array.of(1, Number.NaN, 2, 3) }],
    ]),
  });
});
