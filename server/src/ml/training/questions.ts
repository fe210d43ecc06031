import { microsecondsPerDay } from '../contract/contract.ts';
import type { Examples } from '../tasks/examples.ts';

/**
 * How data will be when the model serves: up to date at every anchor ('rolling'), or stopped at `cut` and up to
 * `gapMax` microseconds old ('stale'). Past cuts lie on the same grid, a whole number of `step`s before the serving
 * cut.
 */
export type Regime =
  | { readonly kind: 'rolling' }
  | { readonly kind: 'stale'; readonly cut: number; readonly gapMax: number; readonly step: number };

/**
 * Questions: example `example[i]`, reading nothing after `until[i]` (Infinity: up to its anchor). After thinning each
 * question stands for `weight[i]` questions; the weight is 1 otherwise.
 */
export type Questions = {
  readonly example: Int32Array;
  readonly until: Float64Array;
  readonly weight: Float64Array;
  /** If present, all questions are read as if no label after this moment were known. */
  readonly labelled?: number;
};

const microsecondsPerYear = 365.25 * microsecondsPerDay;

/** The regime of serving the moments `at` from data that stop at `until`; rolling when no moment is after `until`. */
export function regimeOf(at: Float64Array, until: number): Regime {
  let gapMax = 0;
  for (const anchor of at) gapMax = Math.max(gapMax, anchor - until);
  if (gapMax <= 0) return { kind: 'rolling' };
  // Past cuts are a year apart where the gap is longer than a year, so that training has data of the same season as
  // serving.
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

/** Questions beyond this number are thinned evenly while recipes are compared. */
const questionsMax = 24_000;

/**
 * Training questions for a regime. Rolling: each example once, as of its anchor. Stale: each example once per past cut
 * that is no more than `gapMax` before it, as if data had stopped there. `isBinary`: labels are 0 or 1, and thinning
 * prefers the rarer class. At most `most` questions.
 */
export function trainingQuestions(
  examples: Examples,
  pool: Int32Array,
  regime: Regime,
  isBinary: boolean,
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
  const asked = {
    example: Int32Array.from(example),
    until: Float64Array.from(until),
    weight: new Float64Array(example.length).fill(1),
  };
  return thin(asked, most, isBinary ? examples.labels : undefined);
}

export function questionsUntil(pool: Int32Array, until: number): Questions {
  return {
    example: pool,
    until: new Float64Array(pool.length).fill(until),
    weight: new Float64Array(pool.length).fill(1),
  };
}

/** The newest examples in `pool`: about `share` of them, so that examples of one moment stay together. */
export function newestOf(examples: Examples, pool: Int32Array, share: number): Int32Array {
  if (share >= 1 || pool.length === 0) return pool;
  const times = Float64Array.from(pool, (i) => examples.at[i]).sort();
  const since = times[Math.floor((1 - share) * times.length)];
  return pool.filter((i) => examples.at[i] >= since);
}

/** In a thinned sample the rarer class may take up to this share, since a model learns most from its rows. */
const rareShareMax = 0.25;

/**
 * At most `most` questions, taken evenly in their order. With 0/1 labels the rarer class is kept whole as far as
 * `rareShareMax` allows. The weights say how many questions each kept one stands for.
 */
export function thin(questions: Questions, most: number, labels?: Float64Array): Questions {
  const n = questions.example.length;
  if (n <= most) return questions;
  const all = Int32Array.from(questions.example.keys());
  const positive = labels ? all.filter((q) => labels[questions.example[q]] === 1) : all.subarray(0, 0);
  const rare = positive.length * 2 <= n ? positive : all.filter((q) => labels?.[questions.example[q]] === 0);
  const room = Math.max(Math.round(most * rareShareMax), Math.floor((rare.length * most) / n));
  const isRare = new Set(rare);
  const keptRare = evenly(rare, Math.min(room, rare.length));
  const keptOthers = evenly(
    all.filter((q) => !isRare.has(q)),
    most - keptRare.length,
  );
  const rareWeight = rare.length / Math.max(1, keptRare.length);
  const otherWeight = (n - rare.length) / Math.max(1, keptOthers.length);
  const kept = Int32Array.from([...keptRare, ...keptOthers]).sort();
  return {
    example: Int32Array.from(kept, (q) => questions.example[q]),
    until: Float64Array.from(kept, (q) => questions.until[q]),
    weight: Float64Array.from(kept, (q) => questions.weight[q] * (isRare.has(q) ? rareWeight : otherWeight)),
  };
}

function evenly(from: Int32Array, count: number): Int32Array {
  return count >= from.length
    ? from
    : Int32Array.from({ length: count }, (_, k) => from[Math.floor((k * from.length) / count)]);
}

/** One split by time: the examples to learn from, and those to predict. `start` is the moment of the split. */
export type Fold = { readonly start: number; readonly train: Int32Array; readonly test: Int32Array };

/** Whether the label of example i was known at `moment`. Without a window, labels of earlier anchors count as known. */
export function isClosed({ at, closes }: Pick<Examples, 'at' | 'closes'>, i: number, moment: number): boolean {
  return Number.isFinite(closes[i]) ? closes[i] <= moment : at[i] < moment;
}

function closedBefore(examples: Examples, pool: Int32Array, moment: number): Int32Array {
  return pool.filter((i) => isClosed(examples, i, moment));
}

/** Where rolling folds start, as shares of the examples in order of time. */
const foldStarts = [0.5, 0.65, 0.8];
const foldStartsFewExamples = [0.4, 0.55, 0.7, 0.85];
const fewExamples = 2_000;

/**
 * Folds inside `pool`. Rolling: consecutive stretches of the later half. Stale: for each past cut, everything within
 * the serving gap after it. A fold learns only from labels closed before it starts.
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
      // Just before an anchor, so that all rows of one moment are on one side.
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
