import { assert } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type EventIndex, emptySummary, type IndexedNumbers, summarise } from '../events/event-index.ts';
import type { Signal } from '../events/signals.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { isKnown } from '../graph/as-of/values.ts';
import { type Aggregate, allTable, type Events, neighborsMax, smoothingEvents } from './feature.ts';
import type { Graph } from './graph.ts';
import type { History, Reader, Spanned, Window } from './history.ts';

/**
 * Prepares to read aggregates of one numeric signal of the events. All aggregates of one span are read at once, from
 * one summary.
 */
export function openNumberReader(
  graph: Graph,
  events: Events,
  { index }: History,
  members: readonly Spanned[],
): Reader {
  const first = members[0].read;
  assert(first.kind === 'number', 'numeric reads');
  const column = graph.numbers(events, first.signal);
  const bySpan = new Map<number, { feature: number; aggregate: Aggregate; year: number }[]>();
  for (const { index: feature, read, slot, year } of members) {
    assert(read.kind === 'number', 'numeric reads');
    const one = { feature, aggregate: read.aggregate, year };
    const group = bySpan.get(slot);
    if (group) group.push(one);
    else bySpan.set(slot, [one]);
  }
  const spans = Array.from(bySpan, ([slot, reads]) => {
    const isPlain = reads.every(({ aggregate }) => !needDetail.has(aggregate));
    return { slot, reads, detail: isPlain ? ('mean' as const) : ('all' as const) };
  });
  const isSmoothed = spans.some(({ reads }) => reads.some(({ aggregate }) => aggregate === 'smoothed'));
  const usual = isSmoothed ? openMean(graph, events, first.signal) : undefined;
  const needsLast = spans.some(({ reads }) => reads.some(({ aggregate }) => needLast.has(aggregate)));
  const [summary, ofYear] = [emptySummary(), emptySummary()];
  const hasValue = (p: number, readableUntil: number) =>
    !Number.isNaN(column.values[p]) && isKnown(column.known, p, readableUntil);
  const numbersOf = openNumbers(column);
  const lastOf = (window: Window): number => {
    for (let v = window.count - 1; v >= 0 && v >= window.count - neighborsMax; v--) {
      const p = window.position(v);
      if (hasValue(p, window.readableUntil)) return column.values[p];
    }
    return Number.NaN;
  };
  return (windows, write) => {
    for (let k = 0; k < windows.count; k++) {
      const window = windows.at(k);
      const { readableUntil } = window;
      const { source, start, firstBlock } = numbersOf(window);
      const last = needsLast ? lastOf(window) : Number.NaN;
      for (const { slot, reads, detail } of spans) {
        const [from, to] = [windows.from[slot][k], windows.to[slot][k]];
        if (from >= to) summary.count = 0;
        else summarise(source, start, firstBlock, from, to, window.skip, readableUntil, summary, detail);
        if (summary.count === 0) {
          for (const { feature, aggregate } of reads) {
            if (aggregate === 'smoothed') write(feature, window.i, usual!(readableUntil));
          }
          continue;
        }
        for (const { feature, aggregate, year } of reads) {
          let value = Number.NaN;
          if (aggregate === 'mean') value = summary.mean;
          else if (aggregate === 'sum') value = summary.sum;
          else if (aggregate === 'sd')
            value = summary.count > 1 ? Math.sqrt(summary.m2 / (summary.count - 1)) : Number.NaN;
          else if (aggregate === 'min') value = summary.min;
          else if (aggregate === 'max') value = summary.max;
          else if (aggregate === 'smoothed')
            value = (summary.sum + smoothingEvents * usual!(readableUntil)) / (summary.count + smoothingEvents);
          else if (aggregate === 'last') value = last;
          else if (aggregate === 'trend') value = last - summary.mean;
          else if (aggregate === 'swing') {
            const [first, end] = [windows.from[year][k], windows.to[year][k]];
            summarise(source, start, firstBlock, first, end, window.skip, readableUntil, ofYear, 'mean');
            value = summary.mean - ofYear.mean;
          } else value = slope(column.values, index, window, from, to, readableUntil, hasValue);
          write(feature, window.i, value);
        }
      }
    }
  };
}

