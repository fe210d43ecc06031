import { assert } from '../../lib/failure.ts';
import { emptySummary, summarise } from '../events/event-index.ts';
import { knownMoments, type Signal } from '../events/signals.ts';
import type { Comparison, Events } from './feature.ts';
import type { Graph } from './graph.ts';
import { openHistory, spanStart, visitOrder, type Window } from './history.ts';
import { countMatching, openNumbers } from './readers.ts';
import type { State, Write } from './state.ts';

type ComparisonMember = { readonly index: number; readonly read: Comparison };

/**
 * Sets each new row of `root` against the readable events of its parent in `parents`, the row itself left out. The row may
 * lie outside of the tables, with dictionaries of its own: categories are compared by their text.
 */
export function evaluateComparisons(
  graph: Graph,
  events: Events,
  parents: State,
  root: State,
  members: readonly ComparisonMember[],
  write: Write,
): void {
  assert(root.fresh && events.via.length === 1, 'new rows are compared, along one reference');
  const history = openHistory(graph, events, parents);
  const comparers = members.flatMap((member) => openComparer(graph, root, member) ?? []);
  for (const i of visitOrder(graph.index(events), parents.rows)) {
    if (parents.rows[i] < 0 || root.rows[i] < 0) continue;
    const view = history(i);
    for (const { index, compare } of comparers) write(index, i, compare(view, i));
  }
}

type Comparer = { readonly index: number; readonly compare: (view: Window, i: number) => number };

/** Undefined where the rows asked about come without the column. */
function openComparer(graph: Graph, root: State, { index, read }: ComparisonMember): Comparer | undefined {
  const { table, rows, limit } = root;
  assert(table, 'rows of a table');
  const own = table.columns.get(read.column);
  if (!own) return undefined;
  const known = knownMoments(table, read.column);
  const isKnown = (i: number) => !(known && !(known[rows[i]] <= limit[i]));
  const { events, span } = read;
  const eventIndex = graph.index(events);
  const signal: Signal = { kind: 'column', path: [], column: read.column };
  if (read.kind === 'against') {
    assert(own.kind === 'number', `${read.column} is numeric`);
    const numbersOf = openNumbers(graph.numbers(events, signal));
    const summary = emptySummary();
    const compare = (view: Window, i: number) => {
      const value = own.values[rows[i]];
      if (Number.isNaN(value) || !isKnown(i)) return Number.NaN;
      const from = spanStart(span, eventIndex, view, limit[i]);
      const { source, start, firstBlock } = numbersOf(view);
      summarise(source, start, firstBlock, from, view.count, view.skip, limit[i], summary);
      if (summary.count === 0) return Number.NaN;
      const difference = value - summary.mean;
      if (read.as === 'difference') return difference;
      // Equal values may leave a rest of rounding in m2; that they are equal is certain.
      if (!(summary.min < summary.max)) return Number.NaN;
      return difference / Math.sqrt(summary.m2 / (summary.count - 1));
    };
    return { index, compare };
  }
  assert(own.kind === 'text', `${read.column} is text`);
  const categories = graph.categories(events, signal);
  const codes = own.dictionary.map((value) => categories.codeOf.get(value) ?? -1);
  const compare = (view: Window, i: number) => {
    const code = own.codes[rows[i]];
    if (code < 0 || !isKnown(i)) return Number.NaN;
    const from = spanStart(span, eventIndex, view, limit[i]);
    const [matching, filled] = countMatching(categories, codes[code], view, from, limit[i]);
    return filled > 0 ? matching / filled : Number.NaN;
  };
  return { index, compare };
}
