import { type Calibrator, fitCalibrator } from '../calibration/calibrate.ts';
import { fitInterval, type Interval, intervalOf } from '../calibration/interval.ts';
import type { Sure } from '../calibration/judge.ts';
import { widthOf } from '../tasks/aim.ts';
import type { LearnedOutput, OutOfFold } from './learn-output.ts';
import { outputOf } from './output.ts';

/** What is needed of an output to read its margins. */
type Scaled = Pick<LearnedOutput, 'aim' | 'calibrator' | 'range' | 'link' | 'outOfFold'>;

/**
 * Predictions of an output on rows later than what its scoring models had learned from, as often as they occur, with what came;
 * `examples`: which examples they ask about.
 */
export function outOfFoldOf(output: Scaled): Rows & { readonly predictions: Float64Array } {
  const rows = asTheyOccur(output.outOfFold, widthOf(output.aim));
  return { ...rows, predictions: outputOf(output.aim, output, rows.margins) };
}

/** The interval of an output, as a version has it; null where there is none. */
export function fitIntervalOf(output: Scaled): Interval | null {
  return fitInterval(output.aim.kind, outOfFoldOf(output));
}

/** The bounds of rows by their margins and predictions. */
export function boundsOf(interval: Interval, margins: Float64Array, predictions: Float64Array): Sure {
  const pairs = Array.from(predictions, (prediction, row) => intervalOf(interval, margins[row], prediction));
  return {
    lower: Float64Array.from(pairs, ([lower]) => lower),
    upper: Float64Array.from(pairs, ([, upper]) => upper),
    promised: interval.kind === 'conformal' ? interval.conformal : null,
  };
}

type Foretold = { readonly labels: Float64Array; readonly predictions: Float64Array; readonly sure: Sure | null };

/**
 * Each fold but the first, calibrated and bounded by nothing but the folds before it: what calibration and bounds are worth
 * on later rows. Null of classes, and where there are too few folds or labels to tell.
 */
export function foretellFolds(output: Scaled): Foretold | null {
  const { aim, outOfFold } = output;
  if (aim.kind === 'multiclass') return null;
  const parts: Foretold[] = [];
  for (let from = 0, fold = 0; fold < outOfFold.folds.length; from += outOfFold.folds[fold++]) {
    const past = pickFolds(outOfFold, 0, from);
    const told = aim.kind === 'binary' ? past.labels.some((label) => label !== past.labels[0]) : from > 0;
    if (!told) continue;
    const calibrator: Calibrator | null =
      aim.kind === 'binary' ? fitCalibrator(past.margins, past.labels, past.weights) : null;
    const own = asTheyOccur(pickFolds(outOfFold, from, from + outOfFold.folds[fold]), 1);
    const predictions = outputOf(aim, { ...output, calibrator }, own.margins);
    const interval = fitIntervalOf({ ...output, calibrator, outOfFold: past });
    parts.push({ labels: own.labels, predictions, sure: interval && boundsOf(interval, own.margins, predictions) });
  }
  if (parts.length === 0) return null;
  const joined = (of: (part: Foretold) => Float64Array) => Float64Array.from(parts.flatMap((part) => [...of(part)]));
  const [first] = parts;
  return {
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

/** Rows from … to - 1, of outputs that have one margin a row. */
function pickFolds({ examples, at, margins, labels, weights }: OutOfFold, from: number, to: number): OutOfFold {
  return {
    examples: examples.subarray(from, to),
    at: at.subarray(from, to),
    folds: [to - from],
    margins: margins.subarray(from, to),
    labels: labels.subarray(from, to),
    weights: weights.subarray(from, to),
  };
}

type Rows = Pick<OutOfFold, 'examples' | 'at' | 'margins' | 'labels'>;

/** Rows in the proportions in which they occur: of those that stand for fewer examples, evenly fewer are taken. */
function asTheyOccur({ examples, at, margins, labels, weights }: OutOfFold, width: number): Rows {
  const most = weights.reduce((a, b) => Math.max(a, b), 0);
  const due = new Map<number, number>();
  const taken = Int32Array.from(labels.keys()).filter((row) => {
    const sum = (due.get(weights[row]) ?? 0) + weights[row] / most;
    due.set(weights[row], sum >= 1 ? sum - 1 : sum);
    return sum >= 1;
  });
  return {
    examples: Int32Array.from(taken, (row) => examples[row]),
    at: Float64Array.from(taken, (row) => at[row]),
    margins: Float64Array.from(
      { length: taken.length * width },
      (_, k) => margins[taken[Math.floor(k / width)] * width + (k % width)],
    ),
    labels: Float64Array.from(taken, (row) => labels[row]),
  };
}
