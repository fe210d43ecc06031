import { firstAbove, quantileOfSorted } from '../statistics/ranks.ts';

/**
 * How the values of a column are counted: numbers between edges, of which an edge begins the bin above it; texts by the
 * values that were frequent, and all others together. Counts have the values that are missing first.
 */
export type Bins =
  | { readonly kind: 'number'; readonly edges: readonly number[] }
  | { readonly kind: 'text'; readonly values: readonly string[] };

const numberBins = 10;
/** Texts beyond these are counted together, as are those with fewer rows than can be told from none. */
const textsMax = 15;
const textShareMin = 0.01;

/** Lays bins of about equally many of these numbers; fewer where many are alike. NaN is missing. */
export function layNumberBins(values: ArrayLike<number>): Bins {
  const sorted = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const edges: number[] = [];
  for (let k = 1; k < numberBins && sorted.length > 0; k++) {
    const edge = quantileOfSorted(sorted, k / numberBins);
    if (edge > (edges.at(-1) ?? sorted[0])) edges.push(edge);
  }
  return { kind: 'number', edges };
}

/** Lays a bin for each frequent text. null is missing. */
export function layTextBins(values: readonly (string | null)[]): Bins {
  const rows = new Map<string, number>();
  for (const value of values) if (value !== null) rows.set(value, (rows.get(value) ?? 0) + 1);
  const frequent = [...rows]
    .filter(([, count]) => count >= textShareMin * values.length)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { kind: 'text', values: frequent.slice(0, textsMax).map(([text]) => text) };
}

/** How many counts bins have: of what is missing, of each bin, and for texts of all others. */
export function countsOf(bins: Bins): number {
  return 2 + (bins.kind === 'number' ? bins.edges.length : bins.values.length);
}

/** The place of a value among the counts. */
export function placeOf(bins: Bins, value: number | string | null): number {
  if (bins.kind === 'number')
    return typeof value !== 'number' || Number.isNaN(value) ? 0 : 1 + firstAbove(bins.edges, value);
  if (typeof value !== 'string') return 0;
  const at = bins.values.indexOf(value);
  return at < 0 ? 1 + bins.values.length : 1 + at;
}
