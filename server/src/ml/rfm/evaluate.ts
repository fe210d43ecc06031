import { averageRanks } from '../statistics/ranks.ts';
import type { MomentSample } from './sample.ts';

/** Most pairs of later moments used for evaluation. */
export const evaluatedPairsMax = 2_000;

/** Predictions of the heads for the rows of a sample, row by row: log odds, numbers, and unnormalised log shares. */
export type Said = {
  readonly logistic: Float32Array;
  readonly numbers: Float32Array;
  readonly groups: Float32Array;
  readonly label?: Float32Array;
};

/** The loss of the heads on one target, and the loss of a constant: the mean over the training rows. */
export type Evaluation = {
  readonly rows: number;
  /** Mean log loss, squared error in standard deviations, or cross-entropy. */
  readonly loss: number;
  readonly constant: number;
  /** The loss of each row, in order; `loss` is their mean. */
  readonly losses: Float64Array;
  /**
   * For yes-or-no targets: the probability that a positive row is ranked above a negative one; absent when all rows are
   * alike.
   */
  readonly auroc?: number;
};

export type Evaluations = {
  readonly logistic: readonly Evaluation[];
  readonly numbers: readonly Evaluation[];
  readonly groups: readonly Evaluation[];
};

/**
 * Evaluates predictions for the sample `evaluated` against constants from the sample `trained`. `groups`: the widths of
 * the groups of shares.
 */
export function evaluate(
  said: Said,
  evaluated: MomentSample,
  trained: MomentSample,
  groups: readonly number[],
): Evaluations {
  const rows = evaluated.entities.length;
  const columnsOf = (values: Float32Array, of = rows) => values.length / of;
  const logistic = Array.from({ length: columnsOf(evaluated.logistic) }, (_, c) => {
    const [came, margins] = knownPairs(evaluated.logistic, said.logistic, rows, c);
    const rate = meanOf(trained.logistic, trained.entities.length, c);
    const lossOf = (y: number, z: number) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - y * z;
    const baseline = Math.log(rate / (1 - rate));
    const auroc = areaUnderCurve(came, margins);
    const losses = Float64Array.from(came, (y, i) => lossOf(y, margins[i]));
    return {
      rows: came.length,
      loss: averageOf(losses),
      constant: averageOf(came.map((y) => lossOf(y, baseline))),
      losses,
      ...(Number.isNaN(auroc) ? {} : { auroc }),
    };
  });
  const numbers = Array.from({ length: columnsOf(evaluated.numbers) }, (_, c) => {
    const [came, told] = knownPairs(evaluated.numbers, said.numbers, rows, c);
    const mean = meanOf(trained.numbers, trained.entities.length, c);
    const losses = Float64Array.from(came, (y, i) => (y - told[i]) ** 2);
    return {
      rows: came.length,
      loss: averageOf(losses),
      constant: averageOf(came.map((y) => (y - mean) ** 2)),
      losses,
    };
  });
  let from = 0;
  const shares = groups.map((width) => {
    from += width;
    return evaluateGroup(said.groups, evaluated, trained, from - width, width);
  });
  return { logistic, numbers, groups: shares };
}

/** Added to counts, so that a value that never occurs in training has a large but finite loss. */
const smoothing = 0.5;

function evaluateGroup(
  said: Float32Array,
  evaluated: MomentSample,
  trained: MomentSample,
  from: number,
  width: number,
): Evaluation {
  const rows = evaluated.entities.length;
  const columns = evaluated.groups.length / rows;
  const rates = Array.from({ length: width }, (_, k) => meanOf(trained.groups, trained.entities.length, from + k));
  const known = trained.entities.length;
  const logRates = rates.map((rate) => Math.log((rate * known + smoothing) / (known + smoothing * width)));
  const losses: number[] = [];
  let constant = 0;
  for (let i = 0; i < rows; i++) {
    const at = i * columns + from;
    if (Number.isNaN(evaluated.groups[at])) continue;
    let loss = 0;
    let total = 0;
    for (let k = 0; k < width; k++) total += Math.exp(said[at + k]);
    for (let k = 0; k < width; k++) {
      loss -= evaluated.groups[at + k] * (said[at + k] - Math.log(total));
      constant -= evaluated.groups[at + k] * logRates[k];
    }
    losses.push(loss);
  }
  return {
    rows: losses.length,
    loss: averageOf(losses),
    constant: constant / losses.length,
    losses: Float64Array.from(losses),
  };
}

/**
 * One number for all heads, smaller is better: the mean loss relative to the constant's, averaged over targets of a
 * kind, then over kinds.
 */
export function summarise({ logistic, numbers, groups }: Evaluations): number {
  const kinds = [logistic, numbers, groups].flatMap((evaluations) => {
    const told = evaluations.filter(({ rows, constant }) => rows > 0 && constant > 0);
    if (told.length === 0) return [];
    return [told.reduce((sum, { loss, constant }) => sum + Math.min(2, loss / constant), 0) / told.length];
  });
  return kinds.reduce((sum, kind) => sum + kind, 0) / kinds.length;
}

function knownPairs(came: Float32Array, said: Float32Array, rows: number, column: number): [number[], number[]] {
  const columns = came.length / rows;
  const known = Array.from({ length: rows }, (_, i) => i * columns + column).filter((at) => !Number.isNaN(came[at]));
  return [known.map((at) => came[at]), known.map((at) => said[at])];
}

function meanOf(values: Float32Array, rows: number, column: number): number {
  const columns = values.length / rows;
  let sum = 0;
  let known = 0;
  for (let at = column; at < values.length; at += columns) {
    if (Number.isNaN(values[at])) continue;
    sum += values[at];
    known++;
  }
  return sum / known;
}

function averageOf(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** AUROC from the ranks of the positive rows (Mann & Whitney 1947); NaN when all rows are alike. */
function areaUnderCurve(came: readonly number[], margins: readonly number[]): number {
  const ranks = averageRanks(margins);
  let positive = 0;
  let sum = 0;
  for (let i = 0; i < came.length; i++) {
    if (came[i] !== 1) continue;
    positive++;
    sum += ranks[i];
  }
  return (sum - (positive * (positive + 1)) / 2) / (positive * (came.length - positive));
}
