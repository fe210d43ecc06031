import { assert } from '../../lib/failure.ts';
import { type Calibrator, fitCalibrator } from '../calibration/calibrate.ts';
import { averageMargins, type Head, pickRows, scoreModel } from '../heads/head.ts';
import { labelRange, type MarginLink } from '../heads/output.ts';
import { linkOf, type Recipe, readsUntil, recipesFor, spreadOf, type Vector } from '../heads/recipes.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { evaluateMetric } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Examples } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import { type Days, daysOf } from './days.ts';
import type { LabelHistory } from './label-history.ts';
import type { LastQuestions, QuestionFeatures } from './last-questions.ts';
import type { LearningData, Progress } from './learning-data.ts';
import { fitTogether, teamOf } from './learning-team.ts';
import { calibrateOutOfFold, type OutOfFold } from './out-of-fold.ts';
import { newestOf, type Regime } from './questions.ts';
import {
  chooseTrial,
  type FoldRanking,
  foldsOf,
  type Ground,
  type LaidFold,
  labelsOf,
  layGround,
  meanOf,
  openTrials,
  type Trial,
  tryFewerRows,
} from './try-recipes.ts';
import { type Widening, widen } from './widen.ts';

/** How a recipe did on the folds: the task's metric per fold (NaN where a fold could not tell). */
export type RecipeTrial = {
  readonly recipe: string;
  readonly folds: readonly number[];
  readonly mean: number;
  /** Present where the recipe reads a graph model. */
  readonly graph?: true;
};

export type LearnedOutput = {
  readonly name: string;
  readonly objective: Objective;
  readonly head: Head;
  /** Maps margins to probabilities; null for numbers and classes. */
  readonly calibrator: Calibrator | null;
  readonly recipe: Recipe;
  readonly trials: readonly RecipeTrial[];
  /** Where there was time for it. */
  readonly widening: readonly Widening[];
  /** Out-of-fold margins of the chosen recipe, with labels. The rows are later than what their models learned from. */
  readonly outOfFold: OutOfFold;
  /** Range of the training labels. */
  readonly range: readonly [number, number];
  /**
   * How many questions the head was trained on, and the share of the examples, newest first, that they were taken from.
   */
  readonly rows: number;
  readonly newestShare: number;
  /** The first and the last day that these questions are about. */
  readonly days: Days;
  readonly link: MarginLink | undefined;
};

/** Rows are dropped only for a gain of so many standard errors. */
const rowsDroppedErrors = 2;

/** Seeds of the final model, whose forests are averaged. They differ only in the rows and columns they sample. */
const seeds = [1, 2, 3, 4, 5];

/** What an output is learned from. */
export type OutputFeatures = {
  /** Columns of features by their gain for the output, best first, and the same by what was known when folds start. */
  readonly ranking: readonly number[];
  readonly foldRankings: readonly FoldRanking[];
  /** The columns of categories, where there are any. */
  readonly categories: Vector | null;
  readonly regime: Regime;
  readonly asked: QuestionFeatures;
  /** The matrix for the folds. */
  readonly foldMatrix: FeatureMatrix;
  readonly history: LabelHistory | null;
  readonly last: LastQuestions | null;
};

/**
 * Chooses a recipe for an output on folds of the past, trains it on all rows that improve it, and calibrates it on the
 * folds' predictions.
 */
