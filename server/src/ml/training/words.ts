import { openWords } from '../events/words.ts';
import type { Events, Focus } from '../features/feature.ts';
import { focusRows, newestEvents } from '../features/focus.ts';
import type { Graph } from '../features/graph.ts';
import type { ChooseWords } from '../features/proposals/context.ts';
import type { Anchors } from '../features/state.ts';
import { isKnown, knownMoments } from '../graph/as-of/values.ts';

/** Most words of one column that get inputs of their own. */
const chosenMax = 24;
/** A word must occur in at least this many rows, and in this share of them. */
const rowsMin = 8;
const shareMin = 0.003;
/** Least distance between the labels of rows with a word and those of the others, in standard errors. */
const deviationMin = 3;

/**
 * Chooses the words that explain most of `labels` (one per anchor): those whose rows' mean label is farthest from the
 * mean of all, in standard errors. For events, an anchor has the words of its newest events. Class labels have no
 * order, so the most frequent words are chosen.
 */
export function openWordChoice(graph: Graph, anchors: Anchors, labels: Float64Array, isOrdered: boolean): ChooseWords {
  return (focus, name, events) => {
    const wordsOf = events
      ? openEventWords(graph, focus, events, name, anchors)
      : openOwnWords(graph, focus, name, anchors);
    const counts = new Map<string, { rows: number; sum: number }>();
    let total = 0;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < labels.length; i++) {
      const words = wordsOf(i);
      if (!words) continue;
      total++;
      sum += labels[i];
      squares += labels[i] ** 2;
      for (const word of words) {
        const count = counts.get(word);
        if (!count) counts.set(word, { rows: 1, sum: labels[i] });
        else {
          count.rows++;
          count.sum += labels[i];
        }
      }
    }
    const mean = sum / total;
    const variance = squares / total - mean ** 2;
    const weigh = (own: { rows: number; sum: number }) =>
      isOrdered
        ? Math.abs(own.sum - own.rows * mean) / Math.sqrt(variance * own.rows * (1 - own.rows / total))
        : Math.min(own.rows, total - own.rows);
    return Array.from(counts, ([word, own]) => ({ word, rows: own.rows, weight: weigh(own) }))
      .filter(
        (own) =>
          own.rows >= Math.max(rowsMin, total * shareMin) &&
          own.rows <= total - rowsMin &&
          own.weight >= (isOrdered ? deviationMin : 0),
      )
      .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      .slice(0, chosenMax)
      .map(({ word }) => word);
  };
}

/** The words of anchor i; undefined where it has no text. */
type WordsOf = (i: number) => Iterable<string> | undefined;

function openOwnWords(graph: Graph, focus: Focus, name: string, anchors: Anchors): WordsOf {
  const { table, rows } = focusRows(graph, focus, anchors);
  const column = table?.columns.get(name);
  if (column?.kind !== 'text') return () => undefined;
  const known = knownMoments(table!, name);
  const open = openWords(column);
  return (i) => {
    const row = rows[i];
    if (row < 0 || column.codes[row] < 0 || !isKnown(known, row, anchors.readableUntil[i])) return undefined;
    return open(column.codes[row]);
  };
}

/** How many of each anchor's newest events are read to choose words. */
const eventsRead = 10;

function openEventWords(graph: Graph, focus: Focus, events: Events, name: string, anchors: Anchors): WordsOf {
  const texts = graph.values(events.table, { kind: 'column', path: [], column: name });
  const column = graph.table(events.table).columns.get(name);
  if (texts.kind !== 'category' || column?.kind !== 'text') return () => undefined;
  const { codes, known } = texts;
  const open = openWords(column);
  const { of, rows } = newestEvents(graph, focus, events, eventsRead, anchors);
  const words = new Map<number, Set<string>>();
  for (const [k, row] of rows.entries()) {
    if (codes[row] < 0 || !isKnown(known, row, anchors.readableUntil[of[k]])) continue;
    let own = words.get(of[k]);
    if (!own) words.set(of[k], (own = new Set()));
    for (const word of open(codes[row])) own.add(word);
  }
  return (i) => words.get(i);
}
