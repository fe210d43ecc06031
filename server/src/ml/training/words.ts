import { type Anchors, focusRows } from '../features/evaluate.ts';
import type { Focus } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { ChooseWords } from '../features/propose.ts';
import { openWords } from '../features/words.ts';

/** Words of one column that get inputs of their own. */
const chosenMax = 24;
/** A word must stand in so many of the rows, and in this share of them. */
const rowsMin = 8;
const shareMin = 0.003;
/** How many standard errors the labels of the rows with a word must lie from those of the others. */
const deviationMin = 3;

/**
 * Chooses the words that tell most of `labels`, one per anchor: those whose rows' mean lies farthest from the mean of all, in
 * standard errors. Where labels are classes, without an order, the most frequent ones.
 */
export function openWordChoice(graph: Graph, anchors: Anchors, labels: Float64Array, isOrdered: boolean): ChooseWords {
  return (focus: Focus, name: string) => {
    const { table, rows } = focusRows(graph, focus, anchors);
    const column = table?.columns.get(name);
    if (column?.kind !== 'text') return [];
    const open = openWords(column);
    const counts = new Map<string, { rows: number; sum: number }>();
    let total = 0;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < rows.length; i++) {
      const code = rows[i] < 0 ? -1 : column.codes[rows[i]];
      if (code < 0) continue;
      total++;
      sum += labels[i];
      squares += labels[i] ** 2;
      for (const word of open(code)) {
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
