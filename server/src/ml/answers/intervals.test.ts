import { expect, test } from 'vitest';
import { draws } from '../../../tests/samples.ts';
import { fitInterval, intervalOf } from '../calibration/interval.ts';
import { creditScore } from '../calibration/score.ts';
import { parseContract } from '../contract/parse.ts';
import { sigmoid } from '../statistics/logistic.ts';
import { labelLimits } from '../tasks/label-limits.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { intervalsOf } from './intervals.ts';

const draw = draws(5);
const margins = Float64Array.from({ length: 400 }, () => draw.next() * 6 - 4);
const answers = margins.map(sigmoid);
const event = 'entity: client\nanchors: {every: 30d}\ntarget: {table: late, horizons: [30d, 90d]}\n';
const until = margins.map((_, row) => row);
const of = (share: number) => {
  const labels = answers.map((p) => Number(draw.next() < p * share));
  return {
    interval: fitInterval('binary', { margins, predictions: answers, labels, until }),
    range: [0, 1] as const,
    limits: [0, 1] as const,
  };
};

test('bounds of one event agree over horizons, hold the answers, and turn round for the score', () => {
  const task = parseTask(`kind: credit\n${event}`, 'late', 'task.yaml');
  // In this sample the longer horizon happens to be rarer.
  const outputs = [
    { name: 'pd_30d', ...of(1) },
    { name: 'pd_90d', ...of(0.5) },
  ];
  const told = intervalsOf(task, outputs, [margins, margins], [answers, answers], margins.length);
  for (const [row, { pd_30d: short, pd_90d: long, score }] of told.entries()) {
    expect(long!.lower).toBeGreaterThanOrEqual(short!.lower);
    expect(long!.upper).toBeGreaterThanOrEqual(short!.upper);
    expect(long!.lower).toBeLessThanOrEqual(answers[row]);
    expect(long!.upper).toBeGreaterThanOrEqual(answers[row]);
    expect(score).toEqual({ lower: creditScore(long!.upper), upper: creditScore(long!.lower) });
  }
});

test('what was never negative has no bound below zero, and classes have none', () => {
  const task = parseTask('entity: c\nkey: c\nlabel: v\nkind: regression\n', 'v', 'task.yaml');
  const labels = margins.map((margin) => Math.max(0, margin));
  const interval = fitInterval('regression', { margins, predictions: new Float64Array(400), labels, until });
  const values = Float64Array.of(0.1, 50);
  const output = {
    name: 'prediction',
    interval,
    range: [0, 9],
    limits: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  } as const;
  const [small, large] = intervalsOf(task, [output], [values], [values], 2);
  expect(small!.prediction!.lower).toBe(0);
  expect(large!.prediction!.upper - 50).toBeCloseTo(50 - large!.prediction!.lower, 9);
  const none = {
    name: 'prediction',
    interval: fitInterval('multiclass', { margins, predictions: answers, labels, until }),
    range: [0, 2] as const,
    limits: [0, 2] as const,
  };
  expect(intervalsOf(task, [none], [values], [values], 2)).toEqual([{}, {}]);
});

const contract = parseContract(
  `apiVersion: v3.1.0
kind: DataContract
id: shop
version: "1"
schema:
  - name: c
    properties:
      - {name: k, logicalType: string, primaryKey: true, required: true, unique: true}
      - {name: v, logicalType: integer, logicalTypeOptions: {minimum: 1, maximum: 5}}
  - name: o
    properties:
      - {name: k, logicalType: string, relationships: [{to: c.k}]}
      - {name: paid, logicalType: number, logicalTypeOptions: {minimum: 0}}
      - {name: lost, logicalType: number, logicalTypeOptions: {minimum: -9, maximum: -1}}
      - {name: gain, logicalType: number}
`,
  'contract.yaml',
);

test.each<[string, string, number | null, number | null]>([
  ['a count', 'query: PREDICT count(o) WITHIN 30d FOR c', 0, null],
  ['a sum of what is not negative', 'query: PREDICT sum(o.paid) WITHIN 30d FOR c', 0, null],
  ['a sum of what is negative', 'query: PREDICT sum(o.lost) WITHIN 30d FOR c', null, 0],
  ['a sum of anything', 'query: PREDICT sum(o.gain) WITHIN 30d FOR c', null, null],
  ['days until the first', 'query: PREDICT first(o) WITHIN 30d FOR c', 0, 30],
  ["the row's own outcome, of a declared range", 'entity: c\nkey: k\nlabel: v\nkind: regression\noutcome: v', 1, 5],
  ['a label of a file', 'entity: c\nkey: k\nlabel: w\nkind: regression', null, null],
])('bounds of %s end where it must, whatever was seen', (_, text, least, most) => {
  const task = parseTask(`${text}\n`, 'v', 'task.yaml');
  const labels = margins.map((margin) => margin * 100);
  const interval = fitInterval('regression', { margins, predictions: new Float64Array(400), labels, until });
  const output = { name: 'prediction', interval, range: [-400, 400] as const, limits: labelLimits(task, contract, 0) };
  const values = Float64Array.of(1.5);
  const [bounds] = Object.values(intervalsOf(task, [output], [values], [values], 1)[0]!);
  const free = intervalOf(interval!, 1.5, 1.5);
  expect([free[0], free[1]]).toEqual([expect.toSatisfy((v) => v < 0), expect.toSatisfy((v) => v > 30)]);
  expect(bounds).toEqual({ lower: least ?? free[0], upper: most ?? free[1] });
});
