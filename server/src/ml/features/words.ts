import { assert } from '../../lib/failure.ts';
import type { Column, TextColumn } from '../../lib/files/column.ts';
import { openWords } from '../events/words.ts';
import { rowAsOf } from '../graph/as-of/rows.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import type { Table } from '../graph/tables.ts';
import { firstAtLeast } from '../statistics/ranks.ts';
import { labelsTable, smoothingEvents } from './feature.ts';
import type { Graph } from './graph.ts';
import type { Member, State, Write } from './state.ts';

/**
 * The first so many labels in time order are all counted. Of later ones every second is counted, then every fourth, and
 * so on with each doubling.
 */
const wholeLabels = 50_000;

/**
 * The outcomes of rows by the words of their text in `column`, from closed labels. Labels refer to those rows by `via`.
 * Whether a label is counted depends on earlier labels only.
 */
type WordRecord = {
  /** Times of the counted labels, ascending. */
  readonly times: Float64Array;
  /** Cumulative sums of the labels. */
  readonly sums: Float64Array;
  readonly words: ReadonlyMap<string, { readonly places: Int32Array; readonly sums: Float64Array }>;
};

function recordWords(graph: Graph, via: readonly string[], name: string): WordRecord {
  const labels = graph.table(labelsTable);
  const column = labels.columns.get('label');
  assert(column?.kind === 'number', 'labels are numbers');
  const events = { table: labelsTable, via };
  const targets = graph.targets(events);
  const { rows, moments } = graph.index(events);
  assert(moments, 'labels have moments');
  const text = textOf(targetOf(graph, via), name);
  const inTime = rows.slice().sort((a, b) => moments[a] - moments[b] || a - b);
  const counted = inTime.filter((row, k) => text.codes[targets[row]] >= 0 && isCounted(k));
  const open = openWords(text);
  const lists = new Map<string, number[]>();
  for (const [place, row] of counted.entries()) {
    for (const word of open(text.codes[targets[row]])) {
      const list = lists.get(word);
      if (list) list.push(place);
      else lists.set(word, [place]);
    }
  }
  const sumsOf = (places: ArrayLike<number>) => {
    let sum = 0;
    return Float64Array.from(places, (place) => (sum += column.values[counted[place]]));
  };
  return {
    times: Float64Array.from(counted, (row) => moments[row]),
    sums: sumsOf(Array.from(counted.keys())),
    words: new Map(
      Array.from(lists, ([word, places]) => [word, { places: Int32Array.from(places), sums: sumsOf(places) }]),
    ),
  };
}

function isCounted(k: number): boolean {
  const doublings = Math.max(0, Math.ceil(Math.log2((k + 1) / wholeLabels)));
  return k % 2 ** doublings === 0;
}

function targetOf(graph: Graph, via: readonly string[]): Table {
  let table = graph.table(labelsTable);
  for (const step of via) table = graph.table(table.references.get(step)!.table);
  return table;
}

function textOf(table: Table, name: string): TextColumn {
  const column = table.columns.get(name);
  assert(column?.kind === 'text', `${name} is text`);
  return column;
}

/**
 * Prepares to read the outcomes of rows with the same words. Writes nothing for a row without text, or before the first
 * label.
 */
export function openWordRates(graph: Graph, { index, read }: Member): (state: State, write: Write) => void {
  assert(read.kind === 'words', 'words are read');
  const { column: name, via, as } = read;
  let record: WordRecord | undefined;
  const opened = new WeakMap<Column, (code: number) => readonly string[]>();
  return ({ table, rows, readableUntil, fresh, reach = readableUntil, labelled = readableUntil }, write) => {
    const column = table?.columns.get(name);
    if (!table || !column) return;
    assert(column.kind === 'text', `${name} is text`);
    let open = opened.get(column);
    if (!open) opened.set(column, (open = openWords(column)));
    record ??= recordWords(graph, via, name);
    const { times, sums, words } = record;
    for (let i = 0; i < rows.length; i++) {
      const row = fresh ? rows[i] : rowAsOf(table, rows[i], reach[i]);
      const end = firstAfter(times, 0, times.length, Math.min(readableUntil[i], labelled[i]));
      if (row < 0 || column.codes[row] < 0 || end === 0) continue;
      const usual = sums[end - 1] / end;
      let sum = 0;
      let count = 0;
      let best = Number.NaN;
      for (const word of open(column.codes[row])) {
        const known = words.get(word);
        const met = known ? firstAtLeast(known.places, end) : 0;
        if (!known || met === 0) continue;
        const rate = (known.sums[met - 1] + smoothingEvents * usual) / (met + smoothingEvents);
        sum += rate - usual;
        count++;
        if (as === 'highest' ? !(best >= rate) : !(best <= rate)) best = rate;
      }
      if (as === 'mean') write(index, i, usual + (count > 0 ? sum / count : 0));
      else if (as === 'sum') write(index, i, sum);
      else if (count > 0) write(index, i, best);
    }
  };
}
