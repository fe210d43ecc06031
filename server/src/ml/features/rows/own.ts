import { assert } from '../../../lib/failure.ts';
import { knownDates, knownMoments } from '../../graph/as-of/values.ts';
import { type Events, labelsTable, type Read } from '../feature.ts';
import type { Graph } from '../graph.ts';
import type { State } from '../state.ts';
import { type Add, type Found, knownAt, rowSince, textOf } from './read-row.ts';
import { type WholeRows, wholeOf } from './whole.ts';

/** Adds the row that is described, where its own values are read. */
export function readOwn(
  graph: Graph,
  read: Exclude<Read, { readonly events: Events }>,
  { table, fresh, readableUntil, labelled = readableUntil }: State,
  row: number,
  add: Add<Found>,
): WholeRows | null {
  if (read.kind === 'calendar' || read.kind === 'data_age' || read.kind === 'embedding') return null;
  assert(table, 'a row is read');
  const since = fresh ? Number.NEGATIVE_INFINITY : rowSince(table, row);
  if (read.kind === 'age') {
    const { time } = table.contract;
    const column = time && 'column' in time ? time.column : null;
    add({ table, row, role: 'read', column, value: table.time![row], known: since, holder: null });
    return null;
  }
  const column = table.columns.get(read.column)!;
  const known = (read.kind === 'interval' ? knownDates : knownMoments)(table, read.column);
  const value = column.kind === 'text' ? textOf(column, row) : column.values[row];
  add({ table, row, role: 'read', column: read.column, value, known: knownAt(known, row, since), holder: null });
  if (read.kind !== 'words') return null;
  const events = { table: labelsTable, via: read.via };
  return wholeOf(graph, events, Math.min(readableUntil[0], labelled[0]));
}
