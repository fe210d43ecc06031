import { seedRandom } from '../statistics/random.ts';
import { embeddingColumns } from './network.ts';
import type { OpenRfm } from './open.ts';
import { principalAxes } from './rotation.ts';

/** Entities in two dimensions, by row. `explained`: the share of their spread that each dimension shows, 0 to 1. */
export type Plane = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly explained: readonly [number, number];
};

/** The leading numbers of the embeddings, the widest axes of them, that the two dimensions are found in. */
const leading = 64;
const seed = 1;

/** Draws at most `most` of rows, the same at each call, in their order. */
export function sampleRows(rows: Int32Array, most: number): Int32Array {
  if (rows.length <= most) return rows;
  const random = seedRandom(seed);
  const drawn = rows.slice();
  for (let i = 0; i < most; i++) {
    const j = i + Math.floor(random() * (drawn.length - i));
    [drawn[i], drawn[j]] = [drawn[j], drawn[i]];
  }
  return drawn.slice(0, most).sort();
}

/** Shows entities as of `at` (microseconds) on the two axes along which they differ most (principal components). */
export function layOut(rfm: OpenRfm, rows: Int32Array, at: number): Plane {
  const count = rows.length;
  const vectors = rfm.embed(rows, new Float64Array(count).fill(at));
  const mean = new Float64Array(embeddingColumns);
  for (let k = 0; k < vectors.length; k++) mean[k % embeddingColumns] += vectors[k] / count;
  const centred = new Float32Array(count * leading);
  let spread = 0;
  for (let k = 0; k < vectors.length; k++) {
    const column = k % embeddingColumns;
    const value = vectors[k] - mean[column];
    spread += value * value;
    if (column < leading) centred[Math.floor(k / embeddingColumns) * leading + column] = value;
  }
  const axes = principalAxes(centred, leading);
  const along = (axis: number) =>
    Float64Array.from({ length: count }, (_, i) => {
      let sum = 0;
      for (let k = 0; k < leading; k++) sum += centred[i * leading + k] * axes[k * leading + axis];
      return sum;
    });
  const [x, y] = [along(0), along(1)];
  const shareOf = (values: Float64Array) =>
    spread > 0 ? values.reduce((sum, value) => sum + value * value, 0) / spread : 0;
  return { x, y, explained: [shareOf(x), shareOf(y)] };
}