/**
 * Returns the mean of all rows of a table readable at a moment, by cumulative sums over the rows; NaN before the first
 * value.
 */
function openMean(graph: Graph, { table, when }: Events, signal: Signal): (readableUntil: number) => number {
  const everything: Events = { table, via: [allTable], ...(when ? { when } : {}) };
  const { time } = graph.index(everything);
  const { values, known } = graph.numbers(everything, signal);
  assert(!known, 'values known with their rows');
  const sums = new Float64Array(values.length + 1);
  const counts = new Int32Array(values.length + 1);
  for (let p = 0; p < values.length; p++) {
    const isFilled = !Number.isNaN(values[p]);
    sums[p + 1] = sums[p] + (isFilled ? values[p] : 0);
    counts[p + 1] = counts[p] + Number(isFilled);
  }
  return (readableUntil) => {
    const end = firstAfter(time, 0, time.length, readableUntil);
    return counts[end] > 0 ? sums[end] / counts[end] : Number.NaN;
  };
}

/** Aggregates that need more than the count and the mean, and those that need the newest value. */
const needDetail: ReadonlySet<Aggregate> = new Set(['sd', 'min', 'max']);
const needLast: ReadonlySet<Aggregate> = new Set(['last', 'trend']);

/**
 * Locates the values of a window for `summarise`: in the column itself, or copied to a buffer where they are not
 * contiguous. The result is valid until the next call.
 */
export function openNumbers(column: IndexedNumbers) {
  const place = { source: column, start: 0, firstBlock: 0 };
  let scratch = { values: new Float64Array(64), known: new Float64Array(column.known ? 64 : 0) };
  return (view: Window): { source: IndexedNumbers; start: number; firstBlock: number } => {
    if (!view.listed) {
      place.start = view.start;
      place.firstBlock = view.firstBlock;
      return place;
    }
    if (scratch.values.length < view.count) {
      scratch = {
        values: new Float64Array(view.count * 2),
        known: new Float64Array(column.known ? view.count * 2 : 0),
      };
    }
    for (let v = 0; v < view.count; v++) {
      const p = view.position(v);
      scratch.values[v] = column.values[p];
      if (column.known) scratch.known[v] = column.known[p];
    }
    const source = { values: scratch.values, ...(column.known ? { known: scratch.known } : {}), blocks: column.blocks };
    return { source, start: 0, firstBlock: -1 };
  };
}

/**
 * Least-squares slope of the values over time, per day; NaN below three values or when all have one time. Times and
 * values are relative to the first value. Relative to `readableUntil`, the rounding error of a slope near zero would
 * differ from moment to moment, and so would the side of a split it falls on.
 */
function slope(
  values: Float64Array,
  index: EventIndex,
  view: Window,
  from: number,
  to: number,
  readableUntil: number,
  hasValue: (p: number, readableUntil: number) => boolean,
): number {
  let count = 0;
  let first = -1;
  let meanTime = 0;
  let meanValue = 0;
  for (let v = from; v < to; v++) {
    const p = view.position(v);
    if (!hasValue(p, readableUntil)) continue;
    if (count++ === 0) first = p;
    meanTime += (index.time[p] - index.time[first]) / microsecondsPerDay;
    meanValue += values[p] - values[first];
  }
  if (count < 3) return Number.NaN;
  meanTime /= count;
  meanValue /= count;
  let across = 0;
  let along = 0;
  for (let v = from; v < to; v++) {
    const p = view.position(v);
    if (!hasValue(p, readableUntil)) continue;
    const time = (index.time[p] - index.time[first]) / microsecondsPerDay - meanTime;
    across += time * (values[p] - values[first] - meanValue);
    along += time * time;
  }
  return along > 0 ? across / along : Number.NaN;
}
