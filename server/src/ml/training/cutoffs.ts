import { assert } from '../../lib/failure.ts';

/** What would have happened if every row with at least this score had been accepted. */
export type Cutoff = {
  readonly score: number;
  /** Share of all rows that would have been accepted. */
  readonly approval_rate: number;
  /** Mean predicted probability of default of the accepted rows; null if there are none. */
  readonly expected_default: number | null;
  /** Share of the accepted rows that defaulted; null if there are none. */
  readonly observed_default: number | null;
};

const step = 50;
const scoreMax = 1000;

/**
 * A table of cut-offs from 0 to 1000 in steps of 50: score, approval rate, expected and observed default rate of the
 * accepted rows. `scoreOf` maps a probability to a score, 0 to 1000.
 */
export function cutoffs(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  scoreOf: (probability: number) => number,
): Cutoff[] {
  assert(labels.length === probabilities.length, 'one label per probability');
  const scores = Int32Array.from(probabilities, (p) => scoreOf(p));
  return Array.from({ length: scoreMax / step + 1 }, (_, k) => {
    let accepted = 0;
    let expected = 0;
    let observed = 0;
    for (let row = 0; row < scores.length; row++) {
      if (scores[row] < k * step) continue;
      accepted++;
      expected += probabilities[row];
      observed += labels[row];
    }
    return {
      score: k * step,
      approval_rate: accepted / scores.length,
      expected_default: accepted === 0 ? null : expected / accepted,
      observed_default: accepted === 0 ? null : observed / accepted,
    };
  });
}
