import { type Calibrator, type Foretold, fitCalibrator } from '../calibration/calibrate.ts';
import type { Sure } from '../calibration/evaluate.ts';
import { fitInterval, type Interval, intervalOf } from '../calibration/interval.ts';
import { labelRange, type MarginLink, outputOf } from '../heads/output.ts';
import { type Objective, widthOf } from '../statistics/objective.ts';
import { type HeldOut, heldOutMax } from '../version/held-out.ts';
import { isClosed } from './questions.ts';

/**
 * Margins of rows that the models had not seen, with labels and weights, fold after fold in time. A weight is the
 * number of examples a row stands for.
 */
export type OutOfFold = {
  /** The example of each row. */
  readonly examples: Int32Array;
  /** The moment of each row. */
  readonly at: Float64Array;
  /** Until when data were readable for each row: its moment, or where data stop. */
  readonly until: Float64Array;
  /** Since when each label is known. */
  readonly closes: Float64Array;
  /** Of each fold the number of rows, and its start: its models learned from labels known by then. */
  readonly folds: readonly { readonly rows: number; readonly start: number }[];
  readonly margins: Float64Array;
  readonly labels: Float64Array;
  readonly weights: Float64Array;
};

/** The parts of an output needed to turn its margins into predictions. */
type Scaled = {
  readonly objective: Objective;
  readonly calibrator: Calibrator | null;
  readonly range: readonly [number, number];
  readonly link: MarginLink | undefined;
  readonly outOfFold: Unseen;
};

/**
 * Out-of-fold predictions of an output with their labels. The rows are later than what the models had learned from, and
 * are resampled in the proportions in which they occur. `examples` holds the example of each row.
 */
export function outOfFoldOf(output: Scaled): Rows & { readonly predictions: Float64Array } {
  const rows = asTheyOccur(output.outOfFold, widthOf(output.objective));
  return { ...rows, predictions: outputOf(output.objective, output, rows.margins) };
}

/** The examples of `outOfFoldOf`, fold after fold, and the moment by which each fold's models knew their labels. */
export function foldsOutOfFold({ outOfFold }: { readonly outOfFold: OutOfFold }) {
  const taken = takenOf(outOfFold.weights);
  let from = 0;
  return outOfFold.folds.map(({ rows, start }) => {
    const [first, end] = [from, from + rows];
    from = end;
    const own = taken.filter((row) => row >= first && row < end);
    return { start, examples: own.map((row) => outOfFold.examples[row]) };
  });
}

/** Fits the interval of an output, as stored in a version; null where there is none. */
export function fitIntervalOf(output: Scaled): Interval | null {
  return fitInterval(output.objective.kind, outOfFoldOf(output));
}

/** The bounds of rows, from their margins and predictions. */
export function boundsOf(interval: Interval, margins: Float64Array, predictions: Float64Array): Sure {
  const pairs = Array.from(predictions, (prediction, row) => intervalOf(interval, margins[row], prediction));
  return {
    lower: Float64Array.from(pairs, ([lower]) => lower),
    upper: Float64Array.from(pairs, ([, upper]) => upper),
    promised: interval.kind === 'conformal' ? interval.conformal : null,
  };
}

type FoldPredictions = {
  /** The example of each row. */
  readonly examples: Int32Array;
  /** The moment of each row. */
  readonly at: Float64Array;
  readonly labels: Float64Array;
  readonly predictions: Float64Array;
  readonly sure: Sure | null;
};

/**
 * How much more a row of a fold tells of the slope than one of the fold before. Models of later folds learned from
 * more, as the final one did, and their margins are worth more: with all folds alike the final model's answers are too
 * timid. For the level all rows count alike: the newest rate is no surer guess of the next one. (Log loss of later
 * rows of seven made-up families, six seeds each: lower for six of them; mean slope of contests 1.63 to 1.34. With
 * emphasis for the level, too, drift gains .003 and superlender's late payments lose .014.)
 */
const laterFoldEmphasis = 2;

/** Fits a calibrator to out-of-fold rows; what it may be is judged by how calibrators of earlier folds did later. */
export function calibrateOutOfFold(outOfFold: OutOfFold): Calibrator {
  return fitCalibrator(
    { ...outOfFold, emphasis: emphasisOf(outOfFold) },
    foretoldBefore(outOfFold, outOfFold.folds.length, Number.POSITIVE_INFINITY),
  );
}

function emphasisOf({ folds }: OutOfFold): Float64Array {
  return Float64Array.from(folds.flatMap(({ rows }, k) => Array<number>(rows).fill(laterFoldEmphasis ** k)));
}

/** The first `count` folds, each with the folds before it, whose labels were known when it began and at `known`. */
function foretoldBefore(outOfFold: OutOfFold, count: number, known: number): Foretold[] {
  return outOfFold.folds.slice(1, count).map(({ start }, k) => ({
    past: pastOf(outOfFold, k + 1, start),
    later: pickUnseen(
      outOfFold,
      rowsOf(outOfFold, k + 1, k + 2).filter((row) => isClosed(outOfFold, row, known)),
    ),
  }));
}

/** The rows of the first `count` folds whose labels were known at a moment. */
function pastOf(outOfFold: OutOfFold, count: number, moment: number): Unseen & { readonly emphasis: Float64Array } {
  const rows = rowsOf(outOfFold, 0, count).filter((row) => isClosed(outOfFold, row, moment));
  const emphasis = emphasisOf(outOfFold);
  return { ...pickUnseen(outOfFold, rows), emphasis: Float64Array.from(rows, (row) => emphasis[row]) };
}

