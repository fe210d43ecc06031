import { assert } from '../../lib/failure.ts';
import { quantileOfSorted } from '../statistics/ranks.ts';

/** The predictions of a version's training cohort: their quantiles at 0 %, 1 %, … 100 %. Plain data for JSON. */
export type Cohort = { readonly percentiles: readonly number[] };

/** Summarises a cohort's predictions. values: finite, at least one. */
export function fitCohort(values: ArrayLike<number>): Cohort {
  assert(values.length > 0, 'a cohort needs at least one prediction');
  const sorted = Float64Array.from(values).sort();
  return { percentiles: Array.from({ length: 101 }, (_, k) => quantileOfSorted(sorted, k / 100)) };
}

/**
 * The decile of a value within the cohort, 1 (lowest) to 10 (highest). A value on an edge belongs to the lower decile,
 * so a mass of equal values, such as zeros, stays in the lowest decile it reaches.
 */
export function decileOf(cohort: Cohort, value: number): number {
  let decile = 1;
  while (decile < 10 && value > cohort.percentiles[10 * decile]) decile++;
  return decile;
}

/**
 * The range of the cohort's decile that a value falls in, in the unit of the value. It is extended to include a value
 * outside the range of the cohort.
 */
export function decileRange(cohort: Cohort, value: number): { from: number; to: number } {
  const decile = decileOf(cohort, value);
  return {
    from: Math.min(cohort.percentiles[10 * (decile - 1)], value),
    to: Math.max(cohort.percentiles[10 * decile], value),
  };
}

/** The cohort's q-quantile, q in [0, 1], interpolated linearly between whole percents. */
export function cohortQuantile(cohort: Cohort, q: number): number {
  return quantileOfSorted(cohort.percentiles, q);
}
