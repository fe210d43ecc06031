import { combineHorizons } from '../calibration/horizons.ts';
import { horizonNamesOf } from '../kinds/kinds.ts';
import { horizonsOf } from '../tasks/target.ts';
import type { Task } from '../tasks/task.ts';

/** Whether the outputs are probabilities of one event over increasing horizons. */
export function isOneEvent({ target, kind }: Task): boolean {
  if (!target || horizonsOf(target).length < 2) return false;
  return horizonNamesOf(kind) !== undefined || target.kind === 'delinquency' || target.aggregate === 'exists';
}

/**
 * Makes the probabilities of the outputs consistent over horizons: a longer horizon is never less likely than a shorter
 * one.
 */
export function agreeing(task: Task, values: readonly Float64Array[], rows: number): Float64Array[] {
  const days = task.target ? horizonsOf(task.target) : [0];
  const agreed = values.map((value) => value.slice());
  for (let row = 0; row < rows; row++) {
    const own = values.map((value) => value[row]);
    for (const [o, p] of combineHorizons(days, own).entries()) agreed[o][row] = p;
  }
  return agreed;
}
