/** The first and the last day that rows were asked about, as ISO 8601. */
export type Days = { readonly from: string; readonly to: string };

/** The days of moments in microseconds, of which there is one at least. */
export function daysOf(at: Float64Array): Days {
  const first = at.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = at.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [from, to] = [first, last].map((moment) => new Date(moment / 1000).toISOString().slice(0, 10));
  return { from, to };
}