export async function learnOutput(
  data: LearningData,
  output: LabelledOutput,
  { ranking: ranked, foldRankings, categories, regime, asked: compared, foldMatrix, history, last }: OutputFeatures,
  progress: Progress,
): Promise<LearnedOutput> {
  const { name, objective, examples } = output;
  const { questions, matrix } = compared;
  const known = Int32Array.from(questions.example.keys()).filter(
    (q) => !Number.isNaN(examples.labels[questions.example[q]]),
  );
  const { folds, labelled } = foldsOf(examples, questions, regime);
  assert(
    folds.every(({ start }) => start >= (data.foldGraph?.until ?? start)),
    'no fold is evaluated by what an encoder has read',
  );
  const { encoder, vectors } = data.graph;
  const encoded = matrix.features - (vectors?.columns ?? 0);
  const graph = vectors ? { from: encoded, columns: vectors.columns } : null;
  const embedding = encoder
    ? { from: encoded - encoder.columns, columns: encoder.columns, forecasts: encoder.forecasts, labels: labelled }
    : null;
  const spread = objective.kind === 'regression' ? spreadOf(labelsOf(examples, questions, known)) : null;
  const team = teamOf(data);
  const all: Ground = {
    ...{ output, ranking: ranked, foldRankings, reads: () => true },
    ...{ regime, questions, matrix: foldMatrix, history, known, team, progress },
  };
  const laid = await layGround(all, folds);
  const { higherIsBetter } = evaluateMetric(objective.metric, [0, 1], [0, 1]);
  const recipes = recipesFor(objective, known.length, labelled, spread, embedding, graph, categories);
  const { ground, trials, unread, tryOn } = await chooseHistory(all, laid, recipes, higherIsBetter);
  const { ranking } = ground;
  const budget = laid.length > 0 ? (data.minutes ?? 0) / data.outputs.length : 0;
  const wide = await widen(trials[chooseTrial(output, laid, trials)], budget, higherIsBetter, async (recipe) => {
    const [trial] = await tryOn([recipe]);
    return trial;
  });
  const chosen = wide.trial;
  // If the questions were thinned, training takes more rows when half as many did worse.
  const isThinned = last !== null && laid.length > 0 && questions.weight.some((weight) => weight > 1);
  const { ages, half } = await tryFewerRows(ground, laid, chosen, isThinned);
  const { share, trial: best } =
    ages[
      chooseTrial(
        output,
        laid,
        ages.map(({ trial }) => trial),
        rowsDroppedErrors,
      )
    ];
  const since = sinceOf(examples, Int32Array.from(new Set(Array.from(known, (q) => questions.example[q]))), share);
  const rows = known.filter((q) => examples.at[questions.example[q]] >= since);
  const base: Training = { asked: compared, rows, weights: null };
  const isWorthMore = half !== null && (meanOf(chosen.folds) - meanOf(half.folds)) * (higherIsBetter ? 1 : -1) > 0;
  const training = isWorthMore ? withMore(output, base, await last!(since)) : base;
  const labels = labelsOf(examples, training.asked.questions, training.rows);
  const { matrix: learned } = training.asked;
  const input = { matrix: learned, rows: training.rows, labels, ranking, weights: training.weights };
  const parts = chosen.recipe.parts.map((part) => ({ ...input, part }));
  const head = await fitTogether(team, parts, seeds, (taken, of) => progress(`training ${name}`, taken, of));
  const outOfFold = {
    examples: Int32Array.from(laid.flatMap((fold) => [...fold.test])),
    at: Float64Array.from(laid.flatMap((fold) => Array.from(fold.test, (i) => examples.at[i]))),
    until: concat(laid.map((fold) => fold.until)),
    closes: Float64Array.from(laid.flatMap((fold) => Array.from(fold.test, (i) => examples.closes[i]))),
    folds: laid.map(({ labels: { length }, start }) => ({ rows: length, start })),
    margins: concat(best.margins),
    labels: concat(laid.map((fold) => fold.labels)),
    weights: concat(laid.map((fold) => fold.weights)),
  };
  return {
    name,
    objective,
    head,
    calibrator: objective.kind === 'binary' ? calibrate(outOfFold, head, training, labels) : null,
    recipe: chosen.recipe,
    trials: [
      ...trials,
      ...wide.trials,
      ...unread,
      ...ages.slice(1).map(({ trial }) => trial),
      ...(half ? [half] : []),
    ].map(({ recipe, folds: values }) => ({
      recipe: recipe.name,
      folds: values,
      mean: meanOf(values),
      ...(graph && recipe.parts.some((part) => readsUntil(part) === matrix.features) && { graph: true }),
    })),
    widening: wide.steps,
    rows: training.rows.length,
    newestShare: share,
    days: daysOf(Float64Array.from(training.rows, (q) => examples.at[training.asked.questions.example[q]])),
    outOfFold,
    range: labelRange(labels),
    link: linkOf(chosen.recipe),
  };
}

/**
 * Decides which features of earlier labels are used: all, those of the same weeks of earlier years, or none. They are
 * dropped where folds do better without them; a fold knows no label from after its start. The decision is made with the
 * first recipe. Then all recipes are tried that way, and `unread` are the first recipe's trials the other ways.
 */
