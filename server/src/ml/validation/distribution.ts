import { binOf, countIn, edgesOf, psi } from '../statistics/distributions.ts';

const binsOfIndex = 10;

/**
 * The population stability index of values against earlier ones, over the tenths of the earlier values; equal values
 * are in one bin. 0: the same distribution. NaN where either is empty.
 */
export function stabilityIndex(earlier: Float64Array, values: Float64Array): number {
  if (earlier.length === 0 || values.length === 0) return Number.NaN;
  const edges = edgesOf(earlier, binsOfIndex);
  return psi(countIn(edges, earlier), countIn(edges, values));
}

/**
 * The stability index of values against earlier ones, as if another measure had been distributed among the earlier as
 * it is now: an earlier value has the weight by which the tenth that its other measure lies in is more frequent now.
 * What moves only with the other measure does not count. NaN where either is empty.
 */
export function stabilityIndexBeside(
  [earlier, otherEarlier]: readonly [Float64Array, Float64Array],
  [values, otherNow]: readonly [Float64Array, Float64Array],
): number {
  if (earlier.length === 0 || values.length === 0) return Number.NaN;
  const otherEdges = edgesOf(otherEarlier, binsOfIndex);
  const [then, now] = [countIn(otherEdges, otherEarlier), countIn(otherEdges, otherNow)];
  const edges = edgesOf(earlier, binsOfIndex);
  const weighted = edges.concat(0).map(() => 0);
  for (let row = 0; row < earlier.length; row++) {
    const other = binOf(otherEdges, otherEarlier[row]);
    weighted[binOf(edges, earlier[row])] += (now[other] / then[other]) * (earlier.length / values.length);
  }
  return psi(weighted, countIn(edges, values));
}

/** Bands by ascending prediction: names, and the band of a prediction by its place among them. */
export type Bands = { readonly names: readonly string[]; of(value: number): number };

/** How many rows of each band before (rows) are in each band now (columns). */
export function migrationOf({ names, of }: Bands, before: Float64Array, now: Float64Array): number[][] {
  const counts = names.map(() => names.map(() => 0));
  for (let row = 0; row < now.length; row++) counts[of(before[row])][of(now[row])]++;
  return counts;
}

/** The share of rows that moved more than one band. */
export function farMoved(counts: readonly (readonly number[])[]): number {
  let [moved, all] = [0, 0];
  for (const [from, row] of counts.entries())
    for (const [to, rows] of row.entries()) {
      all += rows;
      if (Math.abs(from - to) > 1) moved += rows;
    }
  return moved / all;
}
