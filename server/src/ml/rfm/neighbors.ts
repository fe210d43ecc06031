import { embeddingColumns } from './network.ts';
import type { OpenRfm } from './open.ts';

export type Neighbor = { readonly row: number; readonly similarity: number };

/** Entities as they stood at one moment, to be searched for those most like another. */
export type Neighborhood = {
  /** At most `most` rows by cosine similarity with a vector of 1024 numbers of length 1, best first; never the row `except`. */
  nearest(vector: Float32Array, most: number, except?: number): Neighbor[];
};

/** What is scanned; what is kept of it is compared in full. */
const prefixColumns = 64;
const candidatesMin = 200;
const candidatesPerNeighbor = 10;
const rowsAtOnce = 1024;

/** Embeds `rows` as of `at` (microseconds, the last readable moment). */
export function openNeighborhood(rfm: OpenRfm, rows: Int32Array, at: number): Neighborhood {
  const prefixes = new Float32Array(rows.length * prefixColumns);
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const part = rows.subarray(from, from + rowsAtOnce);
    const moments = new Float64Array(part.length).fill(at);
    prefixes.set(unit(rfm.embedPrefix(part, moments, moments, prefixColumns)), from * prefixColumns);
  }
  return {
    nearest(vector, most, except = -1) {
      const short = unit(vector.slice(0, prefixColumns));
      const rough = rows.map((_, i) => i).filter((i) => rows[i] !== except);
      const near = Float32Array.from(rows, (_, i) => dot(prefixes, i * prefixColumns, short, prefixColumns));
      const kept = rough
        .sort((a, b) => near[b]! - near[a]! || a - b)
        .slice(0, Math.max(candidatesMin, candidatesPerNeighbor * most));
      const own = kept.map((i) => rows[i]!);
      const moments = new Float64Array(own.length).fill(at);
      const full = rfm.embed(own, moments);
      return Array.from(own, (row, k) => ({
        row,
        similarity: dot(full, k * embeddingColumns, vector, embeddingColumns),
      }))
        .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
        .slice(0, most);
    },
  };
}

/** Each stretch of `prefixColumns` scaled to length 1. */
function unit(values: Float32Array): Float32Array {
  for (let from = 0; from < values.length; from += prefixColumns) {
    const length = Math.sqrt(dot(values, from, values.subarray(from), prefixColumns));
    if (length > 0) for (let k = 0; k < prefixColumns; k++) values[from + k]! /= length;
  }
  return values;
}

function dot(a: Float32Array, from: number, b: Float32Array, columns: number): number {
  let sum = 0;
  for (let k = 0; k < columns; k++) sum += a[from + k]! * b[k]!;
  return sum;
}
