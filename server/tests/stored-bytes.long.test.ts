/** Stored objects damaged at random and in every way, each found before anything is answered from it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bitsOf,
  expectFound,
  expectSpoiltFound,
  expectWorks,
  flip,
  kinds,
  openStage,
  type Stage,
  spoilings,
} from './damage.ts';

const flips = 40;
const seed = 20_261_123;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.service.close());

test('forty of forty flipped bits are found, and what is mended is read again', async () => {
  const draw = drawer(seed);
  const names = Object.keys(kinds);
  const found: string[] = [];
  for (let at = 0; at < flips; at++) {
    const { of, uses } = kinds[names[at % names.length]];
    const isOfKind = await of(stage);
    const objects = [...stage.files()].filter(([key]) => isOfKind(key)).sort(([a], [b]) => (a < b ? -1 : 1));
    const [key, path] = objects[draw(objects.length)];
    const use = uses[draw(uses.length)];
    const bit = draw(bitsOf(path));
    flip(path, bit);
    try {
      await expectFound(stage, key, use);
      found.push(key);
    } finally {
      flip(path, bit);
    }
    await expectWorks(stage, key, use);
  }
  expect(found).toHaveLength(flips);
});

test.each(Object.keys(spoilings))('frozen tables: %s is found', (way) =>
  expectSpoiltFound(stage, 'frozen tables', way),
);

/** Draws whole numbers below a bound (mulberry32). */
function drawer(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
