import { expect, test } from 'vitest';
import { compareWeeks } from './weeks.ts';

const day = (predictions: number, ...bands: readonly (readonly [string | null, number])[]) => ({
  predictions,
  bands: bands.map(([band, count]) => ({ band, predictions: count })),
});

test('the last seven days are set beside the seven before, and what has no band has no share', () => {
  const before = [
    day(50, ['Low Risk', 50]),
    ...Array.from({ length: 6 }, () => day(0)),
    day(8, ['High Risk', 2], ['Low Risk', 6]),
  ];
  const now = [
    ...Array.from({ length: 5 }, () => day(0)),
    day(4, ['Very High Risk', 3], ['High Risk', 1]),
    day(6, [null, 6]),
  ];
  expect(compareWeeks([...before, ...now])).toEqual({ now: 10, before: 8, badNow: 1, badBefore: 0.25 });
  expect(compareWeeks([day(0)])).toEqual({ now: 0, before: 0, badNow: null, badBefore: null });
});
