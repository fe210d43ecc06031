import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonDifferences } from './json-differences.ts';

test('tells each place that differs by its pointer, and no more than are asked for', () => {
  const one = { a: 1, 'b/c': [1, { d: null }, 3], '~': 'x', same: { deep: [true] } };
  const other = { a: 2, 'b/c': [1, {}], '~': 'y', same: { deep: [true] }, more: 0 };
  expect(jsonDifferences(one, other, 10)).toEqual(['/a', '/b~1c/1/d', '/b~1c/2', '/~0', '/more']);
  expect(jsonDifferences(one, other, 2)).toEqual(['/a', '/b~1c/1/d']);
  expect(jsonDifferences([], {}, 10)).toEqual(['']);
  expect(jsonDifferences(null, 0, 10)).toEqual(['']);
});

test('finds none exactly between values that JSON writes alike', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(jsonDifferences(one, structuredClone(one), 1)).toEqual([]);
      const sorted = (value: unknown) =>
        JSON.stringify(value, (_, part) =>
          typeof part === 'object' && part !== null && !Array.isArray(part)
            ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
            : part,
        );
      expect(jsonDifferences(one, other, 1).length === 0).toBe(sorted(one) === sorted(other));
    }),
  );
});
