import { expect, test } from 'vitest';
import { readAll } from './read-all.ts';

async function* count(to: number) {
  for (let at = 1; at <= to; at++) yield at;
}

test('a list is read to its end, or as far as is asked', async () => {
  expect(await readAll(count(450), 1_000)).toHaveLength(450);
  expect(await readAll(count(450), 3)).toEqual([1, 2, 3]);
});
