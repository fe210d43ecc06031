import { expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { embeddingColumns } from './network.ts';
import type { OpenRfm } from './open.ts';
import { layOut, sampleRows } from './plane.ts';

/** Vectors about a point, wide along two directions that lie askew to the columns, and narrow along all others. */
function openSample(count: number) {
  const random = seedRandom(5);
  const normal = () => Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);
  const [one, other] = [
    [0.6, 0, 0.8, 0],
    [0, 1, 0, 0],
  ];
  const wide = Array.from({ length: count }, () => [4 * normal(), 2 * normal()]);
  const vectors = new Float32Array(count * embeddingColumns);
  for (const [i, [a, b]] of wide.entries())
    for (let k = 0; k < 8; k++)
      vectors[i * embeddingColumns + k] = 3 + a * (one[k] ?? 0) + b * (other[k] ?? 0) + 0.01 * normal();
  const embed = (rows: Int32Array) => {
    const own = new Float32Array(rows.length * embeddingColumns);
    rows.forEach((row, i) => {
      own.set(vectors.subarray(row * embeddingColumns, (row + 1) * embeddingColumns), i * embeddingColumns);
    });
    return own;
  };
  return { wide, rfm: { embed } as unknown as OpenRfm };
}

test('the two directions along which entities differ most are shown, the wider first', () => {
  const { wide, rfm } = openSample(300);
  const { x, y, explained } = layOut(rfm, Int32Array.from(wide.keys()), 0);
  const distances = (place: (i: number) => readonly number[]) =>
    wide.slice(1).map((_, i) => Math.hypot(...place(i).map((value, k) => value - place(i + 1)[k])));
  const [shown, own] = [distances((i) => [x[i], y[i]]), distances((i) => wide[i])];
  shown.forEach((distance, i) => {
    expect(Math.abs(distance - own[i])).toBeLessThan(0.1);
  });
  expect(explained[0]).toBeGreaterThan(explained[1]);
  expect(explained[0] + explained[1]).toBeGreaterThan(0.999);
  expect(layOut(rfm, Int32Array.from(wide.keys()), 0)).toEqual({ x, y, explained });
});

test('entities that are all alike lie in one point', () => {
  const rfm = { embed: (rows: Int32Array) => new Float32Array(rows.length * embeddingColumns) } as unknown as OpenRfm;
  expect(layOut(rfm, Int32Array.of(1, 2), 0)).toMatchObject({ explained: [0, 0] });
});

test('a sample is the same at each call, in order, without repetition', () => {
  const rows = Int32Array.from({ length: 500 }, (_, i) => 3 * i);
  const drawn = sampleRows(rows, 50);
  expect(new Set(drawn).size).toBe(50);
  expect([...drawn]).toEqual([...drawn].sort((a, b) => a - b));
  expect(sampleRows(rows, 50)).toEqual(drawn);
  expect(sampleRows(rows, 500)).toEqual(rows);
});
