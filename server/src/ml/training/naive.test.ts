import { expect, test } from 'vitest';
import type { Objective } from '../statistics/objective.ts';
import { describeNaive, evaluateNaive, warnOfNaive } from './naive.ts';

const objective = (
  kind: Objective['kind'],
  metric: Objective['metric'],
  classes: readonly string[] = [],
): Objective => ({
  kind,
  metric,
  classes,
});

/** Two shops on days 0 to 3. Labels close two days later. The last day is evaluated. */
const examples = {
  rows: Int32Array.of(0, 1, 0, 1, 0, 1, 0, 1),
  at: Float64Array.of(0, 0, 1, 1, 2, 2, 3, 3),
  closes: Float64Array.of(2, 2, 3, 3, 4, 4, 5, 5),
  labels: Float64Array.of(10, 100, 20, 200, 90, 900, 24, 150),
};
const from = Int32Array.of(0, 1, 2, 3, 4, 5);
const evaluated = Int32Array.of(6, 7);

test('own labels count from when they were known', () => {
  const naive = evaluateNaive(objective('regression', 'rmse'), examples, from, evaluated, Number.POSITIVE_INFINITY);
  // The labels of day 2 close after the anchor. Own means are 15 and 150, own last labels 20 and 200; the mean of all
  // labels is 220.
  expect(naive.own_mean).toBeCloseTo(Math.sqrt(9 ** 2 / 2), 9);
  expect(naive.own_last).toBeCloseTo(Math.sqrt((4 ** 2 + 50 ** 2) / 2), 9);
  expect(naive.constant).toBeCloseTo(Math.sqrt((196 ** 2 + 70 ** 2) / 2), 9);
  const later = { ...examples, labels: examples.labels.with(4, 1e6).with(5, -1e6) };
  const { own_mean, own_last } = evaluateNaive(
    objective('regression', 'rmse'),
    later,
    from,
    evaluated,
    Number.POSITIVE_INFINITY,
  );
  expect({ own_mean, own_last }).toEqual({ own_mean: naive.own_mean, own_last: naive.own_last });
});

test('where the metric is absolute error, the middle answers; where data stop, what closed later does not count', () => {
  const naive = evaluateNaive(objective('regression', 'mae'), examples, from, evaluated, 2);
  expect(naive).toEqual({ constant: (71 + 55) / 2, own_mean: (14 + 50) / 2, own_last: (14 + 50) / 2 });
});

test('labels that do not say when they were known tell nothing of later rows', () => {
  const closes = examples.closes.map(() => Number.POSITIVE_INFINITY);
  const naive = evaluateNaive(
    objective('regression', 'mae'),
    { ...examples, closes },
    from,
    evaluated,
    Number.POSITIVE_INFINITY,
  );
  expect(Object.keys(naive)).toEqual(['constant']);
});

test('rows that the tables do not have share no past', () => {
  const unknown = { ...examples, rows: examples.rows.map((row) => (row === 0 ? -1 : row)) };
  const { own_last } = evaluateNaive(
    objective('regression', 'mae'),
    unknown,
    from,
    evaluated,
    Number.POSITIVE_INFINITY,
  );
  // The unknown shop gets the median of all labels, 95; the other its last label.
  expect(own_last).toBe((71 + 50) / 2);
  const none = { ...examples, rows: examples.rows.map(() => -1) };
  expect(evaluateNaive(objective('regression', 'mae'), none, from, evaluated, 9)).toEqual({ constant: (71 + 55) / 2 });
});

test('one answer to all ranks nothing, and of classes it is their shares', () => {
  const binary = { ...examples, labels: Float64Array.of(1, 0, 1, 0, 1, 0, 1, 0) };
  const naive = evaluateNaive(objective('binary', 'auroc'), binary, from, evaluated, Number.POSITIVE_INFINITY);
  expect(naive).toEqual({ constant: 0.5, own_mean: 1, own_last: 1 });
  const classes = { ...examples, labels: Float64Array.of(0, 1, 2, 2, 2, 2, 2, 0) };
  expect(
    evaluateNaive(objective('multiclass', 'multiclass_accuracy', ['a', 'b', 'c']), classes, from, evaluated, 9),
  ).toEqual({
    constant: 0.5,
  });
});

test('a model that is no better is warned of, whichever way the metric goes', () => {
  const naive = { constant: 220.12345, own_mean: 30, own_last: 40 };
  expect(describeNaive(naive)).toBe(
    'without learning: 220.1 the same for all, 30 the mean of own earlier labels, 40 the last of them',
  );
  expect(warnOfNaive('mae', 35, naive)).toEqual([
    "the model's mae of 35 is no better than what takes no learning: the mean of own earlier labels (30)",
  ]);
  expect(warnOfNaive('mae', 29, naive)).toEqual([]);
  expect(warnOfNaive('auroc', 0.7, { constant: 0.5, own_mean: 0.7 })).toHaveLength(1);
  expect(warnOfNaive('auroc', 0.71, { constant: 0.5, own_mean: 0.7 })).toEqual([]);
});
