import { assert } from '../../lib/failure.ts';

/**
 * The order of indices that sorts `values` ascending; stable (equal values keep their order). values: finite or
 * infinite, never NaN. O(n): a radix sort on the bit patterns, because a comparator costs ten times more.
 */
export function sortedOrder(values: ArrayLike<number>): Int32Array {
  const n = values.length;
  let order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  if (isAscending(values)) return order;
  if (n < radixRowsMin) return sortByComparing(values);
  const keys = Float64Array.from(values);
  const words = new Uint32Array(keys.buffer);
  for (let i = 0; i < n; i++) {
    assert(!Number.isNaN(keys[i]), 'values to sort must not be NaN');
    // -0 and 0 are equal, so they must share a bit pattern to keep the sort stable.
    if (keys[i] === 0) keys[i] = 0;
    // The bits of negative numbers sort backwards: flip all of their bits, and only the sign of the others.
    const high = words[2 * i + 1];
    const mask = high >>> 31 === 1 ? 0xffffffff : 0;
    words[2 * i] ^= mask;
    words[2 * i + 1] = (high ^ (mask | 0x80000000)) >>> 0;
  }
  let next = new Int32Array(n);
  const starts = new Int32Array(65_537);
  for (let pass = 0; pass < 4; pass++) {
    const word = pass >> 1;
    const shift = (pass & 1) * 16;
    starts.fill(0);
    for (let i = 0; i < n; i++) starts[((words[2 * i + word] >>> shift) & 0xffff) + 1]++;
    for (let digit = 0; digit < 65_536; digit++) starts[digit + 1] += starts[digit];
    for (let i = 0; i < n; i++) {
      const row = order[i];
      next[starts[(words[2 * row + word] >>> shift) & 0xffff]++] = row;
    }
    [order, next] = [next, order];
  }
  return order;
}

/** Of values that come sorted, as in every draw of a bootstrap, the order is known without a sort. */
function isAscending(values: ArrayLike<number>): boolean {
  if (Number.isNaN(values[0])) return false;
  for (let i = 1; i < values.length; i++) if (!(values[i - 1] <= values[i])) return false;
  return true;
}

/** With fewer values, clearing the radix counters costs more than comparing. */
const radixRowsMin = 4096;

function sortByComparing(values: ArrayLike<number>): Int32Array {
  const order = new Int32Array(values.length);
  for (let i = 0; i < order.length; i++) {
    assert(!Number.isNaN(values[i]), 'values to sort must not be NaN');
    order[i] = i;
  }
  return order.sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b));
}

/** Ranks from 1, ties sharing their average rank (midranks). */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  const order = sortedOrder(values);
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]] === values[order[start]]) end++;
    for (let i = start; i < end; i++) ranks[order[i]] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/** The q-quantile of ascending values, linear between neighbours (type 7 of Hyndman & Fan 1996). NaN when empty. */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const position = q * (sorted.length - 1);
  const below = Math.floor(position);
  const share = position - below;
  // Without the early return an infinite upper neighbour would make 0 * Infinity.
  if (share === 0) return sorted[below];
  return sorted[below] + (sorted[below + 1] - sorted[below]) * share;
}

/** A monotone, piecewise-linear map from a column's values to normal scores. Knots ascend strictly, scores ascend. */
export type RankMap = { readonly knots: readonly number[]; readonly scores: readonly number[] };

/**
 * Fits the map of a column from at most `knotsMax` of its quantiles to normal scores in [-scoreMax, scoreMax]. sorted:
 * finite, ascending. Ties get the middle of their share, so a mass point at zero gets its mean rank. A constant or
 * empty column gives a map without knots, which maps every value to 0.
 */
export function fitRankMap(sorted: ArrayLike<number>, options: { knotsMax: number; scoreMax: number }): RankMap {
  const { knotsMax, scoreMax } = options;
  const n = sorted.length;
  const values: number[] = [];
  const scores: number[] = [];
  const add = (from: number, to: number) => {
    const score = normalQuantile((from + to) / (2 * n));
    values.push(sorted[from]);
    scores.push(Math.max(-scoreMax, Math.min(scoreMax, score)));
  };
  const distinct = countDistinct(sorted, knotsMax + 1);
  if (distinct < 2) return { knots: [], scores: [] };
  if (distinct <= knotsMax) {
    for (let from = 0, to = 0; from < n; from = to) {
      while (to < n && sorted[to] === sorted[from]) to++;
      add(from, to);
    }
  } else {
    for (let k = 0; k < knotsMax; k++) {
      const at = Math.round((k * (n - 1)) / (knotsMax - 1));
      if (values.length > 0 && values[values.length - 1] === sorted[at]) continue;
      add(firstAtLeast(sorted, sorted[at]), firstAbove(sorted, sorted[at]));
    }
  }
  return { knots: values, scores };
}

/**
 * The normal score of one finite value. Outside the knots it is the score of the nearest one; 0 for a map without
 * knots.
 */
export function applyRankMap(map: RankMap, value: number): number {
  const { knots, scores } = map;
  const last = knots.length - 1;
  if (last < 0) return 0;
  if (value <= knots[0]) return scores[0];
  if (value >= knots[last]) return scores[last];
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (knots[middle] <= value) low = middle;
    else high = middle;
  }
  const share = (value - knots[low]) / (knots[high] - knots[low]);
  return scores[low] + (scores[high] - scores[low]) * share;
}

/** Index of the first element ≥ value in ascending values; their length when there is none. */
export function firstAtLeast(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first element > value in ascending values; their length when there is none. */
export function firstAbove(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The standard normal quantile of p in (0, 1); -Infinity and Infinity at the ends. Relative error below 1.2e-9.
 * Source: P. J. Acklam, "An algorithm for computing the inverse normal cumulative distribution function" (2003).
 */
export function normalQuantile(p: number): number {
  if (p <= 0) return -Infinity;
  if (p >= 1) return Infinity;
  if (p > 0.97575) return -normalQuantile(1 - p);
  const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    const top = ((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + 2.938163982698783;
    return top / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  }
  const q = p - 0.5;
  const r = q * q;
  const top = ((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + 2.506628277459239;
  return (top * q) / (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

function countDistinct(sorted: ArrayLike<number>, enough: number): number {
  let distinct = 0;
  for (let i = 0; i < sorted.length && distinct < enough; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct++;
  return distinct;
}
