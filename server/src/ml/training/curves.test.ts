import { expect, test } from 'vitest';
import { curvesOf } from './curves.ts';

const binary = { kind: 'binary', metric: 'auroc', classes: [] } as const;

test('of probabilities it says how they lie, as scores too, and what acting on them finds', () => {
  const labels = Float64Array.of(0, 0, 1, 1);
  const curves = curvesOf(binary, labels, Float64Array.of(0.1, 0.2, 0.6, 0.9), (p) => Math.round(1000 * (1 - p)))!;
  expect(curves).toMatchObject({ rows: 4, positives: 2, classes: null });
  const filled = (bins: typeof curves.histogram) => bins!.filter(({ rows }) => rows > 0).map(({ from }) => from);
  expect(filled(curves.histogram).map((from) => from.toFixed(2))).toEqual(['0.10', '0.20', '0.60', '0.90']);
  expect(filled(curves.score_histogram)).toEqual([100, 400, 800, 900]);
  expect(curves.thresholds!.map(({ threshold, recall }) => [threshold, recall])).toEqual([
    [0.9, 0.5],
    [0.6, 1],
    [0.2, 1],
    [0.1, 1],
  ]);
  expect(curves.gains![0]).toMatchObject({ rows: 1, positives: 1, captured: 0.5, lift: 2 });
});

test('of numbers it says how they lie between the lowest and the highest, and of classes how many were right', () => {
  const number = { kind: 'regression', metric: 'mae', classes: [] } as const;
  const curves = curvesOf(number, Float64Array.of(1, 2), Float64Array.of(-5, 15), null)!;
  expect(curves).toMatchObject({ positives: null, thresholds: null, gains: null });
  expect([curves.histogram![0], curves.histogram!.at(-1)]).toEqual([
    { from: -5, to: -4, rows: 1 },
    { from: 14, to: 15, rows: 1 },
  ]);
  const classes = { kind: 'multiclass', metric: 'multiclass_accuracy', classes: ['a', 'b'] } as const;
  const told = curvesOf(classes, Float64Array.of(0, 1, 1), Float64Array.of(0.9, 0.1, 0.8, 0.2, 0.3, 0.7), null)!;
  expect(told.classes).toEqual([
    { name: 'a', rows: 1, predicted: 2, correct: 1 },
    { name: 'b', rows: 2, predicted: 1, correct: 1 },
  ]);
});

test('without rows there are none', () => {
  expect(curvesOf(binary, new Float64Array(0), new Float64Array(0), null)).toBeNull();
});
