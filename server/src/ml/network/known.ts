import { linkedSince } from '../graph/as-of/rows.ts';
import type { Tables } from '../graph/tables.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import { targetEvents } from '../tasks/layout.ts';
import type { Task } from '../tasks/task.ts';

/**
 * Since when each entity is known to be a positive of the task's first head, microseconds; Infinity where it is not. If
 * a single event of the target makes a positive, it is the date of the entity's first event in the tables; else the
 * moment when the window of its first positive label closed.
 */
export function positiveSince(task: Task, tables: Tables, labels: Examples): Float64Array {
  const entities = entityTable(task, tables);
  const { target } = task;
  const since = new Float64Array(entities.rows).fill(Number.POSITIVE_INFINITY);
  const note = (entity: number, moment: number) => {
    // Not before the entity itself exists.
    if (entity >= 0) since[entity] = Math.min(since[entity], Math.max(moment, linkedSince(entities, entity)));
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
