import { assert } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type EventIndex, emptySummary, firstAfter, type IndexedNumbers, summarise } from '../events/event-index.ts';
import { type Signal, signalKey } from '../events/signals.ts';
import {
  type Aggregate,
  allTable,
  companyMax,
  type Events,
  gapEventsMax,
  type Read,
  smoothingEvents,
  varietyEventsMax,
} from './feature.ts';
import type { Graph, IndexedCategories } from './graph.ts';
import { type History, listSpans, openHistory, type Window, type Windows } from './history.ts';
import type { Member, State, Write } from './state.ts';

/** Prepares to read counts, numbers and categories off the readable events of each row of a state. */
export function openReaders(
  graph: Graph,
  events: Events,
  members: readonly Member[],
): (state: State, write: Write) => void {
  const { spans, slots } = listSpans(members.map(({ read }) => read));
  const history = openHistory(graph, events, spans);
  const spanned = members.map((member, m) => ({ ...member, slot: slots[m] }));
  const bySignal = new Map<string, { numbers: Spanned[]; categories: Spanned[] }>();
  const counting: Spanned[] = [];
  for (const member of spanned) {
    const { read } = member;
    if (!('signal' in read)) {
      counting.push(member);
      continue;
    }
    const key = signalKey(read.signal);
    let group = bySignal.get(key);
    if (!group) bySignal.set(key, (group = { numbers: [], categories: [] }));
    (read.kind === 'number' ? group.numbers : group.categories).push(member);
  }
  const readers: Reader[] = counting.map((member) => countReader(history, member));
  for (const { numbers, categories } of bySignal.values()) {
    if (numbers.length > 0) readers.push(numberReader(graph, events, history, numbers));
    if (categories.length > 0) readers.push(categoryReader(graph, events, categories));
  }
  return (state, write) =>
    history.each(state, (windows) => {
      for (const read of readers) read(windows, write);
    });
}

/** `slot`: the place of the read's span among those of the history. */
type Spanned = Member & { readonly slot: number };
type Reader = (windows: Windows, write: Write) => void;

function countReader({ index }: History, { index: feature, read, slot }: Spanned): Reader {
  if (read.kind === 'count') {
    return ({ count, rows, counts, from }, write) => {
      for (let k = 0; k < count; k++) write(feature, rows[k], counts[k] - from[slot][k]);
    };
  }
  return (windows, write) => {
    for (let k = 0; k < windows.count; k++) write(feature, windows.rows[k], countRead(read, windows, slot, k, index));
  };
}

