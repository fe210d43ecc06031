import { expect, test } from 'vitest';
import { evaluateMetric } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { seedRandom } from '../statistics/random.ts';
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
  const naive = evaluateNaive(objective('regression', 'rmse'), examples, [
    { from, evaluated, until: Number.POSITIVE_INFINITY },
  ]);
  // The labels of day 2 close after the anchor. Own means are 15 and 150, own last labels 20 and 200; the mean of all
  // labels is 220.
  expect(naive.own_mean).toBeCloseTo(Math.sqrt(9 ** 2 / 2), 9);
  expect(naive.own_last).toBeCloseTo(Math.sqrt((4 ** 2 + 50 ** 2) / 2), 9);
  expect(naive.constant).toBeCloseTo(Math.sqrt((196 ** 2 + 70 ** 2) / 2), 9);
  const later = { ...examples, labels: examples.labels.with(4, 1e6).with(5, -1e6) };
  const { own_mean, own_last } = evaluateNaive(objective('regression', 'rmse'), later, [
    { from, evaluated, until: Number.POSITIVE_INFINITY },
  ]);
  expect({ own_mean, own_last }).toEqual({ own_mean: naive.own_mean, own_last: naive.own_last });
});

test('where the metric is absolute error, the middle answers; where data stop, what closed later does not count', () => {
  const naive = evaluateNaive(objective('regression', 'mae'), examples, [{ from, evaluated, until: 2 }]);
  expect(naive).toEqual({ constant: (71 + 55) / 2, own_mean: (14 + 50) / 2, own_last: (14 + 50) / 2 });
});

test('labels that do not say when they were known tell nothing of later rows', () => {
  const closes = examples.closes.map(() => Number.POSITIVE_INFINITY);
  const naive = evaluateNaive(objective('regression', 'mae'), { ...examples, closes }, [
    { from, evaluated, until: Number.POSITIVE_INFINITY },
  ]);
  expect(Object.keys(naive)).toEqual(['constant']);
});

test('rows that the tables do not have share no past', () => {
  const unknown = { ...examples, rows: examples.rows.map((row) => (row === 0 ? -1 : row)) };
  const { own_last } = evaluateNaive(objective('regression', 'mae'), unknown, [
    { from, evaluated, until: Number.POSITIVE_INFINITY },
  ]);
  // The unknown shop gets the median of all labels, 95; the other its last label.
  expect(own_last).toBe((71 + 50) / 2);
  const none = { ...examples, rows: examples.rows.map(() => -1) };
  expect(evaluateNaive(objective('regression', 'mae'), none, [{ from, evaluated, until: 9 }])).toEqual({
    constant: (71 + 55) / 2,
  });
});

test('one answer to all ranks nothing, and of classes it is their shares', () => {
  const binary = { ...examples, labels: Float64Array.of(1, 0, 1, 0, 1, 0, 1, 0) };
  const naive = evaluateNaive(objective('binary', 'auroc'), binary, [
    { from, evaluated, until: Number.POSITIVE_INFINITY },
  ]);
  expect(naive).toEqual({ constant: 0.5, own_mean: 1, own_last: 1 });
  const classes = { ...examples, labels: Float64Array.of(0, 1, 2, 2, 2, 2, 2, 0) };
  expect(
    evaluateNaive(objective('multiclass', 'multiclass_accuracy', ['a', 'b', 'c']), classes, [
      { from, evaluated, until: 9 },
    ]),
  ).toEqual({
    constant: 0.5,
  });
});

test('a model that is not surely better than the best of them is warned of, whichever way the metric goes', () => {
  const naive = { constant: 220.12345, own_mean: 30, own_last: 40 };
  const told = 'without learning: 220.1 the same for all, 30 the mean of own earlier labels, 40 the last of them';
  expect(describeNaive(naive)).toBe(told);
  expect(warnOfNaive('sales', 'mae', 35, naive)).toEqual([]);
  const over = 'own_mean' as const;
  const better = { ...naive, gain: { over, value: 4, low: 1, high: 7 } };
  expect(describeNaive(better)).toBe(
    `${told}; the model's is better than the 30 of the mean of own earlier labels by 4 (19 of 20 times between 1 and 7)`,
  );
  expect(warnOfNaive('sales', 'mae', 26, better)).toEqual([]);
  expect(warnOfNaive('sales', 'mae', 35, { ...naive, gain: { over, value: -5, low: -11, high: 1 } })).toEqual([
    {
      code: 'no_better_than_naive',
      output: 'sales',
      message:
        'sales: its mae of 35 is not surely worse than the 30 of the mean of own earlier labels by 5 (19 of 20 times between -11 and 1)',
      because: {
        ...{ code: 'no_gain', output: 'sales', metric: 'mae', value: 35, over, by: null, of: 30 },
        ...{ gain: -5, low: -11, high: 1 },
      },
    },
  ]);
  const [{ message }] = warnOfNaive('sales', 'mae', 35, { ...naive, gain: { over, value: -5, low: -8, high: -2 } });
  expect(message).toContain(
    'is worse than the 30 of the mean of own earlier labels by 5 (19 of 20 times between 2 and 8)',
  );
  const few = { low: Number.NaN, high: Number.NaN };
  expect(warnOfNaive('sales', 'mae', 35, { ...naive, gain: { over, value: -5, ...few } })).toHaveLength(1);
  expect(warnOfNaive('sales', 'mae', 25, { ...naive, gain: { over, value: 5, ...few } })).toEqual([]);
});

