import { averageMargins, pickRows } from '../heads/head.ts';
import { outputOf } from '../heads/output.ts';
import { linkOf, type Recipe, type RecipePart } from '../heads/recipes.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { evaluateMetric, isHigherBetter, prepareMetric } from '../statistics/metrics.ts';
import { bootstrapEstimates, resamplingOf } from '../statistics/standard-errors.ts';
import type { Examples } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import type { LabelHistory } from './label-history.ts';
import type { Progress } from './learning-data.ts';
import { costOf, type ModelTeam, shareMatrix } from './learning-team.ts';
import { layFolds, newestOf, type Questions, type Regime } from './questions.ts';

/** The scale used in trials: no calibrator, and no limits on the range. */
const unscaled = { calibrator: null, range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] } as const;
/** Models that are only compared may be noisier than the final one, so they use fewer seeds. */
const seedsOf = (rows: number): number[] => (rows < 5_000 ? [1, 2] : [1]);

/** The ranking of features by the labels known at `start`, for a fold that starts then. */
export type FoldRanking = { readonly start: number; readonly ranking: readonly number[] };

/** What the recipes of one output are tried on. */
export type Ground = {
  readonly output: LabelledOutput;
  readonly ranking: readonly number[];
  /** The rankings of folds, in order of time. */
  readonly foldRankings: readonly FoldRanking[];
  /** Whether a feature may be read. */
  readonly reads: (feature: number) => boolean;
  readonly regime: Regime;
  readonly questions: Questions;
  /** The feature matrix for the folds. */
  readonly matrix: FeatureMatrix;
  /**
   * Null in the stale regime, where labels are known as far as data are readable, and where no feature reads labels.
   */
  readonly history: LabelHistory | null;
  /** The questions whose label is known. */
  readonly known: Int32Array;
  readonly team: ModelTeam;
  readonly progress: Progress;
};

/** The folds of an output over the questions, and the number of labelled examples among them. */
export function foldsOf(examples: Examples, { example }: Questions, regime: Regime) {
  const labelled = Int32Array.from(new Set(example.filter((i) => !Number.isNaN(examples.labels[i]))));
  return { folds: layFolds(examples, labelled, regime), labelled: labelled.length };
}

export type Trial = { readonly recipe: Recipe; readonly folds: number[]; readonly margins: Float64Array[] };

/**
 * A fold for trying recipes: the questions `rows` to learn from, whose examples are `train`, and the questions to
 * predict, whose examples are `test`.
 */
export type LaidFold = {
  readonly start: number;
  /** Features, best first, by what is known when the fold starts. */
  readonly ranking: readonly number[];
  readonly rows: Int32Array;
  readonly train: Int32Array;
  readonly test: Int32Array;
  /** Until when data are readable for each test question: its moment, or where data stop. */
  readonly until: Float64Array;
  readonly labels: Float64Array;
  readonly weights: Float64Array;
  readonly matrix: FeatureMatrix;
};

/** The folds to try recipes on, without those that cannot tell. */
export async function layGround(ground: Ground, folds: ReturnType<typeof layFolds>): Promise<LaidFold[]> {
  const laid: LaidFold[] = [];
  for (const fold of folds) laid.push(...(await layFold(ground, fold)));
  return laid;
}

/**
 * Trains recipes on each fold and evaluates them on later rows. Parts that several recipes share are trained once, also
 * across calls. Progress continues from `tried` recipes done before, out of `all`.
 */
export function openTrials(
  ground: Ground,
  laid: readonly LaidFold[],
): (recipes: readonly Recipe[], tried?: number, all?: number) => Promise<Trial[]> {
  const { output, progress } = ground;
  const made = laid.map(() => new Map<string, Float64Array>());
  return async (recipes, tried = 0, all = recipes.length) => {
    const parts = new Map(recipes.flatMap(({ parts }) => parts.map((part) => [JSON.stringify(part), part])));
    const open = laid.flatMap((fold, k) =>
      [...parts].flatMap(([key, part]) => (made[k].has(key) ? [] : [{ k, key, part, fold, rows: fold.rows }])),
    );
    const margins = await marginsOn(ground, open, (taken) =>
      progress(`choosing a model for ${output.name}`, tried + (recipes.length * taken) / open.length, all),
    );
    for (const [o, { k, key }] of open.entries()) made[k].set(key, margins[o]);
    return recipes.map((recipe) => trialOf(output, recipe, laid, (part, k) => made[k].get(JSON.stringify(part))!));
  };
}

