import type { Head } from '../heads/head.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';

/**
 * Names the cell that each row of a matrix lies in, as against its first row: rows of one cell have the same margins in
 * every head, bit for bit. Trees tell values apart by their thresholds alone, linear parts by every value. The cell of
 * the first row is the empty text, and a cell has the same name in every matrix with the same first row.
 */
export function openCells(heads: readonly Head[]): (matrix: FeatureMatrix) => string[] {
  const cuts = new Map<number, Set<number>>();
  const linear = new Set<number>();
  for (const model of heads.flat()) {
    if (model.kind === 'linear') for (const { feature } of model.linear.terms) linear.add(feature);
    else
      for (const { feature, threshold } of model.forest.trees)
        feature.forEach((f, node) => {
          if (f < 0) return;
          const own = cuts.get(f) ?? new Set();
          cuts.set(f, own.add(threshold[node]));
        });
  }
  const sorted = new Map(Array.from(cuts, ([f, own]) => [f, Float32Array.from(own).sort()]));
  const read = [...new Set([...sorted.keys(), ...linear])].sort((a, b) => a - b);
  const placeOf = (f: number, value: number) => {
    if (Number.isNaN(value)) return Number.NaN;
    return linear.has(f) ? value : cutsBelow(sorted.get(f)!, value);
  };
  return ({ rows, values }) => {
    const names = new Array<string>(rows).fill('');
    for (const f of read) {
      const own = values.subarray(f * rows, (f + 1) * rows);
      const first = placeOf(f, own[0]);
      for (let row = 1; row < rows; row++) {
        const place = placeOf(f, own[row]);
        if (place !== first && !(Number.isNaN(place) && Number.isNaN(first))) names[row] += `${f}=${place} `;
      }
    }
    return names;
  };
}

/** How many of the ascending cuts lie below a value: at a split, what is at most the threshold goes left. */
function cutsBelow(cuts: Float32Array, value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
