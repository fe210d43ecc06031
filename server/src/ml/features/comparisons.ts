import { assert } from '../../lib/failure.ts';
import { emptySummary, summarise } from '../events/event-index.ts';
import type { Signal } from '../events/signals.ts';
import { isKnown, knownMoments } from '../graph/as-of/values.ts';
import { countMatching } from './category-reader.ts';
import type { Comparison, Events } from './feature.ts';
import type { Graph } from './graph.ts';
import { listSpans, openHistory, type Window } from './history.ts';
import { openNumbers } from './number-reader.ts';
import type { State, Write } from './state.ts';

type ComparisonMember = { readonly index: number; readonly read: Comparison };

/**
 * Prepares to compare each new row of `root` with the readable events of its parent in `parents`; the row itself is
 * left out. The row may come from outside the tables, with its own dictionaries, so categories are compared by their
 * text.
 */
export function openComparisons(
  graph: Graph,
  events: Events,
  members: readonly ComparisonMember[],
): (parents: State, root: State, write: Write) => void {
  assert(events.via.length === 1, 'rows are compared along one reference');
  const { spans, slots } = listSpans(members.map(({ read }) => read));
  const history = openHistory(graph, events, spans);
  const openers = members.map(({ read }) => openComparer(graph, read));
  return (parents, root, write) => {
    assert(root.fresh, 'new rows are compared');
    const comparers = openers.map((open) => open(root));
    history.each(parents, (windows) => {
      for (let k = 0; k < windows.count; k++) {
        const window = windows.at(k);
        if (root.rows[window.i] < 0) continue;
        for (let m = 0; m < members.length; m++) {
          const compare = comparers[m];
          if (!compare) continue;
          const [from, to] = [windows.from[slots[m]][k], windows.to[slots[m]][k]];
          write(members[m].index, window.i, compare(window, from, to));
        }
      }
    });
  };
}

/** `from` is the first event of the span, and `to` its end. */
type Comparer = (window: Window, from: number, to: number) => number;

/** Undefined where the given rows do not have the column. */
function openComparer(graph: Graph, read: Comparison): (root: State) => Comparer | undefined {
  const { events } = read;
  const signal: Signal = { kind: 'column', path: [], column: read.column };
  const ownOf = ({ table, rows, readableUntil }: State) => {
    assert(table, 'rows of a table');
    const known = knownMoments(table, read.column);
    return {
      column: table.columns.get(read.column),
      hasValue: (i: number) => isKnown(known, rows[i], readableUntil[i]),
    };
  };
  if (read.kind === 'against') {
    const summary = emptySummary();
    let numbers: ReturnType<typeof openNumbers> | undefined;
    return (root) => {
      const { column: own, hasValue } = ownOf(root);
      if (!own) return undefined;
      assert(own.kind === 'number', `${read.column} is numeric`);
      const numbersOf = (numbers ??= openNumbers(graph.numbers(events, signal)));
      return (window, from, to) => {
        const value = own.values[root.rows[window.i]];
        if (Number.isNaN(value) || !hasValue(window.i)) return Number.NaN;
        const { source, start, firstBlock } = numbersOf(window);
        const { skip, readableUntil } = window;
        summarise(source, start, firstBlock, from, to, skip, readableUntil, summary);
        if (summary.count === 0) return Number.NaN;
        const difference = value - summary.mean;
        if (read.as === 'difference') return difference;
        // When all values are equal, rounding may leave m2 above 0. Comparing min and max is exact.
        if (!(summary.min < summary.max)) return Number.NaN;
        return difference / Math.sqrt(summary.m2 / (summary.count - 1));
      };
    };
  }
  return (root) => {
    const { column: own, hasValue } = ownOf(root);
    if (!own) return undefined;
    assert(own.kind === 'text', `${read.column} is text`);
    const categories = graph.categories(events, signal);
    const codes = own.dictionary.map((value) => categories.codeOf.get(value) ?? -1);
    return (window, from, to) => {
      const code = own.codes[root.rows[window.i]];
      if (code < 0 || !hasValue(window.i)) return Number.NaN;
      const [matching, filled] = countMatching(categories, codes[code], window, from, to, window.readableUntil);
      return filled > 0 ? matching / filled : Number.NaN;
    };
  };
}