/** The rows of the folds `first` to `end` - 1. */
function rowsOf({ folds }: OutOfFold, first: number, end: number): Int32Array {
  const before = folds.slice(0, first).reduce((sum, { rows }) => sum + rows, 0);
  return rangeOf(
    before,
    folds.slice(first, end).reduce((sum, { rows }) => sum + rows, 0),
  );
}

/**
 * Predicts each fold with a calibrator and an interval fitted on earlier folds only, from labels known when the fold
 * began. This measures how calibration and bounds do on later rows. Folds with too little before them are left out.
 * Null for multiclass, and where no fold is left.
 */
export function predictFolds(output: Scaled & { readonly outOfFold: OutOfFold }): FoldPredictions | null {
  const { objective, outOfFold } = output;
  if (objective.kind === 'multiclass') return null;
  const parts: FoldPredictions[] = [];
  for (const [k, { start }] of outOfFold.folds.entries()) {
    const past = pastOf(outOfFold, k, start);
    const told =
      objective.kind === 'binary' ? past.labels.some((label) => label !== past.labels[0]) : past.labels.length > 0;
    if (!told) continue;
    const calibrator: Calibrator | null =
      objective.kind === 'binary' ? fitCalibrator(past, foretoldBefore(outOfFold, k, start)) : null;
    const own = asTheyOccur(pickUnseen(outOfFold, rowsOf(outOfFold, k, k + 1)), 1);
    const known = { ...output, calibrator, range: labelRange(past.labels) };
    const predictions = outputOf(objective, known, own.margins);
    const interval = fitIntervalOf({ ...known, outOfFold: past });
    parts.push({
      examples: own.examples,
      at: own.at,
      labels: own.labels,
      predictions,
      sure: interval && boundsOf(interval, own.margins, predictions),
    });
  }
  if (parts.length === 0) return null;
  const joined = (of: (part: FoldPredictions) => Float64Array) =>
    Float64Array.from(parts.flatMap((part) => [...of(part)]));
  const [first] = parts;
  return {
    examples: Int32Array.from(parts.flatMap(({ examples }) => [...examples])),
    at: joined(({ at }) => at),
    labels: joined(({ labels }) => labels),
    predictions: joined(({ predictions }) => predictions),
    sure: parts.every(({ sure }) => sure !== null)
      ? {
          lower: joined(({ sure }) => sure!.lower),
          upper: joined(({ sure }) => sure!.upper),
          promised: first.sure!.promised,
        }
      : null,
  };
}

/**
 * The newest predictions of an output by models that had not learned from their rows, nor had their calibrators: by the
 * example of each row. Classes have no calibrator.
 */
export function heldOutOf(output: Scaled & { readonly outOfFold: OutOfFold }): HeldOut {
  const rows = output.objective.kind === 'multiclass' ? outOfFoldOf(output) : predictFolds(output);
  if (!rows) return { places: new Int32Array(0), values: new Float64Array(0) };
  const { examples, at, predictions } = rows;
  const width = widthOf(output.objective);
  const order = Array.from(examples.keys());
  const newest = order.toSorted((a, b) => at[b]! - at[a]! || a - b).slice(0, heldOutMax);
  const kept = newest.sort((a, b) => a - b);
  return {
    places: Int32Array.from(kept, (row) => examples[row]!),
    values: Float64Array.from(kept.flatMap((row) => [...predictions.subarray(row * width, (row + 1) * width)])),
  };
}

function rangeOf(first: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, k) => first + k);
}

/** Picks rows of an output with one margin per row. */
function pickUnseen({ examples, at, until, margins, labels, weights }: OutOfFold, rows: Int32Array): Unseen {
  const of = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]);
  return {
    examples: rows.map((row) => examples[row]),
    ...{ at: of(at), until: of(until), margins: of(margins), labels: of(labels), weights: of(weights) },
  };
}

/** Out-of-fold rows, without their folds. */
type Unseen = Omit<OutOfFold, 'folds' | 'closes'>;

type Rows = Pick<OutOfFold, 'examples' | 'at' | 'until' | 'margins' | 'labels'>;

/** Resamples rows in the proportions in which they occur. */
function asTheyOccur({ examples, at, until, margins, labels, weights }: Unseen, width: number): Rows {
  const taken = takenOf(weights);
  return {
    examples: Int32Array.from(taken, (row) => examples[row]),
    at: Float64Array.from(taken, (row) => at[row]),
    until: Float64Array.from(taken, (row) => until[row]),
    margins: Float64Array.from(
      { length: taken.length * width },
      (_, k) => margins[taken[Math.floor(k / width)] * width + (k % width)],
    ),
    labels: Float64Array.from(taken, (row) => labels[row]),
  };
}

/** Takes rows in the proportions in which they occur: those with less weight less often, evenly. */
function takenOf(weights: Float64Array): Int32Array {
  const most = weights.reduce((a, b) => Math.max(a, b), 0);
  const due = new Map<number, number>();
  return Int32Array.from(weights.keys()).filter((row) => {
    const sum = (due.get(weights[row]) ?? 0) + weights[row] / most;
    due.set(weights[row], sum >= 1 ? sum - 1 : sum);
    return sum >= 1;
  });
}
