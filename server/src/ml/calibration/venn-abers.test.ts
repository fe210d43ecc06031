import { expect, test } from 'vitest';
import { intervalOf } from './interval.ts';

test('versions that were stored with Venn–Abers steps go on giving their bounds', () => {
  const pair = {
    lower: { margins: [0, 1], probabilities: [0, 0.5] },
    upper: { margins: [0, 1], probabilities: [0.5, 1] },
  };
  const stored = { kind: 'venn_abers', pair } as const;
  expect(intervalOf(stored, -5, 0.2)).toEqual([0.0001, 0.5]);
  expect(intervalOf(stored, -5, 0.7)).toEqual([0.0001, 0.7]);
  expect(intervalOf(stored, 9, 0.4)).toEqual([0.4, 0.9999]);
});
