import type { Table } from '../../graph/tables.ts';
import { allTable, type Events, type Focus, labelsTable, type Span } from '../feature.ts';
import { eventsOf } from '../paths.ts';
import type { Context } from './context.ts';
import { seasonsOf } from './seasons.ts';
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
    const seasons = seasonsOf(context, table);
    for (const span of [...spans, ...seasons]) add(focus, { kind: 'count', events, span });
    for (const span of seasons) add(focus, { kind: 'rate', events, span });
    for (const { signal, use, raw } of signalsOf(context, events)) {
      if (use.kind !== 'number' || !raw) continue;
      for (const span of [...spans, { all: true } as const, ...seasons]) {
        add(focus, { kind: 'number', events, signal, span, aggregate: 'mean' });
      }
      for (const span of seasons) add(focus, { kind: 'number', events, signal, span, aggregate: 'swing' });
    }
  }
}
