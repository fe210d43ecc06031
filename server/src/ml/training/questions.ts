import { microsecondsPerDay } from '../contract/contract.ts';
import type { Examples } from '../tasks/examples.ts';

/**
 * How serving will see the data: fresh at every anchor, or stopped at a cut and up to `gapMax` microseconds old.
 * Cuts of the past lie on the same grid, a whole number of `step`s before the cut of serving.
 */
export type Regime =
  | { readonly kind: 'rolling' }
  | { readonly kind: 'stale'; readonly cut: number; readonly gapMax: number; readonly step: number };

/** Examples to be read as of moments: example `example[i]`, reading nothing after `until[i]` (Infinity: its anchor). */
export type Questions = { readonly example: Int32Array; readonly until: Float64Array };

const microsecondsPerYear = 365.25 * microsecondsPerDay;

/** The regime of serving `at` from data that stop at `until`; rolling when no anchor lies after it. */
export function regimeOf(at: Float64Array, until: number): Regime {
  let gapMax = 0;
  for (const anchor of at) gapMax = Math.max(gapMax, anchor - until);
  if (gapMax <= 0) return { kind: 'rolling' };
  // A year apart, so that training meets the data at the season in which serving will.
  return {
    kind: 'stale',
    cut: until,
    gapMax,
    step: gapMax > microsecondsPerYear ? microsecondsPerYear : Math.max(gapMax, microsecondsPerDay),
  };
}

/** The newest cut of the grid at or before `moment`. */
export function cutBefore(regime: Regime & { kind: 'stale' }, moment: number): number {
  return regime.cut - Math.max(0, Math.ceil((regime.cut - moment) / regime.step)) * regime.step;
}

/** Examples past this number are thinned evenly: they would change a model less than they cost. */
const questionsMax = 24_000;

/**
 * Training questions for a regime. Rolling: each example as of its anchor. Stale: each example once per past cut that is
 * no more than `gapMax` before it, as if data had stopped there.
 */
export function trainingQuestions(
  examples: Examples,
  pool: Int32Array,
  regime: Regime,
  most = questionsMax,
): Questions {
  const example: number[] = [];
  const until: number[] = [];
  for (const i of pool) {
    if (regime.kind === 'rolling') {
      example.push(i);
      until.push(Number.POSITIVE_INFINITY);
      continue;
    }
    for (let cut = cutBefore(regime, examples.at[i]); examples.at[i] - cut <= regime.gapMax; cut -= regime.step) {
      example.push(i);
      until.push(cut);
    }
  }
  return thin({ example: Int32Array.from(example), until: Float64Array.from(until) }, most);
}

export function questionsUntil(pool: Int32Array, until: number): Questions {
  return { example: pool, until: new Float64Array(pool.length).fill(until) };
}

export function thin(questions: Questions, most: number): Questions {
  const n = questions.example.length;
  if (n <= most) return questions;
  const kept = Int32Array.from({ length: most }, (_, k) => Math.floor((k * n) / most));
  return {
    example: Int32Array.from(kept, (k) => questions.example[k]),
    until: Float64Array.from(kept, (k) => questions.until[k]),
  };
}

/** One split by time: what may be learned from, and what is then predicted. */
export type Fold = { readonly start: number; readonly train: Int32Array; readonly test: Int32Array };

/** Whether the label of example i was known at `moment`; without a window, those of earlier anchors count as known. */
function isClosed(examples: Examples, i: number, moment: number): boolean {
  return Number.isFinite(examples.closes[i]) ? examples.closes[i] <= moment : examples.at[i] < moment;
}

function closedBefore(examples: Examples, pool: Int32Array, moment: number): Int32Array {
  return pool.filter((i) => isClosed(examples, i, moment));
}

/** Shares of the examples, in order of time, at which rolling folds start. */
const foldStarts = [0.5, 0.65, 0.8];
const foldStartsFewExamples = [0.4, 0.55, 0.7, 0.85];
const fewExamples = 2_000;

/**
 * Folds inside `pool`: for rolling serving consecutive stretches of the later half; for stale serving everything within
 * the serving gap after a past cut. A fold learns only from labels closed before it starts.
 */
export function layFolds(examples: Examples, pool: Int32Array, regime: Regime): Fold[] {
  const byTime = pool.toSorted((a, b) => examples.at[a] - examples.at[b] || a - b);
  const fold = (start: number, end: number): Fold => ({
    start,
    train: closedBefore(examples, pool, start),
    test: pool.filter((i) => examples.at[i] > start && examples.at[i] <= end),
  });
  if (byTime.length === 0) return [];
  let folds: Fold[];
  if (regime.kind === 'rolling') {
    const starts = (byTime.length < fewExamples ? foldStartsFewExamples : foldStarts).map(
      // Just before an anchor, so that all rows of one moment fall on one side.
      (share) => examples.at[byTime[Math.floor(share * byTime.length)]] - 1,
    );
    folds = starts.map((start, k) => fold(start, starts[k + 1] ?? Number.POSITIVE_INFINITY));
  } else {
    const last = examples.at[byTime.at(-1)!];
    folds = [];
    for (
      let cut = cutBefore(regime, last - regime.gapMax * 0.9);
      folds.length < 3;
      cut -= Math.max(regime.step, regime.gapMax * 0.75)
    ) {
      const aligned = cutBefore(regime, cut);
      if (!(aligned > examples.at[byTime[0]])) break;
      folds.unshift(fold(aligned, aligned + regime.gapMax));
    }
  }
  return folds.filter((each) => each.train.length >= Math.min(50, byTime.length * 0.15) && each.test.length > 0);
}
