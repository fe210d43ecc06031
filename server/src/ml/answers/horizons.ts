import { combineHorizons } from '../calibration/horizons.ts';
import { horizonNamesOf } from '../kinds/kinds.ts';
import { horizonsOf } from '../tasks/target.ts';
import type { Task } from '../tasks/task.ts';

/** Whether the outputs are probabilities of one event by growing horizons. */
export function isOneEvent({ target, kind }: Task): boolean {
  if (!target || horizonsOf(target).length < 2) return false;
  return horizonNamesOf(kind) !== undefined || target.kind === 'delinquency' || target.aggregate === 'exists';
}

/**
 * Probabilities per output that agree over horizons: what is likely within ten days is no less likely within thirty.
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
