import { microsecondsPerDay } from '../contract/contract.ts';
import type { EventIndex } from '../events/event-index.ts';
import { gapEventsMax, type Read, yearDays } from './feature.ts';
import type { History, Reader, Spanned, Windows } from './history.ts';

/** Prepares to read how many events there are, how often they come and how long ago they were. */
export function openCountReader({ index }: History, { index: feature, read, slot, year }: Spanned): Reader {
  if (read.kind === 'count') {
    const isSeason = 'season' in read.span;
    return ({ count, rows, from, to }, write) => {
      for (let k = 0; k < count; k++)
        if (!isSeason || to[slot][k] > 0) write(feature, rows[k], to[slot][k] - from[slot][k]);
    };
  }
  return (windows, write) => {
    for (let k = 0; k < windows.count; k++)
      write(feature, windows.rows[k], countRead(read, windows, [slot, year], k, index));
  };
}

function countRead(
  read: Read,
  windows: Windows,
  [slot, year]: readonly [slot: number, year: number],
  k: number,
  index: EventIndex,
): number {
  const view = windows.at(k);
  const { at, readableUntil } = view;
  const days = (from: number, to: number) => (to - from) / microsecondsPerDay;
  switch (read.kind) {
    case 'rate': {
      if ('season' in read.span) {
        const [from, of] = [windows.from[slot][k], windows.to[year][k] - windows.from[year][k]];
        if (from === 0 || of === 0) return Number.NaN;
        const lasted = Math.min(yearDays, read.span.since - days(readableUntil, at));
        return (windows.to[slot][k] - from) / read.span.season / (of / lasted);
      }
      if (view.count === 0 || !('days' in read.span)) return Number.NaN;
      const lived = Math.max(days(index.time[view.position(0)], readableUntil), 1);
      const recent = (view.count - windows.from[slot][k]) / Math.min(read.span.days, lived);
      return recent / (view.count / lived);
    }
    case 'since':
      if (view.count === 0) return Number.NaN;
      return days(index.time[view.position(read.which === 'last' ? view.count - 1 : 0)], readableUntil);
    case 'gap': {
      const from = Math.max(0, view.count - gapEventsMax);
      const gaps = view.count - from - 1;
      if (gaps < (read.as === 'mean' ? 1 : 2)) return Number.NaN;
      const mean = days(index.time[view.position(from)], index.time[view.position(view.count - 1)]) / gaps;
      if (read.as === 'mean') return mean;
      let m2 = 0;
      for (let v = from + 1; v < view.count; v++) {
        const gap = days(index.time[view.position(v - 1)], index.time[view.position(v)]);
        m2 += (gap - mean) * (gap - mean);
      }
      return Math.sqrt(m2 / gaps);
    }
    default:
      throw new Error(`${read.kind} does not count events`);
  }
}
