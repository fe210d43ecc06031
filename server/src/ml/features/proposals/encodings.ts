import type { Signal } from '../../events/signals.ts';
import type { Table } from '../../graph/tables.ts';
import { type Events, type Focus, labelsTable } from '../feature.ts';
import { labelReference, valuePairs } from '../paths.ts';
import { asTheyCome } from './arrival.ts';
import type { Context } from './context.ts';
import { seasonsOf } from './seasons.ts';
import { spanDays } from './spans.ts';

/**
 * Proposes target encodings: the mean label of rows with the same category value, among labels known by then. For the
 * row's own categories, and for those of its last events.
 */
export function proposeEncodings(context: Context, focus: Focus, table: Table, via: readonly string[]): void {
  const { graph, uses, sample } = context;
  const labels = graph.tables.get(labelsTable);
  if (!labels) return;
  const read = (of: Focus, events: Events) => proposeOutcomes(context, of, events);
  for (const [column, { values }] of graph.table(table.name).references) {
    // Values of a column that no input may read (a hidden column) are not used here either.
    if (!values || uses.get(table.name)?.get(column)?.kind !== 'category') continue;
    read({ kind: 'parent', of: focus, reference: column }, { table: labelsTable, via: [...via, column] });
  }
  if (via.length > 1) return;
  for (const { events: given, to } of valuePairs(graph, table)) {
    if (uses.get(given.table)?.get(to)?.kind !== 'category' || !labels.references.has(labelReference(given, to)))
      continue;
    const { events } = sample.fresh ? asTheyCome(context, given) : { events: given };
    for (const kind of ['last', 'recent'] as const) {
      read({ kind, of: focus, events, to }, { table: labelsTable, via: [labelReference(events, to)] });
    }
  }
}

/** Proposes the mean label of the known `events`, labels that lead to the focus, and how many there are. */
export function proposeOutcomes(context: Context, focus: Focus, events: Events): void {
  const { graph, task, add } = context;
  const labels = graph.tables.get(labelsTable);
  if (!labels) return;
  const seasons = seasonsOf(context, labels);
  add(focus, { kind: 'count', events, span: { all: true } });
  for (const signal of labelSignals(labels)) {
    for (const span of [{ all: true } as const, { days: spanDays(task)[2] }, { last: 10 }, ...seasons]) {
      add(
        focus,
        'value' in signal
          ? { kind: 'share', events, span, ...signal }
          : { kind: 'number', events, span, aggregate: 'mean', ...signal },
      );
    }
    if ('value' in signal) continue;
    for (const span of seasons) add(focus, { kind: 'number', events, span, aggregate: 'swing', ...signal });
    add(focus, { kind: 'number', events, span: { all: true }, aggregate: 'smoothed', ...signal });
  }
}

/** What a label gives as signals: its number, or one signal per class. */
function labelSignals(labels: Table): ({ signal: Signal } | { signal: Signal; value: string })[] {
  const signal: Signal = { kind: 'column', path: [], column: 'label' };
  const column = labels.columns.get('label');
  return column?.kind === 'text'
    ? column.dictionary.slice(0, vocabularyOfLabels).map((value) => ({ signal, value }))
    : [{ signal }];
}

/** Most classes that get a share of their own. */
const vocabularyOfLabels = 10;
