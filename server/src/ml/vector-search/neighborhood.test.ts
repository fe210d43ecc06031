import { expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { openNeighborhood, type Vectors } from './neighborhood.ts';

const size = 128;

/** Vectors of length 1 with most of the length in their first numbers, as after a rotation to principal axes. */
function drawn(count: number): Float32Array[] {
  const random = seedRandom(7);
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: size }, (_, k) => (random() - 0.5) / (1 + k));
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

function vectorsOf(all: readonly Float32Array[]): Vectors {
  const joined = (parts: readonly Float32Array[]) => Float32Array.from(parts.flatMap((part) => Array.from(part)));
  return {
    count: all.length,
    prefixes: (from, to, columns) => joined(all.slice(from, to).map((vector) => vector.subarray(0, columns))),
    whole: (places) => joined(Array.from(places, (place) => all[place])),
  };
}

test('the nearest are those of the highest cosine over all numbers, best first, without the one asked about', () => {
  const all = drawn(3_000);
  const { nearest } = openNeighborhood(vectorsOf(all));
  for (const asked of [0, 1_234, 2_999]) {
    const cosine = (place: number) => all[place].reduce((sum, value, k) => sum + value * all[asked][k], 0);
    const best = Array.from(all.keys())
      .filter((place) => place !== asked)
      .sort((a, b) => cosine(b) - cosine(a));
    const found = nearest(all[asked], 10, asked);
    expect(found.map(({ place }) => place)).toEqual(best.slice(0, 10));
    expect(found[0].similarity).toBeCloseTo(cosine(best[0]), 5);
    expect(nearest(all[asked], 1)[0]).toMatchObject({ place: asked, similarity: expect.closeTo(1, 5) });
  }
});

test('of fewer vectors than are asked for all come, and of those that are the same the first', () => {
  const [one] = drawn(1);
  const { nearest } = openNeighborhood(vectorsOf([one!, one!, one!]));
  expect(nearest(one!, 10, 1).map(({ place }) => place)).toEqual([0, 2]);
  expect(openNeighborhood(vectorsOf([])).nearest(one!, 10)).toEqual([]);
});
