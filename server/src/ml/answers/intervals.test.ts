import { expect, test } from 'vitest';
import { draws } from '../../../tests/samples.ts';
import { fitInterval } from '../calibration/interval.ts';
import { creditScore } from '../calibration/score.ts';
import { sigmoid } from '../statistics/logistic.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { intervalsOf } from './intervals.ts';

const draw = draws(5);
const margins = Float64Array.from({ length: 400 }, () => draw.next() * 6 - 4);
const answers = margins.map(sigmoid);
const event = 'entity: client\nanchors: {every: 30d}\ntarget: {table: late, horizons: [30d, 90d]}\n';
const until = margins.map((_, row) => row);
const of = (share: number) => {
  const labels = answers.map((p) => Number(draw.next() < p * share));
  return { interval: fitInterval('binary', { margins, predictions: answers, labels, until }), range: [0, 1] as const };
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
  const [small, large] = intervalsOf(task, [{ name: 'prediction', interval, range: [0, 9] }], [values], [values], 2);
  expect(small!.prediction!.lower).toBe(0);
  expect(large!.prediction!.upper - 50).toBeCloseTo(50 - large!.prediction!.lower, 9);
  const none = {
    name: 'prediction',
    interval: fitInterval('multiclass', { margins, predictions: answers, labels, until }),
    range: [0, 2] as const,
  };
  expect(intervalsOf(task, [none], [values], [values], 2)).toEqual([{}, {}]);
});
