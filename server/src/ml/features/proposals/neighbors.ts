import type { Table } from '../../graph/tables.ts';
import type { Focus } from '../feature.ts';
import { chooseNeighbors } from '../paths.ts';
import { asTheyCome } from './arrival.ts';
import { proposeAttributes } from './attributes.ts';
import type { Context } from './context.ts';
import { proposeEvents } from './events.ts';

/** Proposes the neighbors that a row meets by its events: the last one, and the average of the recent ones. */
export function proposeNeighbors(context: Context, focus: Focus, table: Table): void {
  const { graph, add } = context;
  const isNew = context.sample.fresh && focus.kind === 'root';
  for (const { events: given, to, neighbors } of chooseNeighbors(graph, context.visible, table, context.cut)) {
    const { events, arrival } = isNew ? asTheyCome(context, given) : { events: given, arrival: 'later' };
    // A new row does not know neighbors it meets by rows that come later. Rows that its own columns refer to are its
    // parents.
    if (isNew && events.via.length > 1) continue;
    const dated = graph.table(events.table).time !== undefined && arrival !== 'together';
    for (const kind of dated ? (['last', 'recent'] as const) : (['recent'] as const)) {
      const met: Focus = { kind, of: focus, events, to };
      proposeAttributes(context, met, neighbors, 'entity');
      proposeEvents(context, met, neighbors, 'brief');
    }
    add(focus, {
      kind: 'variety',
      events,
      signal: { kind: 'reference', column: to },
      span: { all: true },
      as: 'distinct',
    });
  }
}
