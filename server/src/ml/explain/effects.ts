import type { ColumnContract } from '../contract/contract.ts';

/** The number of the answer that factors explain, and how it follows from the margin. */
export type ExplainedNumber = {
  /** Name of the answer's field. */
  readonly field: string;
  /** What factors are said to raise or lower. The score of a risk falls as the risk rises. */
  readonly what: 'risk' | 'chance' | 'estimate';
  /** 'points' of a score, 'percentage_points' of a probability, or the unit of the number; null: none known. */
  readonly unit: string | null;
  /** Readable name of what is estimated, where it has one. */
  readonly name?: string | undefined;
  /** The column that is estimated, where there is one: it says how its amounts are written. */
  readonly column?: ColumnContract | undefined;
  /**
   * The number for a margin, in `unit`, not rounded. It never falls, or never rises, as the margin rises. `atLeast`:
   * the least probability, where others leave no smaller one to the answer.
   */
  of(margin: number, atLeast?: number): number;
};

/** How far the number lies from the usual one, and how much of that each unit of contribution accounts for. */
export type Effects = {
  /** The number for the expected margin. */
  readonly usual: number;
  /** The number for the row's margin. */
  readonly answer: number;
  /** Effect of each unit of the contributions that raise the margin, and of those that lower it. */
  readonly perRaising: number;
  readonly perLowering: number;
};

/**
 * Takes apart the difference between a row's number and the usual one. `raises` and `lowers`: the sums of the
 * contributions to the margin above and below zero. What raises and what lowers are two players of a game whose worth
 * is the number: each side gets its Shapley value (Shapley 1953), the mean of what it changes when it comes first and
 * when it comes last. Within a side effects are proportional to contributions, as Aumann and Shapley (1974) divide
 * along a straight line. So effects have the direction of their contributions (the opposite where the number falls as
 * the margin rises), none is greater than what its side can change, and they add up to the difference.
 */
export function takeApart(of: ExplainedNumber['of'], expected: number, raises: number, lowers: number): Effects {
  const usual = of(expected);
  const raised = of(expected + raises);
  const lowered = of(expected + lowers);
  const answer = of(expected + raises + lowers);
  return {
    usual,
    answer,
    perRaising: raises === 0 ? 0 : (raised - usual + (answer - lowered)) / 2 / raises,
    perLowering: lowers === 0 ? 0 : (lowered - usual + (answer - raised)) / 2 / lowers,
  };
}
