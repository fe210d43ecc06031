import { assert } from '../../lib/failure.ts';

/**
 * The loss that trees minimise. Margins are log-odds (logistic), the log of the expected value (poisson, tweedie), one
 * log-weight per class (softmax), or in the label's own unit. quantile: alpha in (0, 1); absolute is the quantile .5.
 * tweedie: the variance grows with the mean to the power (1, 2), as for sums of a few amounts that are often none.
 */
export type Loss =
  | { readonly kind: 'logistic' | 'squared' | 'absolute' | 'poisson' }
  | { readonly kind: 'quantile'; readonly alpha: number }
  | { readonly kind: 'tweedie'; readonly power: number }
  | { readonly kind: 'softmax'; readonly classes: number };

// Keeps the priors of classes never seen finite: log-odds within ±16.
const priorMin = 1e-7;
// Bound of a leaf's step on the log scale. e^10 already turns any start value into any count worth predicting.
const logStepMax = 10;

export function countOutputs(loss: Loss): number {
  return loss.kind === 'softmax' ? loss.classes : 1;
}

/** Asserts that labels fit the loss: logistic in [0, 1], poisson and tweedie ≥ 0, softmax whole in [0, classes). */
export function assertLabels(loss: Loss, labels: Float64Array): void {
  for (const label of labels) {
    assert(Number.isFinite(label), 'labels are finite');
    if (loss.kind === 'logistic') assert(label >= 0 && label <= 1, 'logistic labels are in [0, 1]');
    if (hasLogLink(loss)) assert(label >= 0, `${loss.kind} labels are not negative`);
    if (loss.kind === 'softmax') {
      assert(Number.isInteger(label) && label >= 0 && label < loss.classes, 'softmax labels are class numbers');
    }
  }
}

/** Whether margins are logarithms of the label's unit. */
export function hasLogLink(loss: Loss): boolean {
  return loss.kind === 'poisson' || loss.kind === 'tweedie';
}

/** The constant margins, one per output, with the smallest loss. weights: positive, one per label. */
export function fitBase(loss: Loss, labels: Float64Array, weights: Float64Array): Float64Array {
  let total = 0;
  let sum = 0;
  for (let i = 0; i < labels.length; i++) {
    total += weights[i];
    sum += weights[i] * labels[i];
  }
  const mean = sum / total;
  switch (loss.kind) {
    case 'squared':
      return Float64Array.of(mean);
    case 'logistic': {
      const prior = Math.min(Math.max(mean, priorMin), 1 - priorMin);
      return Float64Array.of(Math.log(prior / (1 - prior)));
    }
    case 'poisson':
    case 'tweedie':
      return Float64Array.of(Math.log(Math.max(mean, priorMin)));
    case 'absolute':
    case 'quantile':
      return Float64Array.of(weightedQuantile(labels.slice(), weights.slice(), quantileLevel(loss)!));
    case 'softmax': {
      const priors = new Float64Array(loss.classes);
      for (let i = 0; i < labels.length; i++) priors[labels[i]] += weights[i];
      return priors.map((weight) => Math.log(Math.max(weight / total, priorMin)));
    }
  }
}

/** The quantile a loss estimates, or undefined for losses with a curvature. */
export function quantileLevel(loss: Loss): number | undefined {
  if (loss.kind === 'absolute') return 0.5;
  return loss.kind === 'quantile' ? loss.alpha : undefined;
}

export type GradientInput = {
  readonly loss: Loss;
  /** The output (class) that the next tree adds to. */
  readonly output: number;
  readonly labels: Float64Array;
  readonly weights: Float64Array;
  /** Column-major rows × outputs; for softmax, class probabilities instead. */
  readonly margins: Float64Array;
  /** Rows to compute gradients for, in order. */
  readonly sample: Int32Array;
};

/**
 * Writes the first and second derivative of the loss by the margin for each sampled row, times its weight. The second
 * derivative is 1 for losses without curvature. For softmax it is the diagonal of the Hessian times K / (K − 1)
 * (Friedman, Hastie & Tibshirani 2000, algorithm 6).
 */