function countRead(read: Read, windows: Windows, slot: number, k: number, index: EventIndex): number {
  const view = windows.at(k);
  const { limit } = view;
  const days = (from: number, to: number) => (to - from) / microsecondsPerDay;
  switch (read.kind) {
    case 'rate': {
      if (view.count === 0 || !('days' in read.span)) return Number.NaN;
      const lived = Math.max(days(index.time[view.position(0)], limit), 1);
      const recent = (view.count - windows.from[slot][k]) / Math.min(read.span.days, lived);
      return recent / (view.count / lived);
    }
    case 'since':
      if (view.count === 0) return Number.NaN;
      return days(index.time[view.position(read.which === 'last' ? view.count - 1 : 0)], limit);
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

function numberReader(graph: Graph, events: Events, { index }: History, members: readonly Spanned[]): Reader {
  const first = members[0].read;
  assert(first.kind === 'number', 'numeric reads');
  const column = graph.numbers(events, first.signal);
  const bySpan = new Map<number, { feature: number; aggregate: Aggregate }[]>();
  for (const { index: feature, read, slot } of members) {
    assert(read.kind === 'number', 'numeric reads');
    const group = bySpan.get(slot);
    if (group) group.push({ feature, aggregate: read.aggregate });
    else bySpan.set(slot, [{ feature, aggregate: read.aggregate }]);
  }
  const spans = Array.from(bySpan, ([slot, reads]) => {
    const isPlain = reads.every(({ aggregate }) => !needDetail.has(aggregate));
    return { slot, reads, detail: isPlain ? ('mean' as const) : ('all' as const) };
  });
  const isSmoothed = spans.some(({ reads }) => reads.some(({ aggregate }) => aggregate === 'smoothed'));
  const usual = isSmoothed ? openMean(graph, events.table, first.signal) : undefined;
  const needsLast = spans.some(({ reads }) => reads.some(({ aggregate }) => needLast.has(aggregate)));
  const summary = emptySummary();
  const isKnown = (p: number, limit: number) =>
    !Number.isNaN(column.values[p]) && !(column.known && !(column.known[p] <= limit));
  const numbersOf = openNumbers(column);
  const lastOf = (window: Window): number => {
    for (let v = window.count - 1; v >= 0 && v >= window.count - companyMax; v--) {
      const p = window.position(v);
      if (isKnown(p, window.limit)) return column.values[p];
    }
    return Number.NaN;
  };
  return (windows, write) => {
    for (let k = 0; k < windows.count; k++) {
      const window = windows.at(k);
      const { limit } = window;
      const { source, start, firstBlock } = numbersOf(window);
      const last = needsLast ? lastOf(window) : Number.NaN;
      for (const { slot, reads, detail } of spans) {
        const from = windows.from[slot][k];
        if (from >= window.count) summary.count = 0;
        else summarise(source, start, firstBlock, from, window.count, window.skip, limit, summary, detail);
        if (summary.count === 0) {
          for (const { feature, aggregate } of reads) {
            if (aggregate === 'smoothed') write(feature, window.i, usual!(limit));
          }
          continue;
        }
        for (const { feature, aggregate } of reads) {
          let value = Number.NaN;
          if (aggregate === 'mean') value = summary.mean;
          else if (aggregate === 'sum') value = summary.sum;
          else if (aggregate === 'sd')
            value = summary.count > 1 ? Math.sqrt(summary.m2 / (summary.count - 1)) : Number.NaN;
          else if (aggregate === 'min') value = summary.min;
          else if (aggregate === 'max') value = summary.max;
          else if (aggregate === 'smoothed')
            value = (summary.sum + smoothingEvents * usual!(limit)) / (summary.count + smoothingEvents);
          else if (aggregate === 'last') value = last;
          else if (aggregate === 'trend') value = last - summary.mean;
          else value = slope(column.values, index, window, from, limit, isKnown);
          write(feature, window.i, value);
        }
      }
    }
  };
}

/** The mean of all rows of a table that are readable at a limit, by sums of all rows up to each; missing before the first. */
function openMean(graph: Graph, table: string, signal: Signal): (limit: number) => number {
  const { time } = graph.index({ table, via: [allTable] });
  const { values, known } = graph.numbers({ table, via: [allTable] }, signal);
  assert(!known, 'values known with their rows');
  const sums = new Float64Array(values.length + 1);
  const counts = new Int32Array(values.length + 1);
  for (let p = 0; p < values.length; p++) {
    const isFilled = !Number.isNaN(values[p]);
    sums[p + 1] = sums[p] + (isFilled ? values[p] : 0);
    counts[p + 1] = counts[p] + Number(isFilled);
  }
  return (limit) => {
    const end = firstAfter(time, 0, time.length, limit);
    return counts[end] > 0 ? sums[end] / counts[end] : Number.NaN;
  };
}

/** Aggregates that take more than the count and the mean, and those that take the newest value. */
const needDetail: ReadonlySet<Aggregate> = new Set(['sd', 'min', 'max']);
const needLast: ReadonlySet<Aggregate> = new Set(['last', 'trend']);

/** Where `summarise` finds the values of a window: in the column, or gathered where they are not contiguous; until the next call. */
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

/** Least-squares slope of the values over time, per day; missing below three values or when all share one time. */
function slope(
  values: Float64Array,
  index: EventIndex,
  view: Window,
  from: number,
  limit: number,
  isKnown: (p: number, limit: number) => boolean,
): number {
  let count = 0;
  let meanTime = 0;
  let meanValue = 0;
  for (let v = from; v < view.count; v++) {
    const p = view.position(v);
    if (!isKnown(p, limit)) continue;
    count++;
    meanTime += (index.time[p] - limit) / microsecondsPerDay;
    meanValue += values[p];
  }
  if (count < 3) return Number.NaN;
  meanTime /= count;
  meanValue /= count;
  let across = 0;
  let along = 0;
  for (let v = from; v < view.count; v++) {
    const p = view.position(v);
    if (!isKnown(p, limit)) continue;
    const time = (index.time[p] - limit) / microsecondsPerDay - meanTime;
    across += time * (values[p] - meanValue);
    along += time * time;
  }
  return along > 0 ? across / along : Number.NaN;
}

function categoryReader(graph: Graph, events: Events, members: readonly Spanned[]): Reader {
  const first = members[0].read;
  assert('signal' in first, 'category reads');
  const categories = graph.categories(events, first.signal);
  const { codes, known, codeOf } = categories;
  const codeAt = (p: number, limit: number) => (known && !(known[p] <= limit) ? -1 : codes[p]);
  const counts = new Map<number, number>();
  const reads = members.map(({ index, read, slot }) => ({
    ...{ index, read, slot },
    code: 'value' in read ? (codeOf.get(read.value) ?? -2) : -2,
  }));
  return (windows, write) => {
    for (let k = 0; k < windows.count; k++) {
      const view = windows.at(k);
      const { i, limit } = view;
      for (const { index: feature, read, slot, code } of reads) {
        if (read.kind === 'last_is') {
          if (view.count === 0) continue;
          const last = codeAt(view.position(view.count - 1), limit);
          if (last >= 0) write(feature, i, last === code ? 1 : 0);
          continue;
        }
        assert(read.kind === 'share' || read.kind === 'variety', 'category reads');
        if (read.kind === 'share') {
          const [matching, filled] = countMatching(categories, code, view, windows.from[slot][k], limit);
          if (filled > 0) write(feature, i, matching / filled);
          continue;
        }
        const from = Math.max(windows.from[slot][k], view.count - varietyEventsMax);
        let filled = 0;
        let changes = 0;
        let previous = -1;
        counts.clear();
        for (let v = from; v < view.count; v++) {
          const value = codeAt(view.position(v), limit);
          if (value < 0) continue;
          filled++;
          counts.set(value, (counts.get(value) ?? 0) + 1);
          if (previous >= 0 && value !== previous) changes++;
          previous = value;
        }
        if (filled === 0) continue;
        if (read.as === 'distinct') write(feature, i, counts.size);
        else if (read.as === 'changes') {
          if (filled > 1) write(feature, i, changes / (filled - 1));
        } else write(feature, i, entropy(counts, filled));
      }
    }
  };
}

/** Windows up to this many events are counted one by one, so that rare codes need no running totals. */
const countedMax = 64;

/** How many events of a view from `from` on have the code (negative: none has), and how many have any, as known at the limit. */
export function countMatching(
  categories: IndexedCategories,
  code: number,
  view: Window,
  from: number,
  limit: number,
): [matching: number, filled: number] {
  const { codes, known } = categories;
  if (!known && !view.listed && code >= 0 && view.count - from > countedMax)
    return categories.count(code, view.start + from, view.start + view.count, view.start + view.skip);
  let matching = 0;
  let filled = 0;
  for (let v = from; v < view.count; v++) {
    const p = view.position(v);
    if (codes[p] < 0 || (known && !(known[p] <= limit))) continue;
    filled++;
    if (codes[p] === code) matching++;
  }
  return [matching, filled];
}

function entropy(counts: ReadonlyMap<number, number>, total: number): number {
  let sum = 0;
  for (const count of counts.values()) sum -= (count / total) * Math.log(count / total);
  return sum;
}
