import { expect, test } from 'vitest';
import { sigmoid } from '../statistics/logistic.ts';
import type { Objective } from '../statistics/objective.ts';
import { seedRandom } from '../statistics/random.ts';
import { predictFolds } from './out-of-fold.ts';

const yes: Objective = { kind: 'binary', metric: 'auroc', classes: [] };
const number: Objective = { kind: 'regression', metric: 'mae', classes: [] };
const sizes = [600, 500, 400];
const rows = 1_500;

/** Margins that are twice too large, with labels. */
function binary(seed = 5) {
  const random = seedRandom(seed);
  const truth = Float64Array.from({ length: rows }, () => 4 * random() - 2);
  const labels = truth.map((margin) => (random() < sigmoid(margin) ? 1 : 0));
  return {
    objective: yes,
    calibrator: null,
    range: [0, 1] as const,
    link: undefined,
    outOfFold: {
      examples: new Int32Array(rows),
      at: Float64Array.from({ length: rows }, (_, i) => i),
      until: Float64Array.from({ length: rows }, (_, i) => i),
      // Labels are known half a moment later.
      closes: Float64Array.from({ length: rows }, (_, i) => i + 0.5),
      folds: sizes.map((size, k) => ({ rows: size, start: sizes.slice(0, k).reduce((a, b) => a + b, 0) - 0.5 })),
      margins: truth.map((margin) => 2 * margin),
      labels,
      weights: new Float64Array(rows).fill(1),
    },
  };
}

function numbers() {
  const random = seedRandom(9);
  const margins = Float64Array.from({ length: rows }, () => random());
  const labels = margins.map((margin) => margin + random() - 0.5);
  return {
    ...binary(),
    objective: number,
    range: [-1, 2] as const,
    outOfFold: { ...binary().outOfFold, margins, labels },
  };
}

test('a fold is predicted by the folds before it alone', () => {
  for (const output of [binary(), numbers()]) {
    const before = predictFolds(output)!;
    expect(before.labels.length).toBe(900);
    const { outOfFold } = output;
    const changed = outOfFold.labels.map((label, i) => (i < 1_100 ? label : 1 - label));
    const after = predictFolds({ ...output, outOfFold: { ...outOfFold, labels: changed } })!;
    // The last fold's labels must not affect its own calibration; the labels of the fold before must.
    expect(after.predictions).toEqual(before.predictions);
    expect(after.sure).toEqual(before.sure);
    const earlier = outOfFold.labels.map((label, i) => (i < 600 || i >= 1_100 ? label : 1 - label));
    const moved = predictFolds({ ...output, outOfFold: { ...outOfFold, labels: earlier } })!;
    const { lower } = before.sure!;
    expect(moved.predictions.subarray(0, 500)).toEqual(before.predictions.subarray(0, 500));
    expect(moved.sure!.lower.subarray(500)).not.toEqual(lower.subarray(500));
  }
});

test('labels that were not known when a fold began predict nothing of it', () => {
  for (const output of [binary(), numbers()]) {
    const { outOfFold } = output;
    // Windows of 60 moments: at 599.5, where the second fold begins, the labels of rows from 540 on are not known.
    const closes = outOfFold.at.map((moment) => moment + 60);
    const told = (labels: Float64Array) => {
      const { predictions, sure } = predictFolds({ ...output, outOfFold: { ...outOfFold, closes, labels } })!;
      return [...predictions.subarray(0, 500), ...sure!.lower.subarray(0, 500)];
    };
    const flipped = (first: number) => outOfFold.labels.map((label, i) => (i >= first && i < 600 ? 1 - label : label));
    expect(told(flipped(540))).toEqual(told(outOfFold.labels));
    expect(told(flipped(500))).not.toEqual(told(outOfFold.labels));
  }
});

test('calibration is evaluated by what a calibrator of the past says, and bounds hold what they promise', () => {
  const told = predictFolds(binary())!;
  // The margins are twice too large; calibrated, they are near the true probabilities.
  const truth = binary()
    .outOfFold.margins.subarray(600)
    .map((margin) => sigmoid(margin / 2));
  const error = told.predictions.reduce((sum, p, i) => sum + Math.abs(p - truth[i]), 0) / 900;
  expect(error).toBeLessThan(0.04);
  const { labels, sure } = predictFolds(numbers())!;
  expect(sure!.promised).toMatchObject({ coverage: 0.9, rows: 600 });
  const inside = labels.filter((label, i) => label >= sure!.lower[i] && label <= sure!.upper[i]).length;
  expect(inside / labels.length).toBeCloseTo(0.9, 1);
});

test('nothing is predicted of one fold, nor of labels that were all alike before', () => {
  const { outOfFold, ...rest } = binary();
  expect(predictFolds({ ...rest, outOfFold: { ...outOfFold, folds: [{ rows, start: -0.5 }] } })).toBeNull();
  const labels = outOfFold.labels.map((label, i) => (i < 1_100 ? 0 : label));
  expect(predictFolds({ ...rest, outOfFold: { ...outOfFold, labels } })).toBeNull();
});

test('numbers of a fold go no further than labels that were known when it began', () => {
  const output = numbers();
  const before = predictFolds(output)!;
  // The range of all labels would include labels of the fold itself.
  expect(predictFolds({ ...output, range: [0.4, 0.6] })).toEqual(before);
  const { outOfFold } = output;
  const low = { ...outOfFold, labels: outOfFold.labels.map((label, i) => (i < 600 ? Math.min(label, 0.5) : label)) };
  const { predictions } = predictFolds({ ...output, outOfFold: low })!;
  expect(Math.max(...predictions.subarray(0, 500))).toBe(0.5);
  expect(Math.max(...predictions.subarray(500))).toBeGreaterThan(0.9);
});