export function computeGradients(input: GradientInput, gradients: Float64Array, hessians: Float64Array): void {
  const { loss, labels, weights, margins, sample } = input;
  const level = quantileLevel(loss);
  const base = input.output * labels.length;
  const softmaxFactor = loss.kind === 'softmax' ? loss.classes / (loss.classes - 1) : 1;
  for (let i = 0; i < sample.length; i++) {
    const row = sample[i];
    const weight = weights[row];
    const margin = margins[base + row];
    let g: number;
    let h = 1;
    switch (loss.kind) {
      case 'logistic': {
        const p = 1 / (1 + Math.exp(-margin));
        g = p - labels[row];
        h = p * (1 - p);
        break;
      }
      case 'squared':
        g = margin - labels[row];
        break;
      case 'poisson':
        h = Math.exp(margin);
        g = h - labels[row];
        break;
      case 'tweedie': {
        const expected = Math.exp((2 - loss.power) * margin);
        const found = labels[row] * Math.exp((1 - loss.power) * margin);
        g = expected - found;
        h = (2 - loss.power) * expected + (loss.power - 1) * found;
        break;
      }
      case 'softmax':
        g = margin - (labels[row] === input.output ? 1 : 0);
        h = margin * (1 - margin) * softmaxFactor;
        break;
      default:
        g = labels[row] > margin ? -level! : labels[row] < margin ? 1 - level! : 0;
    }
    gradients[i] = g * weight;
    hessians[i] = h * weight;
  }
}

/** Writes the softmax of each row's margins to `probabilities`. Both are column-major rows × classes. */
export function computeProbabilities(margins: Float64Array, classes: number, probabilities: Float64Array): void {
  const rows = margins.length / classes;
  for (let row = 0; row < rows; row++) {
    let top = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < classes; c++) top = Math.max(top, margins[c * rows + row]);
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += probabilities[c * rows + row] = Math.exp(margins[c * rows + row] - top);
    for (let c = 0; c < classes; c++) probabilities[c * rows + row] /= sum;
  }
}

/**
 * The step of a leaf from the sums over its rows: Newton's −G / (H + λ). For poisson, where H = Σ w·μ, it is the exact
 * optimum log((Σ w·y + λ) / (Σ w·μ + λ)), which equals Newton's step when small and never overshoots. For tweedie it is
 * the same with y·μ^(1 − p) and μ^(2 − p), whose sums follow from G and H.
 */
export function leafStep(loss: Loss, gradient: number, hessian: number, l2: number): number {
  if (hasLogLink(loss)) {
    const power = loss.kind === 'tweedie' ? loss.power : 1;
    const found = hessian - (2 - power) * gradient;
    const expected = hessian + (power - 1) * gradient;
    const step = Math.log((Math.max(found, 0) + l2) / (Math.max(expected, 0) + l2));
    return Math.min(Math.max(step, -logStepMax), logStepMax);
  }
  return hessian + l2 > 0 ? -gradient / (hessian + l2) : 0;
}

/**
 * The weighted quantile: the smallest value at which the cumulative weight reaches level × total. When it is reached
 * exactly, the result is midway to the next value (so the median of an even count is the usual one). values: at least
 * one; weights: positive. Reorders both arrays. O(n) on average (quickselect, Hoare 1961, with three-way partitions).
 */
export function weightedQuantile(values: Float64Array, weights: Float64Array, level: number): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i];
  const target = level * total;
  let begin = 0;
  let end = values.length;
  let before = 0; // Weight of all values below `begin`.
  while (begin < end) {
    const pivot = middleOf(values[begin], values[(begin + end) >> 1], values[end - 1]);
    const part = partition(values, weights, begin, end, pivot);
    if (part.weightBelow > 0 && before + part.weightBelow >= target) {
      end = part.equalBegin;
      continue;
    }
    const reached = before + part.weightBelow + part.weightEqual;
    if (reached > target) return pivot;
    if (reached === target) return (pivot + leastAbove(values, pivot)) / 2;
    before = reached;
    begin = part.equalEnd;
  }
  // Reached only by rounding of sums: the target is at the end of the last range.
  return values.subarray(0, Math.max(1, begin)).reduce((most, value) => Math.max(most, value));
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** The smallest value above `pivot`, or `pivot` when it is the largest. */
function leastAbove(values: Float64Array, pivot: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i] > pivot && values[i] < least) least = values[i];
  return least === Number.POSITIVE_INFINITY ? pivot : least;
}

/** Reorders [begin, end) into values below, equal to and above the pivot. */
function partition(values: Float64Array, weights: Float64Array, begin: number, end: number, pivot: number) {
  let equalBegin = begin;
  let equalEnd = end;
  let weightBelow = 0;
  let weightEqual = 0;
  const swap = (i: number, j: number): void => {
    const value = values[i];
    const weight = weights[i];
    values[i] = values[j];
    weights[i] = weights[j];
    values[j] = value;
    weights[j] = weight;
  };
  for (let i = begin; i < equalEnd; ) {
    if (values[i] < pivot) {
      weightBelow += weights[i];
      swap(i++, equalBegin++);
    } else if (values[i] > pivot) swap(i, --equalEnd);
    else weightEqual += weights[i++];
  }
  return { equalBegin, equalEnd, weightBelow, weightEqual };
}
