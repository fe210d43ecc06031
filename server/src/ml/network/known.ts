import type { Tables } from '../graph/tables.ts';
import type { Examples } from '../tasks/examples.ts';
import { targetEvents } from '../tasks/layout.ts';
import type { Task } from '../tasks/task.ts';

/**
 * Since when each entity is known for what the task's first head asks, microseconds; Infinity where it is not. Where any event
 * of the target makes a yes, since its first, as the tables tell it; else since the window of a label that was one closed.
 */
export function knownSince({ target }: Task, tables: Tables, labels: Examples, entities: number): Float64Array {
  const since = new Float64Array(entities).fill(Number.POSITIVE_INFINITY);
  const note = (entity: number, moment: number) => {
    if (entity >= 0 && moment < since[entity]) since[entity] = moment;
  };
  const isAnyEvent = target && (target.kind === 'rows' ? target.aggregate === 'exists' : target.horizonsDays);
  if (isAnyEvent) {
    const { owners, dates } = targetEvents(target, tables);
    owners.forEach((owner, k) => {
      note(owner, dates[k]);
    });
    return since;
  }
  labels.rows.forEach((row, i) => {
    if (labels.labels[i] === 1) note(row, labels.closes[i]);
  });
  return since;
}