function trialOf(
  output: LabelledOutput,
  recipe: Recipe,
  laid: readonly LaidFold[],
  marginsOf: (part: RecipePart, fold: number) => Float64Array,
): Trial {
  const margins = laid.map((_, k) => averageMargins(recipe.parts.map((part) => marginsOf(part, k))));
  return { recipe, folds: laid.map(({ labels }, k) => evaluate(output, recipe, labels, margins[k])), margins };
}

/** Empty where the training labels are all equal, or there is nothing to predict. */
async function layFold(
  { output, ranking, foldRankings, regime, questions, matrix, history, known: all, team }: Ground,
  fold: ReturnType<typeof layFolds>[number],
): Promise<LaidFold[]> {
  const [known, tested] = [new Set(fold.train), new Set(fold.test)];
  const rows = all.filter((q) => known.has(questions.example[q]));
  // A stale fold is evaluated as of its own cut, which is on the grid of the training questions.
  const test = all.filter(
    (q) => tested.has(questions.example[q]) && (regime.kind === 'rolling' || questions.until[q] === fold.start),
  );
  const labels = labelsOf(output.examples, questions, rows);
  if (labels.every((label) => label === labels[0]) || test.length === 0) return [];
  // Labels stop at the fold's start, as they stop for the final model when training starts.
  const asked = history ? await history.asOf(matrix, test, fold.start) : pickRows(matrix, test);
  return [
    {
      start: fold.start,
      ranking: foldRankings.findLast(({ start }) => start <= fold.start)?.ranking ?? ranking,
      rows,
      train: fold.train,
      test: test.map((q) => questions.example[q]),
      until: Float64Array.from(test, (q) => Math.min(output.examples.at[questions.example[q]], questions.until[q])),
      labels: labelsOf(output.examples, questions, test),
      weights: Float64Array.from(test, (q) => questions.weight[q]),
      matrix: shareMatrix(team, asked),
    },
  ];
}

/**
 * Shares of the newest rows that are tried, since models of recent rows do better where the past differed; only where
 * at least `newestRowsMin` rows remain.
 */
const newestShares = [0.5, 0.25];
const newestRowsMin = 300;

/** A recipe trained on this share of each fold's examples, the newest ones. */
export type Age = { readonly share: number; readonly trial: Trial };

/**
 * Trains the chosen recipe on all examples, and on the newest shares of them that are large enough. With `isHalved`
 * also on every second row of each fold: if that does worse, more rows would do better.
 */
export async function tryFewerRows(
  ground: Ground,
  laid: readonly LaidFold[],
  chosen: Trial,
  isHalved: boolean,
): Promise<{ readonly ages: readonly Age[]; readonly half: Trial | null }> {
  const { output, questions } = ground;
  const shares = newestShares.filter(
    (share) => laid.length > 1 && laid.every(({ rows }) => rows.length * share >= newestRowsMin),
  );
  const ways: Way[] = shares.map((share) => ({
    name: `newest ${100 * share}%`,
    rowsOf: ({ rows, train }) => {
      const kept = new Set(newestOf(output.examples, train, share));
      return rows.filter((q) => kept.has(questions.example[q]));
    },
  }));
  if (isHalved) ways.push({ name: 'every second row', rowsOf: ({ rows }) => rows.filter((_, k) => k % 2 === 0) });
  const trials = await tryWays(ground, laid, chosen.recipe, ways);
  const ages = shares.map((share, at): Age => ({ share, trial: trials[at] }));
  return { ages: [{ share: 1, trial: chosen }, ...ages], half: isHalved ? trials[shares.length] : null };
}

/** Which of a fold's rows a recipe learns from. */
type Way = { readonly name: string; readonly rowsOf: (fold: LaidFold) => Int32Array };

