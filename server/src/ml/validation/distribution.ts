import { sortedOrder } from '../statistics/ranks.ts';

const binsOfIndex = 10;
/** What an empty bin counts as, in rows: the logarithm of nothing tells nothing. */
const emptyRows = 0.5;

/**
 * The population stability index of values against earlier ones: Σ (p − q) ln(p / q) over the tenths of the earlier
 * values (Siddiqi 2006), equal values kept in one bin; a bin without rows counts as half a row. 0: the same
 * distribution. NaN where either is empty.
 */
export function stabilityIndex(earlier: Float64Array, values: Float64Array): number {
  if (earlier.length === 0 || values.length === 0) return Number.NaN;
  const edges = edgesOf(earlier, binsOfIndex);
  const [before, now] = [countIn(edges, earlier), countIn(edges, values)];
  let index = 0;
  for (let bin = 0; bin < before.length; bin++) {
    const p = Math.max(now[bin], emptyRows) / values.length;
    const q = Math.max(before[bin], emptyRows) / earlier.length;
    index += (p - q) * Math.log(p / q);
  }
  return index;
}

/** The upper edges of bins of about as many values each, but the last: values up to an edge are in its bin. */
export function edgesOf(values: Float64Array, bins: number): number[] {
  const sorted = values.toSorted();
  const edges = Array.from({ length: bins - 1 }, (_, k) => sorted[Math.ceil(((k + 1) * sorted.length) / bins) - 1]);
  // An edge at the largest value would leave nothing above it.
  return [...new Set(edges)].filter((edge) => edge < sorted.at(-1)!);
}

/** How many values are in each bin of ascending edges. */
export function countIn(edges: readonly number[], values: Float64Array): number[] {
  const counts = Array.from({ length: edges.length + 1 }, () => 0);
  for (const value of values) counts[binOf(edges, value)]++;
  return counts;
}

/** The bin of a value: up to an edge it is in that edge's. */
export function binOf(edges: readonly number[], value: number): number {
  let bin = 0;
  while (bin < edges.length && value > edges[bin]) bin++;
  return bin;
}

/**
 * The two-sample statistic of Kolmogorov and Smirnov: the largest distance between the shares of values up to any
 * value. 0 to 1; NaN where either is empty.
 */
export function largestDistance(first: Float64Array, second: Float64Array): number {
  if (first.length === 0 || second.length === 0) return Number.NaN;
  const all = Float64Array.from([...first, ...second]);
  const order = sortedOrder(all);
  let [ofFirst, ofSecond, largest] = [0, 0, 0];
  for (let from = 0; from < order.length; ) {
    let to = from;
    for (; to < order.length && all[order[to]] === all[order[from]]; to++) {
      if (order[to] < first.length) ofFirst++;
      else ofSecond++;
    }
    largest = Math.max(largest, Math.abs(ofFirst / first.length - ofSecond / second.length));
    from = to;
  }
  return largest;
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
