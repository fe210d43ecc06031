import type { Table } from '../../graph/tables.ts';
import { allTable, type Events, type Focus, labelsTable, type Span } from '../feature.ts';
import { eventsOf } from '../paths.ts';
import type { Context } from './context.ts';
import { signalsOf } from './signals.ts';
import { spanDays } from './spans.ts';

/** Proposes base rates: label means and event counts of all rows together, by span. */
export function proposeBaseRates(context: Context, entity: Table): void {
  const { graph, task, add } = context;
  const focus: Focus = { kind: 'all' };
  const tables = new Set([
    labelsTable,
    ...eventsOf(context, entity)
      .filter((events) => events.via.length === 1)
      .map((events) => events.table),
  ]);
  for (const name of tables) {
    const table = graph.tables.get(name);
    if (!table?.time) continue;
    const events: Events = { table: name, via: [allTable] };
    const spans = spanDays(task).map((days): Span => ({ days }));
    for (const span of spans) add(focus, { kind: 'count', events, span });
    for (const { signal, use, raw } of signalsOf(context, events)) {
      if (use.kind !== 'number' || !raw) continue;
      for (const span of [...spans, { all: true } as const]) {
        add(focus, { kind: 'number', events, signal, span, aggregate: 'mean' });
      }
    }
  }
}
