import { expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { openRotator } from './rotate.ts';

const rowsMax = 9;

/** The product as four sums over every fourth column; the first sum also takes the remaining columns. */
function plainProduct(axis: Float32Array, raw: Float64Array): number {
  const sums = [0, 0, 0, 0];
  const even = axis.length - (axis.length % 4);
  for (const [k, value] of axis.entries()) sums[k < even ? k % 4 : 0] += value * raw[k];
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

test.each([1, 3, 4, 7, 30, 64])(
  'raw vectors of %i numbers are rotated to the same bits alone, together and by plain sums',
  (width) => {
    const random = seedRandom(width);
    const rotations = [0, 1].map(() => Float32Array.from({ length: 48 * width }, () => random() - 0.5));
    const rotate = openRotator(width, rowsMax);
    for (let rows = 0; rows <= rowsMax; rows++) {
      const raws = Array.from({ length: rows }, () => Float64Array.from({ length: width }, () => random() - 0.5));
      for (const rotation of rotations) {
        for (const columns of [16, 48]) {
          const wanted = raws.map((raw) =>
            Float64Array.from({ length: columns }, (_, i) =>
              i < width ? plainProduct(rotation.subarray(i * width, (i + 1) * width), raw) : 0,
            ),
          );
          expect(rotate(raws, rotation, columns)).toEqual(wanted);
          expect(raws.map((raw) => rotate([raw], rotation, columns)[0])).toEqual(wanted);
        }
      }
    }
  },
);
