import { expect, test } from 'vitest';
import { addUp, round } from './add-up.ts';

test('the parts of an answer add up as they are written', () => {
  // Rounded one by one they would say 654 − 0 − 0 = 653.
  expect(addUp({ usual: 654.4, reasons: -0.45, answer: 653.4 }, 0)).toEqual({
    ...{ usual: 654, reasons: 0, others: -1, answer: 653 },
  });
  expect(addUp({ usual: 9.014, reasons: 1.004, answer: 10.026 }, 2)).toEqual({
    ...{ usual: 9.01, reasons: 1, others: 0.02, answer: 10.03 },
  });
});

test('halves are rounded away from zero on either side, and nothing is less than zero by nothing', () => {
  expect([0.5, -0.5, 1.5, -1.5].map((value) => round(value, 0))).toEqual([1, -1, 2, -2]);
  expect(Object.is(round(-0.4, 0), 0)).toBe(true);
});
