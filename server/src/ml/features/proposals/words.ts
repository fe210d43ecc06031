import type { Signal } from '../../events/signals.ts';
import { isFilledLater } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import { type Events, type Focus, labelsTable, type Span } from '../feature.ts';
import type { ColumnUse } from './column-use.ts';
import type { Context } from './context.ts';

/** Proposes the words of a row's texts: the chosen words, and the outcomes of rows with the same words. */
export function proposeWords(
  { graph, uses, chooseWords, add }: Context,
  focus: Focus,
  table: Table,
  via: readonly string[],
): void {
  const labels = graph.tables.get(labelsTable);
  for (const [column, use] of uses.get(table.name) ?? []) {
    if (!isWordy(use)) continue;
    for (const word of chooseWords(focus, column)) add(focus, { kind: 'word', column, word });
    // A text that is filled later than its row, or changes, is not the text that was there when the row was labelled.
    if (isFilledLater(table, column) || table.versions || labels?.columns.get('label')?.kind !== 'number') continue;
    for (const as of ['mean', 'sum', 'highest', 'lowest'] as const) add(focus, { kind: 'words', column, via, as });
  }
}

/**
 * Proposes how often the texts of events have the chosen words. `days`: spans in which most anchors have some events;
 * null where the events are not dated.
 */
export function proposeEventWords(
  { uses, chooseWords, add }: Context,
  focus: Focus,
  events: Events,
  days: readonly number[] | null,
): void {
  for (const [column, use] of uses.get(events.table) ?? []) {
    if (!isWordy(use)) continue;
    for (const word of chooseWords(focus, column, events)) {
      const signal: Signal = { kind: 'column', path: [], column, word };
      const spans: Span[] = days
        ? [{ all: true }, { last: 10 }, ...days.map((span) => ({ days: span }))]
        : [{ all: true }];
      for (const span of spans) add(focus, { kind: 'number', events, signal, span, aggregate: 'mean' });
      if (days) add(focus, { kind: 'number', events, signal, span: { all: true }, aggregate: 'last' });
    }
  }
}

function isWordy(use: ColumnUse): boolean {
  return use.kind === 'text' || (use.kind === 'category' && use.isWordy);
}
