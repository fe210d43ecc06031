import { isFilledLater, isKnown } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import type { Task } from '../../tasks/task.ts';
import type { Events } from '../feature.ts';
import type { Context } from './context.ts';

/** How rows of a table that refer to new rows come: all together with them, some together with them, or later. */
export type Arrival = 'together' | 'some' | 'later';

/** If at least this share of rows is dated no later than the row they refer to, they come with it. */
const togetherShareMin = 0.95;

/**
 * Decides how rows of `table` come whose `reference` leads to new rows of `entity`, by the rows readable at `cut`.
 * Where times are whole days, a row dated on the same day as the new row may still come later that day, unless nearly
 * all rows are dated so. A strict task reads nothing of the row's own moment, except rows that inherit their time from
 * it: they are part of the row.
 */
export function arrivalOf(table: Table, reference: string, entity: Table, task: Task, cut: number): Arrival {
  const { time, contract } = table;
  const to = table.references.get(reference);
  if (!to || to.values || to.table !== entity.name || table.name === entity.name || !time || !entity.time)
    return 'later';
  if (isFilledLater(table, reference)) return 'later';
  const declared = contract.time;
  if (declared && 'reference' in declared && declared.reference === reference)
    return declared.offset <= 0 ? 'together' : 'later';
  if (task.strict) return 'later';
  let known = 0;
  let earlier = 0;
  let same = 0;
  for (let row = 0; row < table.rows; row++) {
    const parent = to.rows[row];
    if (parent < 0 || !isKnown(time, row, cut) || Number.isNaN(entity.time[parent])) continue;
    known++;
    if (time[row] === entity.time[parent]) same++;
    else if (time[row] < entity.time[parent]) earlier++;
  }
  if (same + earlier < known * togetherShareMin || same === 0) return 'later';
  return earlier > known * (1 - togetherShareMin) ? 'some' : 'together';
}

/** The events as read for a new row: those that come with it are marked `arriving`. */
export function asTheyCome({ graph, task, cut }: Context, events: Events): { events: Events; arrival: Arrival } {
  const [reference] = events.via;
  const arrival =
    events.via.length === 1
      ? arrivalOf(graph.table(events.table), reference, graph.table(task.entity), task, cut)
      : 'later';
  return { events: arrival === 'later' ? events : { ...events, arriving: true }, arrival };
}