/** Trains a recipe on each fold in each way. */
async function tryWays(
  ground: Ground,
  laid: readonly LaidFold[],
  recipe: Recipe,
  ways: readonly Way[],
): Promise<Trial[]> {
  const { output, progress } = ground;
  const orders = ways.flatMap(({ rowsOf }) =>
    laid.flatMap((fold) => {
      const rows = rowsOf(fold);
      return recipe.parts.map((part) => ({ part, fold, rows }));
    }),
  );
  const margins = await marginsOn(ground, orders, (taken) =>
    progress(`choosing rows for ${output.name}`, taken, orders.length),
  );
  const { parts } = recipe;
  return ways.map(({ name }, w) => {
    const made = (part: RecipePart, k: number) => margins[(w * laid.length + k) * parts.length + parts.indexOf(part)];
    return trialOf(output, { ...recipe, name: `${recipe.name}, ${name}` }, laid, made);
  });
}

type MarginOrder = { readonly part: RecipePart; readonly fold: LaidFold; readonly rows: Int32Array };

/** Trains parts, each on rows before its fold, and answers those of the fold. */
function marginsOn(
  { output, ranking: ofAll, reads, questions, matrix, known, team }: Ground,
  orders: readonly MarginOrder[],
  told: (taken: number) => void,
): Promise<Float64Array[]> {
  const seeds = seedsOf(known.length);
  const labels = new Map<Int32Array, Float64Array>();
  for (const { rows } of orders) if (!labels.has(rows)) labels.set(rows, labelsOf(output.examples, questions, rows));
  return team.each(
    'margins',
    orders.map(({ part, fold, rows }) => {
      const own = fold.ranking.filter(reads);
      const ranking = own.length > 0 ? own : ofAll;
      return {
        input: { matrix, rows, labels: labels.get(rows)!, ranking, part, weights: null },
        ...{ seeds, asked: fold.matrix },
      };
    }),
    { told, costOf: ({ input }) => input.rows.length * costOf(input.part, seeds.length) },
  );
}

function evaluate({ objective }: LabelledOutput, recipe: Recipe, truth: Float64Array, margins: Float64Array): number {
  return evaluateMetric(objective.metric, truth, outputOf(objective, { ...unscaled, link: linkOf(recipe) }, margins))
    .value;
}

export function labelsOf({ labels }: Examples, { example }: Questions, rows: Int32Array): Float64Array {
  return Float64Array.from(rows, (q) => labels[example[q]]);
}

/** Draws of the rows of a fold by which the error of a gain is known. */
const draws = 100;

/**
 * The index of the trial to use: the first (the default), unless another is better on average by more than one standard
 * error of the mean over folds, and by more than `errors` standard errors of the folds' rows, by a bootstrap of the
 * paired difference: a few folds may agree by chance. The best of those.
 */
export function chooseTrial(
  { objective, examples }: LabelledOutput,
  laid: readonly LaidFold[],
  trials: readonly Trial[],
  errors = 1,
): number {
  const better = isHigherBetter(objective.metric) ? 1 : -1;
  const [usual] = trials;
  const told = laid.filter((_, k) => trials.every(({ folds }) => !Number.isNaN(folds[k])));
  if (told.length < 2) return 0;
  const places = told.map((fold) => laid.indexOf(fold));
  const measured = trials.map(({ recipe, margins }) =>
    places.map((k) => {
      const values = outputOf(objective, { ...unscaled, link: linkOf(recipe) }, margins[k]);
      return prepareMetric(objective.metric, laid[k].labels, values);
    }),
  );
  const gains = trials.map(({ folds }) => places.map((k) => better * (folds[k] - usual.folds[k])));
  let best = 0;
  for (let t = 1; t < trials.length; t++) {
    const mean = meanOf(gains[t]);
    if (!(mean > Math.max(0, best === 0 ? 0 : meanOf(gains[best])))) continue;
    const ofFolds =
      gains[t].reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains[t].length - 1) / gains[t].length;
    if (mean <= Math.sqrt(ofFolds)) continue;
    const ofRows = told.reduce((sum, { test }, k) => {
      const resampling = resamplingOf(
        Float64Array.from(test, (i) => examples.at[i]),
        Int32Array.from(test, (i) => examples.rows[i]),
      );
      const difference = (weights: Float64Array | null) => [measured[t][k](weights) - measured[0][k](weights)];
      const [{ low, high }] = bootstrapEstimates(difference, { ...resampling, replicates: draws });
      return sum + ((high - low) / widthOf95) ** 2;
    }, 0);
    if (mean > (errors * Math.sqrt(ofRows)) / told.length) best = t;
  }
  return best;
}

/** An interval of 95 % in standard errors. */
const widthOf95 = 3.92;

export function meanOf(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length;
}
