import { expect, test } from 'vitest';
import { asPicked } from './picked.ts';

test('a day or moment is written as its control shows it', () => {
  expect(asPicked('date', '2024-12-31T00:00:00Z')).toBe('2024-12-31');
  expect(asPicked('timestamp', '2024-12-31T18:00:00Z')).toBe('2024-12-31T18:00:00');
  expect(asPicked('timestamp', '2024-12-31 18:00:00.250-03:00')).toBe('2024-12-31T21:00:00');
  expect(asPicked('timestamp', '2024-12-31')).toBe('2024-12-31T00:00:00');
  expect(asPicked('time', '18:00:00.5')).toBe('18:00:00');
  for (const text of ['', 'soon', '31/12/2024']) expect(asPicked('timestamp', text)).toBe(text);
});