test('the gain over the best of them is the difference of both metrics, with an interval by draws of rows', () => {
  const random = seedRandom(3);
  const rows = 400;
  const own = Float64Array.from({ length: 40 }, () => random());
  const entity = (i: number) => i % 40;
  const drawn = {
    rows: Int32Array.from({ length: rows }, (_, i) => entity(i)),
    at: Float64Array.from({ length: rows }, (_, i) => Math.floor(i / 40)),
    closes: Float64Array.from({ length: rows }, (_, i) => Math.floor(i / 40) + 1),
    labels: Float64Array.from({ length: rows }, (_, i) => (random() < own[entity(i)] ? 1 : 0)),
  };
  const all = Int32Array.from({ length: rows }, (_, i) => i);
  const part = { from: all.slice(0, 200), evaluated: all.slice(200), until: Number.POSITIVE_INFINITY };
  const labels = drawn.labels.slice(200);
  for (const metric of ['auroc', 'log_loss', 'brier'] as const) {
    const gainOf = (model: Float64Array) => evaluateNaive(objective('binary', metric), drawn, [part], [], model).gain!;
    const right = Float64Array.from({ length: 200 }, (_, k) => own[entity(200 + k)]);
    const naive = evaluateNaive(objective('binary', metric), drawn, [part]);
    const gain = gainOf(right);
    const { value, higherIsBetter } = evaluateMetric(metric, labels, right);
    expect(gain.value).toBeCloseTo((higherIsBetter ? 1 : -1) * (value - naive[gain.over]!), 12);
    expect(gain.low, metric).toBeLessThan(gain.value);
    expect(gain.high, metric).toBeGreaterThan(gain.value);
    // What came is better than anything that could be said; what is turned round is worse.
    expect(gainOf(labels.map((label) => 0.01 + 0.98 * label)).low, metric).toBeGreaterThan(0);
    expect(gainOf(right.map((p) => 1 - p)).high, metric).toBeLessThan(0);
  }
});

test('new rows are told by what became known of rows that refer to the same, by the reference that answers best', () => {
  // Loans 0 to 5 of two borrowers, and all of one bank; the last two are evaluated.
  const loans = {
    rows: Int32Array.of(0, 1, 2, 3, 4, 5),
    at: Float64Array.of(0, 0, 1, 1, 5, 5),
    closes: Float64Array.of(2, 2, 3, 9, 7, 7),
    labels: Float64Array.of(1, 0, 1, 1, 1, 0),
  };
  const part = { from: Int32Array.of(0, 1, 2, 3), evaluated: Int32Array.of(4, 5), until: Number.POSITIVE_INFINITY };
  const borrower = { name: 'borrower', rows: Int32Array.of(0, 1, 0, 1, 0, 1) };
  const bank = { name: 'bank', rows: Int32Array.of(0, 0, 0, 0, 0, 0) };
  const naive = evaluateNaive(objective('binary', 'brier'), loans, [part], [bank, borrower]);
  // Three of four labels are 1. Loan 3 closes after the anchor. Borrower 0: (1 + 1 + .75) / 3, borrower 1: (0 + .75) / 2.
  const expected = ((1 - 2.75 / 3) ** 2 + (0.75 / 2) ** 2) / 2;
  expect(naive).toEqual({
    constant: (0.25 ** 2 + 0.75 ** 2) / 2,
    referred_mean: expect.closeTo(expected, 12),
    referred_by: 'borrower',
  });
  expect(describeNaive(naive)).toMatch(/, 0\.07378 the mean of earlier labels by borrower$/);
  const gain = { over: 'referred_mean', value: -0.03, low: -0.04, high: 0.01 } as const;
  expect(warnOfNaive('late', 'brier', 0.1, { ...naive, gain })[0].message).toMatch(
    /than the 0.07378 of the mean of earlier labels by borrower by 0.03 /,
  );
});

