import { expect, test } from 'vitest';
import { recipesFor } from './recipes.ts';

test('trees grow deeper with the examples there are, and not with how often each is asked about', () => {
  const depths = (rows: number, examples: number) => [
    ...new Set(
      recipesFor({ kind: 'binary', metric: 'auroc', classes: [] }, rows, examples).flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === 'trees' ? [part.depth] : [])),
      ),
    ),
  ];
  expect(depths(24_000, 24_000)).toEqual([5]);
  expect(depths(24_000, 8_000)).toEqual([3]);
  expect(depths(8_000, 8_000)).toEqual([3]);
});
