import { expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { DecayedCounts } from './counts.ts';

test('counts, decayed counts and times are those of a list of all sightings', () => {
  const halfLives = [0.5, 3, 40];
  const counts = new DecayedCounts(halfLives);
  const random = seedRandom(4);
  const seen = new Map<string, number[]>();
  let time = 0;
  for (let i = 0; i < 6_000; i++) {
    if (random() < 0.1) time += random() * 3;
    // Few values in two positions and many in the third: keys repeat, and there are more of them than the initial
    // capacity.
    const key = [Math.floor(random() * 40), Math.floor(random() * 3) - 1, Math.floor(random() * 60)] as const;
    counts.add(...key, time);
    seen.set(key.join(), [...(seen.get(key.join()) ?? []), time]);
  }
  const now = time + 2;
  expect(seen.size).toBeGreaterThan(2_000);
  expect(counts.size).toBe(seen.size);
  for (const [key, times] of seen) {
    const entry = counts.find(...(key.split(',').map(Number) as [number, number, number]));
    const moments = [...new Set(times)];
    expect(counts.totals[entry]).toBe(times.length);
    expect(counts.firsts[entry]).toBe(times[0]);
    expect(counts.lasts[entry]).toBe(times.at(-1));
    expect(counts.previous[entry]).toEqual(moments.at(-2) ?? Number.NaN);
    for (const [h, halfLife] of halfLives.entries()) {
      const sum = times.reduce((total, at) => total + 2 ** (-(now - at) / halfLife), 0);
      expect(counts.decayed(entry, h, now)).toBeCloseTo(sum, 10);
    }
  }
  expect(counts.find(40, 0, 0)).toBe(-1);
  expect(counts.decayed(-1, 0, now)).toBe(0);
});
