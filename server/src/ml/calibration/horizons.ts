import { assert } from '../../lib/failure.ts';
import { boundProbability } from './bounds.ts';

/**
 * Makes the probabilities of one event by growing horizons agree: an event within a month is one within a year, so each
 * is the largest of its own and all shorter ones. Bounded to [0.0001, 0.9999]. days: ascending horizons. probabilities:
 * one per horizon, each from its own calibrator. Returns them in the same order.
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
