import type { Examples } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';

/**
 * What the moment of a question is held against. `from`: the first case that was learned from, microseconds. `days`:
 * how far ahead is asked at most. Null: not known.
 */
export type Reach = { readonly from: number | null; readonly days: number | null };

export function reachOf({ windowDays }: Task, { at }: Examples): Reach {
  const from = at.reduce((first, moment) => Math.min(first, moment), Number.POSITIVE_INFINITY);
  return { from: Number.isFinite(from) ? from : null, days: windowDays ?? null };
}
