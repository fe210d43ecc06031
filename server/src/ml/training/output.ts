import { applyCalibrator, type Calibrator } from '../calibration/calibrate.ts';
import { sigmoid } from '../calibration/logistic.ts';
import type { Task } from '../tasks/task.ts';

/**
 * What margins say in the task's own terms: probabilities of a yes (calibrated when a calibrator is given), numbers, or class
 * probabilities, row-major rows × width.
 */
export function outputOf(
  task: Task,
  calibrator: Calibrator | null,
  margins: Float64Array,
  width: number,
): Float64Array {
  if (task.kind === 'regression') return margins;
  if (task.kind !== 'multiclass')
    return margins.map((margin) => (calibrator ? applyCalibrator(calibrator, margin) : sigmoid(margin)));
  const probabilities = new Float64Array(margins.length);
  for (let from = 0; from < margins.length; from += width) {
    let most = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < width; c++) most = Math.max(most, margins[from + c]);
    let total = 0;
    for (let c = 0; c < width; c++) total += probabilities[from + c] = Math.exp(margins[from + c] - most);
    for (let c = 0; c < width; c++) probabilities[from + c] /= total;
  }
  return probabilities;
}
