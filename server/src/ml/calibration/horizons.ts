import { assert } from '../../lib/failure.ts';
import { boundProbability } from './bounds.ts';

/**
 * Makes the probabilities of one event over growing horizons consistent: an event within a month is also one within a
 * year, so each probability is the largest of its own and all shorter horizons. Bounded to [0.0001, 0.9999]. days:
 * ascending horizons. probabilities: one per horizon, each from its own calibrator. Returns them in the same order.
 */
export function combineHorizons(days: readonly number[], probabilities: readonly number[]): number[] {
  assert(days.length === probabilities.length, 'each horizon needs a probability');
  let largest = 0;
  return probabilities.map((p, i) => {
    assert(i === 0 || days[i] > days[i - 1], 'horizons must ascend');
    largest = Math.max(largest, boundProbability(p));
    return largest;
  });
}