test('a metric of order alone says nothing of one answer for all, whatever it is in each fold', () => {
  const parts = [0, 1].map((day) => ({
    from: Int32Array.of(2 * day, 2 * day + 1),
    evaluated: Int32Array.of(4 + 2 * day, 5 + 2 * day),
    until: 0,
  }));
  const labels = Float64Array.of(0, 0, 1, 1, 1, 0, 1, 0);
  expect(evaluateNaive(objective('binary', 'auroc'), { ...examples, labels }, parts).constant).toBe(0.5);
});

/** Examples of a few rows at moments of which many are equal; some have no row, no label, or one of no moment. */
function drawExamples(count: number, groups: number) {
  const random = seedRandom(11);
  const upTo = (most: number) => Math.floor(random() * most);
  const at = Float64Array.from({ length: count }, () => upTo(40));
  return {
    rows: Int32Array.from({ length: count }, () => upTo(groups + 1) - 1),
    at,
    closes: at.map((moment) => (random() < 0.1 ? Number.POSITIVE_INFINITY : moment + upTo(9))),
    labels: at.map(() => (random() < 0.1 ? Number.NaN : upTo(30))),
  };
}

test.each(['mae', 'rmse'] as const)(
  'all answers are those of looking through all earlier labels each time: %s',
  (metric) => {
    const drawn = drawExamples(600, 7);
    const from = Int32Array.from({ length: 400 }, (_, i) => i);
    const evaluated = Int32Array.from({ length: 200 }, (_, i) => 400 + i).filter((i) => !Number.isNaN(drawn.labels[i]));
    const referred = { name: 'branch', rows: drawn.rows.map((row) => (row < 0 ? -1 : row % 3)) };
    for (const until of [20, Number.POSITIVE_INFINITY]) {
      const naive = evaluateNaive(objective('regression', metric), drawn, [{ from, evaluated, until }], [referred]);
      const labelled = [...from].filter((i) => !Number.isNaN(drawn.labels[i]));
      const meanOf = (of: readonly number[]) => of.reduce((sum, i) => sum + drawn.labels[i], 0) / of.length;
      const medianOf = (of: readonly number[]) => {
        const sorted = of.map((i) => drawn.labels[i]).sort((a, b) => a - b);
        return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
      };
      const lastOf = (of: readonly number[]) =>
        drawn.labels[of.toSorted((a, b) => drawn.at[a] - drawn.at[b] || a - b).at(-1)!];
      const earlier = (rows: Int32Array, j: number) =>
        labelled.filter((i) => rows[i] >= 0 && rows[i] === rows[j] && drawn.closes[i] <= Math.min(drawn.at[j], until));
      const center = metric === 'mae' ? medianOf : meanOf;
      const expected = (rows: Int32Array, answer: (of: readonly number[]) => number, none: number) => {
        const said = Float64Array.from(evaluated, (j) => {
          const of = earlier(rows, j);
          return of.length === 0 ? none : answer(of);
        });
        return evaluateMetric(
          metric,
          Float64Array.from(evaluated, (j) => drawn.labels[j]),
          said,
        ).value;
      };
      const [middle, mean] = [center(labelled), meanOf(labelled)];
      expect(naive.own_mean).toBeCloseTo(expected(drawn.rows, center, middle), 10);
      expect(naive.own_last).toBe(expected(drawn.rows, lastOf, middle));
      const drawnToMean = (of: readonly number[]) => (meanOf(of) * of.length + mean) / (of.length + 1);
      expect(naive.referred_mean).toBeCloseTo(expected(referred.rows, drawnToMean, mean), 10);
    }
  },
);

test('what is read grows with the rows, not with their square, however few they are of', () => {
  let reads = 0;
  const counted = (values: Float64Array) =>
    new Proxy(values, {
      get(target, key) {
        reads++;
        return Reflect.get(target, key, target);
      },
    });
  const readsOf = (count: number) => {
    const drawn = drawExamples(count, 1);
    const examples = { ...drawn, labels: drawn.labels.map((label) => label || 0), closes: counted(drawn.closes) };
    const from = Int32Array.from({ length: count / 2 }, (_, i) => i);
    const part = { from, evaluated: from.map((i) => i + count / 2), until: 30 };
    reads = 0;
    const naive = evaluateNaive(
      objective('regression', 'mae'),
      examples,
      [part],
      [{ name: 'branch', rows: drawn.rows }],
    );
    expect(naive.referred_by).toBe('branch');
    return reads;
  };
  expect(readsOf(4_000)).toBeLessThan(3 * readsOf(2_000));
});
