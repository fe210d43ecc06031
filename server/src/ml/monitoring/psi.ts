import { assert } from '../../lib/failure.ts';

/** Counted to each bin, so that an empty one has a logarithm (the prior of Krichevsky & Trofimov 1981). */
const addedToBins = 0.5;

/**
 * The population stability index of counts against expected ones over the same bins: Σ (q − p) · ln(q / p) over their
 * shares p and q, which is Jeffreys' divergence (1946; as PSI: Siddiqi 2006). At least 0, without unit: 0.1 is a shift
 * of a normal variable by about 0.3 of its standard deviation, 0.25 by 0.5. By chance alone counts that are drawn from
 * one distribution differ by about (bins − 1) · (1 / n + 1 / m).
 */
export function psi(expected: ArrayLike<number>, counts: ArrayLike<number>): number {
  assert(expected.length === counts.length, 'counts must be of the same bins');
  const bins = counts.length;
  const [all, own] = [totalOf(expected) + addedToBins * bins, totalOf(counts) + addedToBins * bins];
  let sum = 0;
  for (let bin = 0; bin < bins; bin++) {
    const p = (expected[bin] + addedToBins) / all;
    const q = (counts[bin] + addedToBins) / own;
    sum += (q - p) * Math.log(q / p);
  }
  return sum;
}

export function totalOf(counts: ArrayLike<number>): number {
  let total = 0;
  for (let bin = 0; bin < counts.length; bin++) total += counts[bin];
  return total;
}