async function chooseHistory(
  all: Ground,
  laid: readonly LaidFold[],
  recipes: readonly Recipe[],
  higherIsBetter: boolean,
): Promise<{ ground: Ground; trials: Trial[]; unread: Trial[]; tryOn: ReturnType<typeof openTrials> }> {
  const { history } = all;
  const readsNone = (f: number) => !history?.columns.has(f);
  const readsYearsAgo = (f: number) => readsNone(f) || history!.ofYearsAgo.has(f);
  const countOf = (reads: Ground['reads']) => all.ranking.filter(reads).length;
  const ways = [
    { how: 'with earlier labels', reads: all.reads },
    { how: 'with labels of earlier years', reads: readsYearsAgo },
    { how: 'without earlier labels', reads: readsNone },
  ].filter(({ reads }, k, list) => k === 0 || (countOf(reads) > 0 && countOf(reads) < countOf(list[k - 1].reads)));
  // A single fold cannot show whether label history helps in general.
  if (ways.length === 1 || laid.length < 2) {
    const tryOn = openTrials(all, laid);
    return { ground: all, trials: await tryOn(recipes), unread: [], tryOn };
  }
  const tries = recipes.length + ways.length;
  const tried = [];
  for (const [k, way] of ways.entries()) {
    const ground = { ...all, ranking: all.ranking.filter(way.reads), reads: way.reads };
    const tryOn = openTrials(ground, laid);
    const [trial] = await tryOn(recipes.slice(0, 1), k, tries);
    tried.push({ ...way, ground, tryOn, trial, mean: meanOf(trial.folds) * (higherIsBetter ? 1 : -1) });
  }
  const best = tried.reduce((best, way) => (way.mean > best.mean ? way : best));
  return {
    tryOn: best.tryOn,
    ground: best.ground,
    trials: await best.tryOn(recipes, ways.length, tries),
    unread: tried
      .filter((way) => way !== best)
      .map(({ trial, how }) => ({ ...trial, recipe: { ...trial.recipe, name: `${trial.recipe.name}, ${how}` } })),
  };
}

/**
 * The moment from which the newest `share` of the labelled examples are; -Infinity for all. A longer horizon has fewer
 * labelled examples.
 */
function sinceOf(examples: Examples, labelled: Int32Array, share: number): number {
  if (share >= 1) return Number.NEGATIVE_INFINITY;
  return newestOf(examples, labelled, share).reduce((first, i) => Math.min(first, examples.at[i]), Infinity);
}

/** The training set of the final model. */
type Training = { readonly asked: QuestionFeatures; readonly rows: Int32Array; readonly weights: Float64Array | null };

/** Takes all labelled rows of more questions. Binary labels are weighted to the class shares that calibration saw. */
function withMore({ objective, examples }: LabelledOutput, base: Training, asked: QuestionFeatures): Training {
  const { example } = asked.questions;
  const rows = Int32Array.from(example.keys()).filter((q) => !Number.isNaN(examples.labels[example[q]]));
  const sample = labelsOf(examples, base.asked.questions, base.rows);
  const weights = objective.kind === 'binary' ? weighLike(sample, labelsOf(examples, asked.questions, rows)) : null;
  return { asked, rows, weights };
}

/**
 * Weights that give 0/1 labels the class shares they have in a smaller sample, on which the calibrator was fitted.
 * Positives have weight 1.
 */
function weighLike(sample: Float64Array, labels: Float64Array): Float64Array {
  const odds = (of: Float64Array) => {
    const yes = of.reduce((sum, label) => sum + label, 0);
    return yes / (of.length - yes);
  };
  const no = odds(labels) / odds(sample);
  return labels.map((label) => (label === 1 || !Number.isFinite(no) ? 1 : no));
}

function calibrate(outOfFold: OutOfFold, head: Head, { asked, rows }: Training, labels: Float64Array): Calibrator {
  if (outOfFold.labels.some((label) => label !== outOfFold.labels[0])) return calibrateOutOfFold(outOfFold);
  // With too few examples for folds, the calibrator is fitted on the model's predictions of its own training rows; the
  // report tells that there are no out-of-fold rows.
  const margins = averageMargins(head.map((model) => scoreModel(model, pickRows(asked.matrix, rows))));
  return fitCalibrator({ margins, labels, weights: Float64Array.from(rows, (q) => asked.questions.weight[q]) });
}

function concat(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part]));
}
