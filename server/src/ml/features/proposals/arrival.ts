import { isFilledLater, isKnown } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import type { Task } from '../../tasks/task.ts';
import type { Events } from '../feature.ts';
import type { Context } from './context.ts';

/** How the rows of a table that refer to new rows come: with them, some of them with them, or in their own time. */
export type Arrival = 'together' | 'some' | 'later';

/** Past this share of rows dated with the row they refer to, they come with it, and the rest after it. */
const togetherShareMin = 0.95;

/**
 * How rows of `table` come whose `reference` leads to new rows of `entity`, told by those readable at `cut`. Where only
 * days are known, one that is dated like its row may be of later that day, unless nearly all are. A strict task reads
 * nothing else of the row's own moment, but what has no date of its own is a part of the row.
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

/** Events as a focus sees them: of a new row, those that come with it. */
export function asTheyCome({ graph, task, cut }: Context, events: Events): { events: Events; arrival: Arrival } {
  const [reference] = events.via;
  const arrival =
    events.via.length === 1
      ? arrivalOf(graph.table(events.table), reference, graph.table(task.entity), task, cut)
      : 'later';
  return { events: arrival === 'later' ? events : { ...events, arriving: true }, arrival };
}
