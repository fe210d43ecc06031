import { pathOf } from '../../events/signals.ts';
import type { Task } from '../../tasks/task.ts';
import { allTable, type Events, type Feature, type Focus, isComparison } from '../feature.ts';
import type { Graph } from '../graph.ts';

/**
 * Returns whether a feature may be used, given the task's outcomes: columns of its own table whose values of other rows
 * may be read, and never that of the row asked about. Events of the table leave that row out by identity, so their own
 * values may be read. Any other way to a row of the table may lead to that very row: the row itself, a reference to it
 * from a row of another table, and a rank among rows of which it is one.
 */
export function openOutcomes(graph: Graph, { entity, outcome = [] }: Task): (feature: Feature) => boolean {
  if (outcome.length === 0) return () => true;
  const isOutcome = (table: string | undefined, column: string) => table === entity && outcome.includes(column);
  const endOf = (table: string, path: readonly string[]) =>
    path.reduce((at, step) => (step === allTable ? allTable : graph.table(at).references.get(step)!.table), table);
  const tableOf = (focus: Focus): string | undefined => {
    if (focus.kind === 'root') return entity;
    if (focus.kind === 'all') return undefined;
    if (focus.kind === 'parent' || focus.kind === 'apart') return endOf(tableOf(focus.of)!, [focus.reference]);
    return endOf(focus.events.table, [focus.to]);
  };
  const mayChoose = ({ table, when }: Events) =>
    when === undefined || when.path.length === 0 || !isOutcome(endOf(table, when.path), when.column);
  const mayFocus = (focus: Focus): boolean =>
    !('of' in focus) || (mayFocus(focus.of) && (!('events' in focus) || mayChoose(focus.events)));
  return ({ focus, read }) => {
    if (!mayFocus(focus) || ('events' in read && !mayChoose(read.events))) return false;
    if (isComparison(read)) return !isOutcome(read.events.table, read.column);
    if ('signal' in read) {
      const { signal } = read;
      const path = pathOf(signal);
      const isOwnValue = path.length === 0 && signal.kind !== 'rank';
      return isOwnValue || !isOutcome(endOf(read.events.table, path), signal.column);
    }
    return !('column' in read) || !isOutcome(tableOf(focus), read.column);
  };
}
