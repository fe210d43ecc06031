import { assert } from '../../lib/failure.ts';
import { isKnown } from '../graph/as-of/values.ts';
import { type Events, varietyEventsMax } from './feature.ts';
import type { Graph, IndexedCategories } from './graph.ts';
import type { Reader, Spanned, Window } from './history.ts';

/** Prepares to read shares of values, the newest value and the variety of one category signal of the events. */
export function openCategoryReader(graph: Graph, events: Events, members: readonly Spanned[]): Reader {
  const first = members[0].read;
  assert('signal' in first, 'category reads');
  const categories = graph.categories(events, first.signal);
  const { codes, known, codeOf } = categories;
  const codeAt = (p: number, readableUntil: number) => (isKnown(known, p, readableUntil) ? codes[p] : -1);
  const counts = new Map<number, number>();
  const reads = members.map(({ index, read, slot }) => ({
    ...{ index, read, slot },
    code: 'value' in read ? (codeOf.get(read.value) ?? -2) : -2,
  }));
  return (windows, write) => {
    for (let k = 0; k < windows.count; k++) {
      const view = windows.at(k);
      const { i, readableUntil } = view;
      for (const { index: feature, read, slot, code } of reads) {
        if (read.kind === 'last_is') {
          if (view.count === 0) continue;
          const last = codeAt(view.position(view.count - 1), readableUntil);
          if (last >= 0) write(feature, i, last === code ? 1 : 0);
          continue;
        }
        assert(read.kind === 'share' || read.kind === 'variety', 'category reads');
        const to = windows.to[slot][k];
        if (read.kind === 'share') {
          const [matching, filled] = countMatching(categories, code, view, windows.from[slot][k], to, readableUntil);
          if (filled > 0) write(feature, i, matching / filled);
          continue;
        }
        const from = Math.max(windows.from[slot][k], to - varietyEventsMax);
        let filled = 0;
        let changes = 0;
        let previous = -1;
        counts.clear();
        for (let v = from; v < to; v++) {
          const value = codeAt(view.position(v), readableUntil);
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

/** Windows of up to this many events are counted one by one, so that rare codes need no running totals. */
const countedMax = 64;

/**
 * Counts, among the events `from` to `to` - 1 of a view, those that have `code` (a negative code matches none) and
 * those that have any value, as known at `readableUntil`.
 */
export function countMatching(
  categories: IndexedCategories,
  code: number,
  view: Window,
  from: number,
  to: number,
  readableUntil: number,
): [matching: number, filled: number] {
  const { codes, known } = categories;
  if (!known && !view.listed && code >= 0 && to - from > countedMax)
    return categories.count(code, view.start + from, view.start + to, view.start + view.skip);
  let matching = 0;
  let filled = 0;
  for (let v = from; v < to; v++) {
    const p = view.position(v);
    if (codes[p] < 0 || !isKnown(known, p, readableUntil)) continue;
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
