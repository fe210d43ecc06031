import { logit, sigmoid } from '../statistics/logistic.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';

/** A category among the columns of a linear head: each of its values has an effect of its own. */
export type Category = {
  readonly feature: number;
  /** Places of values that occur in the training rows, from 0; a value that was not seen there has no effect. */
  readonly values: number;
  /**
   * The prior weight of no effect, > 0: the inverse variance of the effects of values, in the scale of the loss. An
   * effect of so little evidence counts half.
   */
  readonly prior: number;
};

/** Effects of values differ no more, and no less, than this: a standard deviation of 2, and of 1/40, in log-odds. */
const [priorMin, priorMax] = [0.25, 1_600];
const priorStart = 4;
const steps = 30;
/**
 * Cells of values and rows at most, of 4 bytes, and values of all categories together, whose products with
 * each other are held: what is more, rarer values first, has no effect.
 */
const cellsMax = 25_000_000;
const columnsMax = 1_500;

/** The categories of a linear head on chosen rows, each with its prior by how far its own values differ. */
export function openCategories(
  matrix: FeatureMatrix,
  features: Int32Array,
  { rows, labels, weights, loss }: Learned,
): Category[] {
  const most = Math.floor(Math.min(columnsMax, cellsMax / Math.max(1, rows.length)) / Math.max(1, features.length));
  return Array.from(features, (feature): Category => {
    const placeOf = (i: number) => matrix.values[feature * matrix.rows + rows[i]];
    let values = 0;
    for (let i = 0; i < rows.length; i++) values = Math.max(values, placeOf(i) + 1 || 0);
    values = Math.min(values, most);
    const sums = Array.from({ length: values }, () => ({ count: 0, sum: 0, squares: 0 }));
    for (let i = 0; i < rows.length; i++) {
      const one = sums[placeOf(i)];
      if (!one) continue;
      one.count += weights[i];
      one.sum += weights[i] * labels[i];
      one.squares += weights[i] * labels[i] ** 2;
    }
    const seen = sums.filter(({ count }) => count > 0);
    const prior = loss === 'logistic' ? priorOfOdds(seen) : priorOfNumbers(seen);
    return { feature, values, prior };
  });
}

type Learned = {
  readonly rows: Int32Array;
  readonly labels: Float64Array;
  readonly weights: Float64Array;
  readonly loss: 'logistic' | 'squared';
};
/** Of the rows of one value. */
type Sums = { readonly count: number; readonly sum: number; readonly squares: number };

/**
 * Inverse variance of the effects of values on the log-odds, by EM for one random effect with the posterior of
 * each value approximated by a normal one at its mode (Stiratelli, Laird and Ware 1984).
 */
function priorOfOdds(values: readonly Sums[]): number {
  const [count, sum] = totalsOf(values);
  if (!(sum > 0 && sum < count)) return priorMax;
  const base = logit(sum / count);
  const modes = new Float64Array(values.length);
  let prior = priorStart;
  for (let step = 0; step < steps; step++) {
    let squares = 0;
    for (const [k, { count: n, sum: s }] of values.entries()) {
      const effect = modeOf(n, s, base, prior, modes[k]);
      modes[k] = effect;
      const p = sigmoid(base + effect);
      squares += effect ** 2 + 1 / (n * p * (1 - p) + prior);
    }
    prior = clamp(values.length / squares);
  }
  return prior;
}

/**
 * The most probable effect of a value with `sum` of `count` rows of yes. The objective is concave, and Newton's steps
 * are bounded: far from the mode, where nearly all rows are of one kind, they would leave it ever farther behind.
 */
function modeOf(count: number, sum: number, base: number, prior: number, from: number): number {
  let effect = from;
  for (let step = 0; step < 60; step++) {
    const p = sigmoid(base + effect);
    const whole = (sum - count * p - prior * effect) / (count * p * (1 - p) + prior);
    effect += Math.min(1, Math.max(-1, whole));
    if (Math.abs(whole) < 1e-12) break;
  }
  return effect;
}

/**
 * The variance within values over that of their effects, by EM for one random effect (Searle, Casella and McCulloch
 * 1992): a value's mean counts as much as the mean of all when it has so many rows.
 */
function priorOfNumbers(values: readonly Sums[]): number {
  const [count, sum] = totalsOf(values);
  const base = sum / count;
  let within =
    values.reduce((total, { count: n, sum: s, squares }) => total + squares - 2 * base * s + n * base ** 2, 0) / count;
  if (!(within > 0)) return priorMax;
  let between = within / priorStart;
  for (let step = 0; step < steps; step++) {
    let [squares, rest] = [0, 0];
    for (const { count: n, sum: s, squares: q } of values) {
      const variance = 1 / (n / within + 1 / between);
      const effect = (variance * (s - n * base)) / within;
      squares += effect ** 2 + variance;
      const level = base + effect;
      rest += q - 2 * level * s + n * level ** 2 + n * variance;
    }
    between = squares / values.length;
    within = rest / count;
    if (!(between > 0 && within > 0)) return priorMax;
  }
  return clamp(within / between);
}

function totalsOf(values: readonly Sums[]): [count: number, sum: number] {
  return [values.reduce((total, { count }) => total + count, 0), values.reduce((total, { sum }) => total + sum, 0)];
}

function clamp(prior: number): number {
  return Math.min(priorMax, Math.max(priorMin, prior));
}
