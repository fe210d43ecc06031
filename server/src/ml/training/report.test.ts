import { expect, test } from 'vitest';
import { describeSureness, measure, sayWithError } from './report.ts';

test('an error that rows cannot tell is not said', () => {
  const objective = { kind: 'regression', metric: 'mae', classes: [] } as const;
  const labels = Float64Array.of(1, 2, 3, 4);
  const oneMoment = measure(objective, labels, Float64Array.of(2, 2, 2, 2), [7, 7, 7, 7]);
  expect(sayWithError(oneMoment.value, oneMoment.standard_error)).toBe('1.0000');
  const twoMoments = measure(objective, labels, Float64Array.of(2, 2, 2, 2), [7, 7, 8, 8]);
  expect(sayWithError(twoMoments.value, twoMoments.standard_error)).toBe('1.0000 ± 0.5000');
});

test('of labels that are all alike no line is said, nor how well they are told apart', () => {
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const predictions = Float64Array.from({ length: 200 }, (_, i) => 0.1 + i / 400);
  const measures = measure(objective, new Float64Array(200), predictions, []);
  expect(sayWithError(measures.value, measures.standard_error)).toBe('unknown');
  expect(describeSureness(measures)[0]).toContain('slope unknown, intercept unknown');
});
