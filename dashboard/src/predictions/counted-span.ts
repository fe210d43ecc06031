const dayMs = 24 * 60 * 60_000;
/** What is counted where no first day is asked for. */
const daysUsual = 30;
/** A day less than the service takes: its clock is later than ours. */
const daysMost = 365;

/**
 * The time of which predictions are counted for a filter by moments: that of the filter, or as much of its end as the
 * service counts. Without a first moment it is the last 30 days before the end.
 */
export function countedSpan(
  { from, to }: { readonly from?: string; readonly to?: string },
  now: number,
): { readonly from: string; readonly to?: string } {
  const end = to === undefined ? now : Math.min(Date.parse(to), now);
  const begin = from === undefined ? end - daysUsual * dayMs : Math.max(Date.parse(from), end - daysMost * dayMs);
  return { from: new Date(begin).toISOString(), ...(to === undefined ? {} : { to }) };
}
