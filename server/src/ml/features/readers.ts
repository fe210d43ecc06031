import { assert } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type EventIndex, emptySummary, type IndexedNumbers, summarise } from '../events/event-index.ts';
import { signalKey } from '../events/signals.ts';
import { companyMax, type Events, gapEventsMax, type Read, type Span, varietyEventsMax } from './feature.ts';
import type { Graph, IndexedCategories } from './graph.ts';
import { openHistory, spanStart, visitOrder, type Window } from './history.ts';
import type { Member, State, Write } from './state.ts';

/** Reads counts, numbers and categories off the readable events of each row of a state. */
export function evaluateHistory(
  graph: Graph,
  events: Events,
  state: State,
  members: readonly Member[],
  write: Write,
): void {
  const index = graph.index(events);
  const history = openHistory(graph, events, state);
  const counting: Member[] = [];
  const bySignal = new Map<string, { numbers: Member[]; categories: Member[] }>();
  for (const member of members) {
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
  const numbers: NumberReader[] = [];
  const categories: CategoryReader[] = [];
  for (const group of bySignal.values()) {
    if (group.numbers.length > 0) numbers.push(numberReader(graph, events, group.numbers));
    if (group.categories.length > 0) categories.push(categoryReader(graph, events, group.categories));
  }
  for (const i of visitOrder(index, state.rows)) {
    if (state.rows[i] < 0) continue;
    const view = history(i);
    const limit = state.limit[i];
    for (const { index: feature, read } of counting) write(feature, i, countRead(read, index, view, limit));
    for (const reader of numbers) reader(view, index, limit, i, write);
    for (const reader of categories) reader(view, index, limit, i, write);
  }
}

function countRead(read: Read, index: EventIndex, view: Window, limit: number): number {
  const days = (from: number, to: number) => (to - from) / microsecondsPerDay;
  switch (read.kind) {
    case 'count':
      return view.count - spanStart(read.span, index, view, limit);
    case 'rate': {
      if (view.count === 0 || !('days' in read.span)) return Number.NaN;
      const lived = Math.max(days(index.time[view.position(0)], limit), 1);
      const recent = (view.count - spanStart(read.span, index, view, limit)) / Math.min(read.span.days, lived);
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

type NumberReader = (view: Window, index: EventIndex, limit: number, i: number, write: Write) => void;
type CategoryReader = NumberReader;

function numberReader(graph: Graph, events: Events, members: readonly Member[]): NumberReader {
  const first = members[0].read;
  assert(first.kind === 'number', 'numeric reads');
  const column = graph.numbers(events, first.signal);
  const spans = new Map<string, { span: Span; reads: { index: number; aggregate: string }[] }>();
  for (const { index, read } of members) {
    assert(read.kind === 'number', 'numeric reads');
    const key = JSON.stringify(read.span);
    const group = spans.get(key);
    if (group) group.reads.push({ index, aggregate: read.aggregate });
    else spans.set(key, { span: read.span, reads: [{ index, aggregate: read.aggregate }] });
  }
  const summary = emptySummary();
  const isKnown = (p: number, limit: number) =>
    !Number.isNaN(column.values[p]) && !(column.known && !(column.known[p] <= limit));
  const numbersOf = openNumbers(column);
  return (view, index, limit, i, write) => {
    const { source, start, firstBlock } = numbersOf(view);
    let last = Number.NaN;
    for (let v = view.count - 1; v >= 0 && v >= view.count - companyMax; v--) {
      if (isKnown(view.position(v), limit)) {
        last = column.values[view.position(v)];
        break;
      }
    }
    for (const { span, reads } of spans.values()) {
      const from = spanStart(span, index, view, limit);
      if (from >= view.count) continue;
      summarise(source, start, firstBlock, from, view.count, view.skip, limit, summary);
      if (summary.count === 0) continue;
      for (const { index: feature, aggregate } of reads) {
        let value = Number.NaN;
        if (aggregate === 'mean') value = summary.mean;
        else if (aggregate === 'sum') value = summary.sum;
        else if (aggregate === 'sd')
          value = summary.count > 1 ? Math.sqrt(summary.m2 / (summary.count - 1)) : Number.NaN;
        else if (aggregate === 'min') value = summary.min;
        else if (aggregate === 'max') value = summary.max;
        else if (aggregate === 'last') value = last;
        else if (aggregate === 'trend') value = last - summary.mean;
        else value = slope(column.values, index, view, from, limit, isKnown);
        write(feature, i, value);
      }
    }
  };
}

/** Where `summarise` finds the values of a view: in the column, or gathered where they are not contiguous; until the next call. */
export function openNumbers(column: IndexedNumbers) {
  let scratch = { values: new Float64Array(64), known: new Float64Array(column.known ? 64 : 0) };
  return (view: Window): { source: IndexedNumbers; start: number; firstBlock: number } => {
    if (!view.listed) return { source: column, start: view.start, firstBlock: view.firstBlock };
    if (scratch.values.length < view.count) {
      scratch = {
        values: new Float64Array(view.count * 2),
        known: new Float64Array(column.known ? view.count * 2 : 0),
      };
    }
    for (let v = 0; v < view.count; v++) {
      scratch.values[v] = column.values[view.listed[v]];
      if (column.known) scratch.known[v] = column.known[view.listed[v]];
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

function categoryReader(graph: Graph, events: Events, members: readonly Member[]): CategoryReader {
  const first = members[0].read;
  assert('signal' in first, 'category reads');
  const categories = graph.categories(events, first.signal);
  const { codes, known, codeOf } = categories;
  const codeAt = (p: number, limit: number) => (known && !(known[p] <= limit) ? -1 : codes[p]);
  const reads = members.map(({ index, read }) => ({
    index,
    read,
    code: 'value' in read ? (codeOf.get(read.value) ?? -2) : -2,
  }));
  const counts = new Map<number, number>();
  return (view, index, limit, i, write) => {
    for (const { index: feature, read, code } of reads) {
      if (read.kind === 'last_is') {
        if (view.count === 0) continue;
        const last = codeAt(view.position(view.count - 1), limit);
        if (last >= 0) write(feature, i, last === code ? 1 : 0);
        continue;
      }
      assert(read.kind === 'share' || read.kind === 'variety', 'category reads');
      if (read.kind === 'share') {
        const from = spanStart(read.span, index, view, limit);
        const [matching, filled] = countMatching(categories, code, view, from, limit);
        if (filled > 0) write(feature, i, matching / filled);
        continue;
      }
      const from = Math.max(spanStart(read.span, index, view, limit), view.count - varietyEventsMax);
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
