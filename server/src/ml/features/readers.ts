import { signalKey } from '../events/signals.ts';
import { openCategoryReader } from './category-reader.ts';
import { openCountReader } from './count-reader.ts';
import type { Events } from './feature.ts';
import type { Graph } from './graph.ts';
import { listSpans, openHistory, type Reader, type Spanned } from './history.ts';
import { openNumberReader } from './number-reader.ts';
import type { Member, State, Write } from './state.ts';

/** Prepares to read counts, numbers and categories of the readable events of each row of a state. */
export function openReaders(
  graph: Graph,
  events: Events,
  members: readonly Member[],
): (state: State, write: Write) => void {
  const { spans, slots, years } = listSpans(members.map(({ read }) => read));
  const history = openHistory(graph, events, spans);
  const spanned = members.map((member, m) => ({ ...member, slot: slots[m], year: years[m] }));
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
  const readers: Reader[] = counting.map((member) => openCountReader(history, member));
  for (const { numbers, categories } of bySignal.values()) {
    if (numbers.length > 0) readers.push(openNumberReader(graph, events, history, numbers));
    if (categories.length > 0) readers.push(openCategoryReader(graph, events, categories));
  }
  return (state, write) =>
    history.each(state, (windows) => {
      for (const read of readers) read(windows, write);
    });
}
