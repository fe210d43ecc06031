import { expect, test } from 'vitest';
import { headlineValue } from './headline.ts';

test('a file has answers as they were answered, not as they are said', () => {
  expect(headlineValue({ prediction_30d: 0.034215, prediction_90d: 0.0871 })).toBe(0.0871);
  expect(headlineValue({ score: 712, pd_90d: 0.05 })).toBe(712);
  expect(headlineValue({ prediction: 'pix' })).toBe('pix');
  expect(headlineValue({ items: [] })).toBeNull();
});
