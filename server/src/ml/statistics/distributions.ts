import { assert } from '../../lib/failure.ts';
import { sortedOrder } from './ranks.ts';

/** Counted to each bin, so that an empty one has a logarithm (the prior of Krichevsky & Trofimov 1981). */
const addedToBins = 0.5;

/**
 * The population stability index of counts against expected ones over the same bins: Σ (q − p) · ln(q / p) over their
 * shares p and q, which is Jeffreys' divergence (1946; as PSI: Siddiqi 2006). At least 0, without unit: 0.1 is a shift
 * of a normal variable by about 0.3 of its standard deviation, 0.25 by 0.5. By chance alone counts that are drawn from
 * one distribution differ by about (bins − 1) · (1 / n + 1 / m).
 */
export function psi(expected: ArrayLike<number>, counts: ArrayLike<number>): number {
  assert(expected.length === counts.length, 'counts must be of the same bins');
  const bins = counts.length;
  const [all, own] = [totalOf(expected) + addedToBins * bins, totalOf(counts) + addedToBins * bins];
  let sum = 0;
  for (let bin = 0; bin < bins; bin++) {
    const p = (expected[bin] + addedToBins) / all;
    const q = (counts[bin] + addedToBins) / own;
    sum += (q - p) * Math.log(q / p);
  }
  return sum;
}

export function totalOf(counts: ArrayLike<number>): number {
  let total = 0;
  for (let bin = 0; bin < counts.length; bin++) total += counts[bin];
  return total;
}

/** The upper edges of bins of about as many values each, but the last: values up to an edge are in its bin. */
export function edgesOf(values: Float64Array, bins: number): number[] {
  if (values.length === 0) return [];
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
