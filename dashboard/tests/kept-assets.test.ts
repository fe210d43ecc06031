import { expect, test } from 'vitest';
import { keptAssets } from '../kept-assets.ts';

const hour = 60 * 60_000;
const now = 1_000 * hour;

test('assets of the last day stay, and of thousands the newest: all of them could not be served', () => {
  expect(
    keptAssets(
      [23, 25, 1].map((hours) => ({ name: `${hours}.js`, at: now - hours * hour })),
      now,
    ),
  ).toEqual(['1.js', '23.js']);
  const many = Array.from({ length: 5_000 }, (_, k) => ({ name: `${k}.js`, at: now - 5_000 + k }));
  const kept = keptAssets(many, now);
  expect([kept.length < 2_000, kept[0]]).toEqual([true, '4999.js']);
});
