import { assert, Failure } from '../../lib/failure.ts';
import { type Calibrator, fitCalibrator } from '../calibration/calibrate.ts';
import { evaluate } from '../features/evaluate.ts';
import { type Feature, labelsTable } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import { proposeFeatures } from '../features/propose.ts';
import type { Aim } from '../tasks/aim.ts';
import { type Examples, pickExamples } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import type { Task } from '../tasks/task.ts';
import type { FeatureMatrix } from '../trees/matrix.ts';
import { anchorsOf } from './anchors.ts';
import { averageMargins, fitPart, type Head, narrowHead, pickFeatures, scoreModel } from './head.ts';
import { evaluateMetric } from './metrics.ts';
import { type Link, outputOf } from './output.ts';
import { layFolds, newestOf, type Questions, type Regime, thin, trainingQuestions } from './questions.ts';
import { linkOf, lossOf, type Part, type Recipe, recipesFor, spreadOf } from './recipes.ts';
import { selectFeatures } from './select.ts';
import { openWordChoice } from './words.ts';

/** Everything a model is learned from. One set of labels per output, over the same anchors in the same order. */
export type LearningData = {
  readonly task: Task;
  /** The tables, with the known labels among them. */
  readonly graph: Graph;
  /** Where the graph has an encoder: one for the folds, whose encoder has read nothing after `until`. */
  readonly foldGraph?: { readonly graph: Graph; readonly until: number };
  readonly fresh: boolean;
  readonly outputs: readonly LabelledOutput[];
};

export type Progress = (phase: string, done: number, of: number) => void;

/** What folds said about a recipe: the task's metric per fold (NaN where a fold could not tell). */
export type RecipeTrial = { readonly recipe: string; readonly folds: readonly number[]; readonly mean: number };

/** Margins of rows their models had not seen, with labels and how many examples each stands for. */
export type OutOfFold = {
  readonly margins: Float64Array;
  readonly labels: Float64Array;
  readonly weights: Float64Array;
};

export type LearnedOutput = {
  readonly name: string;
  readonly aim: Aim;
  readonly head: Head;
  /** Margins to probabilities; null for numbers and classes. */
  readonly calibrator: Calibrator | null;
  readonly recipe: Recipe;
  readonly trials: readonly RecipeTrial[];
  /** Out-of-fold margins of the chosen recipe with their labels: later in time than what their models learned from. */
  readonly outOfFold: OutOfFold;
  /** Range of the training labels. */
  readonly range: readonly [number, number];
  /** Questions the head was trained on, of the newest so large a share of the examples. */
  readonly rows: number;
  readonly newestShare: number;
  readonly link: Link | undefined;
};

export type Learned = {
  readonly features: readonly Feature[];
  /** Median of each feature over the training rows, NaN when it is mostly missing: what is usual. */
  readonly usual: Float32Array;
  readonly outputs: readonly LearnedOutput[];
  readonly trainingRows: number;
  readonly notes: readonly string[];
  readonly unused: readonly { readonly table: string; readonly column: string; readonly why: string }[];
};

const selectionRowsMax = 6_000;
const selectedMax = 160;
/** Rows of a proposal's sample: enough to see which spans hold anything. */
const spanSampleRows = 500;
/** Before training has told the range, and where no one is sure of a probability. */
const unscaled = { calibrator: null, range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] } as const;
/** Models that only choose between recipes may be noisier than the one that answers. */
function seedsFor(rows: number, stage: 'fold' | 'final'): number[] {
  return stage === 'final' ? [1, 2, 3, 4, 5] : rows < 5_000 ? [1, 2] : [1];
}
/** Anchors evaluated at once: bounds memory, moves no bit. */
const evaluateRows = 16_384;

/**
 * Learns a model from the examples in `pool` (positions), for serving in `regime`: proposes features, selects them, chooses
 * a recipe by folds in time, fits it on all of the pool and calibrates it on what the folds predicted. `onOutput` hears of each
 * output as soon as it is learned, `onFeatures` of what was selected, before anything is learned from it.
 * Throws Failure 'invalid' when there is nothing to learn from: no labels, or all alike.
 */
export function learn(
  data: LearningData,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
  onOutput: (output: LearnedOutput) => void = () => {},
  onFeatures: (features: readonly Feature[]) => void = () => {},
): Learned {
  for (const { name, examples } of data.outputs) checkLabels(data.task, name, examples, pool);
  const { features: selected, rankings, notes, unused } = chooseFeatures(data, pool, regime, progress);
  onFeatures(selected);
  const features = [...selected, ...embeddingsOf(data)];
  const questions = trainingQuestions(data.outputs[0].examples, pool, regime, isYesOrNo(data));
  const matrix = evaluateQuestions(data, features, questions, (done, of) => progress('computing features', done, of));
  const foldMatrix = data.foldGraph ? withFoldEmbeddings(data, selected.length, questions, matrix) : matrix;
  const last = openLastQuestions(data, features, pool, regime, questions.example.length, progress);
  const outputs = data.outputs.map((labelled, o) => {
    const asked = { questions, matrix };
    const output = learnOutput(data, labelled, rankings[o], regime, asked, foldMatrix, last, progress);
    onOutput(output);
    return output;
  });
  const usual = medians(matrix);
  const trainingRows = outputs.reduce((most, { rows }) => Math.max(most, rows), 0);
  const rest = { trainingRows, notes, unused };
  if (outputs.some(({ recipe }) => recipe.parts.some((part) => 'from' in part)))
    return { features, usual, outputs, ...rest };
  // Nobody need compute embeddings that no model reads.
  const narrowed = outputs.map((output) => ({ ...output, head: narrowHead(output.head, selected.length) }));
  return { features: selected, usual: usual.slice(0, selected.length), outputs: narrowed, ...rest };
}

/** Features that read the embedding of the task's entity, where the graph has an encoder. */
function embeddingsOf({ graph }: LearningData): Feature[] {
  return Array.from({ length: graph.encoder?.columns ?? 0 }, (_, place) => ({
    focus: { kind: 'root' },
    read: { kind: 'embedding', place },
  }));
}

/** The matrix as the folds may see it: the columns from `from` on by the encoder that has not seen what they are judged by. */
function withFoldEmbeddings(
  data: LearningData,
  from: number,
  questions: Questions,
  matrix: FeatureMatrix,
): FeatureMatrix {
  const judged = { ...data, graph: data.foldGraph!.graph };
  const values = matrix.values.slice();
  values.set(evaluateQuestions(judged, embeddingsOf(judged), questions).values, from * matrix.rows);
  return { ...matrix, values };
}

type Asked = { readonly questions: Questions; readonly matrix: FeatureMatrix };

/** More questions than recipes are compared on, of the newest `share` of the examples. */
type LastQuestions = (share: number) => Asked;

/** Of the last training: rows times features, and rows. Half a minute for the widest. */
const lastCellsMax = 8_000_000;
const lastRowsMax = 100_000;

function openLastQuestions(
  data: LearningData,
  features: readonly Feature[],
  pool: Int32Array,
  regime: Regime,
  least: number,
  progress: Progress,
): LastQuestions | null {
  const { examples } = data.outputs[0];
  const made = new Map<number, Asked>();
  const most = Math.min(lastRowsMax, Math.floor(lastCellsMax / Math.max(1, features.length)));
  if (most <= least) return null;
  return (share) => {
    let asked = made.get(share);
    if (!asked) {
      const newest = newestOf(examples, pool, share);
      const questions = trainingQuestions(examples, newest, regime, isYesOrNo(data), most);
      const told = (done: number, of: number) => progress('computing features of more rows', done, of);
      made.set(share, (asked = { questions, matrix: evaluateQuestions(data, features, questions, told) }));
    }
    return asked;
  };
}

/** Whether rows may be chosen by their labels: of a number, rows that are more often a yes would be another mean. */
export function isYesOrNo({ outputs }: LearningData): boolean {
  return outputs.every(({ aim }) => aim.kind === 'binary');
}

function checkLabels(task: Task, name: string, examples: Examples, pool: Int32Array): void {
  const labels = [...pool].map((i) => examples.labels[i]).filter((label) => !Number.isNaN(label));
  if (labels.length === 0) throw new Failure('invalid', `task ${task.name}: ${name} has no labels to learn from`);
  if (labels.every((label) => label === labels[0])) {
    throw new Failure(
      'invalid',
      `task ${task.name}: all ${labels.length} labels of ${name} are ${labels[0]}; a model needs at least two different ones`,
    );
  }
}

function chooseFeatures(data: LearningData, pool: Int32Array, regime: Regime, progress: Progress) {
  const { task, graph, outputs } = data;
  const { aim, examples: first } = outputs[0];
  const rare = isYesOrNo(data) ? first.labels : undefined;
  const spread = thin(trainingQuestions(first, pool, regime, isYesOrNo(data)), selectionRowsMax, rare);
  progress('proposing features', 0, 1);
  const { cut } = readableUntil(data, pool, regime);
  const rankable = withLabel(first, spread);
  const chooseWords = openWordChoice(
    graph,
    anchorsFor(data, first, rankable),
    wordLabels(
      aim,
      Float64Array.from(rankable.example, (i) => first.labels[i]),
    ),
    aim.kind !== 'multiclass',
  );
  const sample = anchorsFor(data, first, thin(spread, spanSampleRows));
  const proposed = proposeFeatures(graph, task, sample, cut, chooseWords);
  // Of data that stopped long ago the last label says little, and the more there are the more of them get picked. What all rows
  // have in common stays. (rel-f1, three cuts: AUROC of top3 .763 with it, .771 without, the other tasks alike.)
  const isKept = ({ focus, read }: Feature) =>
    regime.kind === 'rolling' || focus.kind === 'all' || !('events' in read) || read.events.table !== labelsTable;
  const proposal = { ...proposed, features: proposed.features.filter(isKept) };
  const matrix = evaluateQuestions(data, proposal.features, spread, (done, of) =>
    progress(`${proposal.features.length} proposed features`, done, of),
  );
  const rowsOf = (examples: Examples) =>
    Int32Array.from(spread.example.keys()).filter((k) => !Number.isNaN(examples.labels[spread.example[k]]));
  const rank = (of: FeatureMatrix, { aim, examples }: LabelledOutput) => {
    const rows = rowsOf(examples);
    const labels = Float64Array.from(rows, (k) => examples.labels[spread.example[k]]);
    // Squares of a tail would rank features by a handful of rows.
    const isTailed = aim.kind === 'regression' && spreadOf(labels).tailed;
    return selectFeatures(of, rows, isTailed ? labels.map(Math.log1p) : labels, lossOf(aim), selectedMax);
  };
  // With several horizons the shortest and the longest say what matters; each then ranks that for itself.
  const deciding = outputs.length > 2 && !task.heads ? [outputs[0], outputs.at(-1)!] : outputs;
  const union = new Set<number>();
  const found = deciding.map((output, k) => {
    progress(`selecting features by ${output.name}`, k, deciding.length);
    const chosen = rank(matrix, output);
    for (const feature of chosen) union.add(feature);
    return chosen;
  });
  const kept = [...union];
  const narrow = pickFeatures(matrix, kept);
  const rankings = outputs.map((output) => {
    const at = deciding.indexOf(output);
    return at >= 0 ? found[at].map((feature) => kept.indexOf(feature)) : rank(narrow, output);
  });
  return {
    features: kept.map((feature) => proposal.features[feature]),
    rankings,
    notes: proposal.notes,
    unused: proposal.unused,
  };
}

/** Those questions whose label is known. */
function withLabel({ labels }: Examples, { example, until, weight }: Questions): Questions {
  const known = Int32Array.from(example.keys()).filter((q) => !Number.isNaN(labels[example[q]]));
  return {
    example: known.map((q) => example[q]),
    until: Float64Array.from(known, (q) => until[q]),
    weight: Float64Array.from(known, (q) => weight[q]),
  };
}

/** Labels as words are chosen by: of what has a tail the logarithm. */
function wordLabels(aim: Aim, labels: Float64Array): Float64Array {
  return aim.kind === 'regression' && spreadOf(labels).tailed ? labels.map(Math.log1p) : labels;
}

/** The last moment anything of the training questions may read. */
export function readableUntil({ task, outputs }: LearningData, pool: Int32Array, regime: Regime) {
  let latest = Number.NEGATIVE_INFINITY;
  for (const i of pool) latest = Math.max(latest, outputs[0].examples.at[i]);
  return {
    cut: Math.min(task.strict ? latest - 1 : latest, regime.kind === 'stale' ? regime.cut : Number.POSITIVE_INFINITY),
  };
}

function anchorsFor({ task, graph, fresh }: LearningData, examples: Examples, questions: Questions) {
  const { until } = questions;
  return anchorsOf(task, graph.tables, pickExamples(examples, questions.example), fresh, (at, i) =>
    Math.min(task.strict ? at - 1 : at, until[i]),
  );
}

/** Features of the questions, a stretch of rows at a time. */
export function evaluateQuestions(
  data: LearningData,
  features: readonly Feature[],
  questions: Questions,
  progress: (done: number, of: number) => void = () => {},
): FeatureMatrix {
  const rows = questions.example.length;
  const values = new Float32Array(rows * features.length);
  for (let from = 0; from < rows; from += evaluateRows) {
    progress(from, rows);
    const to = Math.min(rows, from + evaluateRows);
    const part = evaluate(
      data.graph,
      features,
      anchorsFor(data, data.outputs[0].examples, {
        example: questions.example.subarray(from, to),
        until: questions.until.subarray(from, to),
        weight: questions.weight.subarray(from, to),
      }),
    );
    for (let f = 0; f < features.length; f++)
      values.set(part.values.subarray(f * part.rows, (f + 1) * part.rows), f * rows + from);
  }
  return { rows, features: features.length, values };
}

/** The folds of an output among the questions, and how many of its labels these ask about. */
export function foldsOf(examples: Examples, { example }: Questions, regime: Regime) {
  const labelled = Int32Array.from(new Set(example.filter((i) => !Number.isNaN(examples.labels[i]))));
  return { folds: layFolds(examples, labelled, regime), labelled: labelled.length };
}

type Trial = { readonly recipe: Recipe; readonly folds: number[]; readonly margins: Float64Array[] };

/** A fold as recipes are tried on it: questions to learn from, whose examples are `train`, and those to answer. */
type LaidFold = {
  readonly rows: Int32Array;
  readonly train: Int32Array;
  readonly labels: Float64Array;
  readonly weights: Float64Array;
  readonly matrix: FeatureMatrix;
};

/** Where the past was another, models of its newest part alone do better: tried down to so many rows. */
const newestShares = [0.5, 0.25];
const newestRowsMin = 300;

/** Weights that give labels of 0 and 1 the shares they have in a smaller sample, whose calibration is used: 1 for those of 1. */
function weighLike(sample: Float64Array, labels: Float64Array): Float64Array {
  const odds = (of: Float64Array) => {
    const yes = of.reduce((sum, label) => sum + label, 0);
    return yes / (of.length - yes);
  };
  const no = odds(labels) / odds(sample);
  return labels.map((label) => (label === 1 || !Number.isFinite(no) ? 1 : no));
}

function learnOutput(
  data: LearningData,
  { name, aim, examples }: LabelledOutput,
  ranking: readonly number[],
  regime: Regime,
  { questions, matrix }: Asked,
  foldMatrix: FeatureMatrix,
  last: LastQuestions | null,
  progress: Progress,
): LearnedOutput {
  const labelsOf = (rows: Int32Array) => Float64Array.from(rows, (q) => examples.labels[questions.example[q]]);
  const all = Int32Array.from(questions.example.keys()).filter(
    (q) => !Number.isNaN(examples.labels[questions.example[q]]),
  );
  const { folds, labelled } = foldsOf(examples, questions, regime);
  assert(
    folds.every(({ start }) => start >= (data.foldGraph?.until ?? start)),
    'no fold is judged by what an encoder has read',
  );
  const columns = data.graph.encoder?.columns ?? 0;
  const embedding = columns === 0 ? null : { from: matrix.features - columns, columns, labels: labelled };
  const spread = aim.kind === 'regression' ? spreadOf(labelsOf(all)) : null;
  const trials = recipesFor(aim, all.length, spread, embedding).map(
    (recipe): Trial => ({ recipe, folds: [], margins: [] }),
  );
  const laid: LaidFold[] = [];
  const fitForFold = (part: Part, rows: Int32Array) =>
    fitPart(foldMatrix, rows, labelsOf(rows), ranking, part, seedsFor(all.length, 'fold'));
  const judge = (recipe: Recipe, truth: Float64Array, margins: Float64Array) =>
    evaluateMetric(aim.metric, truth, outputOf(aim, { ...unscaled, link: linkOf(recipe) }, margins)).value;
  for (const [k, fold] of folds.entries()) {
    progress(`choosing a model for ${name}`, k, folds.length);
    const [known, asked] = [new Set(fold.train), new Set(fold.test)];
    const rows = all.filter((q) => known.has(questions.example[q]));
    // A stale fold is asked as of its own cut; those cuts are on the grid of the training questions.
    const test = all.filter(
      (q) => asked.has(questions.example[q]) && (regime.kind === 'rolling' || questions.until[q] === fold.start),
    );
    const labels = labelsOf(rows);
    const testLabels = labelsOf(test);
    if (labels.every((label) => label === labels[0]) || test.length === 0) continue;
    const testMatrix = pickRows(foldMatrix, test);
    const made = new Map<string, Float64Array>();
    const marginsOf = (part: Part) => {
      const key = JSON.stringify(part);
      let margins = made.get(key);
      if (!margins) made.set(key, (margins = scoreModel(fitForFold(part, rows), testMatrix)));
      return margins;
    };
    const weights = Float64Array.from(test, (q) => questions.weight[q]);
    laid.push({ rows, train: fold.train, labels: testLabels, weights, matrix: testMatrix });
    for (const trial of trials) {
      const margins = averageMargins(trial.recipe.parts.map(marginsOf));
      trial.margins.push(margins);
      trial.folds.push(judge(trial.recipe, testLabels, margins));
    }
  }
  const { higherIsBetter } = evaluateMetric(aim.metric, [0, 1], [0, 1]);
  const choose = (among: readonly { readonly folds: readonly number[] }[]) =>
    chooseTrial(
      among.map(({ folds: values }) => values),
      higherIsBetter,
    );
  const chosen = trials[choose(trials)];
  // The same recipe of fewer rows: the newest only, or every second.
  const tryRows = (of: string, rowsOf: (fold: LaidFold) => Int32Array): Trial => {
    const margins = laid.map((fold, k) => {
      progress(`choosing rows for ${name}`, k, laid.length);
      const rows = rowsOf(fold);
      return averageMargins(chosen.recipe.parts.map((part) => scoreModel(fitForFold(part, rows), fold.matrix)));
    });
    return {
      recipe: { ...chosen.recipe, name: `${chosen.recipe.name}, ${of}` },
      folds: laid.map(({ labels: truth }, k) => judge(chosen.recipe, truth, margins[k])),
      margins,
    };
  };
  const ages = [
    { share: 1, trial: chosen },
    ...newestShares
      .filter((share) => laid.length > 1 && laid.every(({ rows }) => rows.length * share >= newestRowsMin))
      .map((share) => {
        const newest = ({ rows, train }: LaidFold) => {
          const kept = new Set(newestOf(examples, train, share));
          return rows.filter((q) => kept.has(questions.example[q]));
        };
        return { share, trial: tryRows(`newest ${100 * share}%`, newest) };
      }),
  ];
  const { share, trial: best } = ages[choose(ages.map(({ trial }) => trial))];
  const extra: Trial[] = ages.slice(1).map(({ trial }) => trial);
  const ownPool = newestOf(examples, Int32Array.from(new Set(Array.from(all, (q) => questions.example[q]))), share);
  const kept = new Set(ownPool);
  let asked: Asked = { questions, matrix };
  let rows = share < 1 ? all.filter((q) => kept.has(questions.example[q])) : all;
  let weights: Float64Array | null = null;
  // Thinned, in whole or in part: more rows are worth their time where half as many do worse.
  if (last && laid.length > 0 && questions.weight.some((weight) => weight > 1)) {
    const half = tryRows('every second row', (fold) => fold.rows.filter((_, k) => k % 2 === 0));
    extra.push(half);
    const gain = (meanOf(chosen.folds) - meanOf(half.folds)) * (higherIsBetter ? 1 : -1);
    if (gain > 0) {
      const before = { labels: labelsOf(rows), rows: rows.length };
      asked = last(share);
      const { example } = asked.questions;
      rows = Int32Array.from(example.keys()).filter((q) => !Number.isNaN(examples.labels[example[q]]));
      if (aim.kind === 'binary')
        weights = weighLike(
          before.labels,
          Float64Array.from(rows, (q) => examples.labels[example[q]]),
        );
    }
  }
  const labels = Float64Array.from(rows, (q) => examples.labels[asked.questions.example[q]]);
  const head = chosen.recipe.parts.map((part, p) => {
    progress(`training ${name}`, p, chosen.recipe.parts.length);
    return fitPart(asked.matrix, rows, labels, ranking, part, seedsFor(rows.length, 'final'), weights);
  });
  const outOfFold = {
    margins: concat(best.margins),
    labels: concat(laid.map((fold) => fold.labels)),
    weights: concat(laid.map((fold) => fold.weights)),
  };
  // Too few examples for folds: what the model says of its own training rows is all there is, and is said to be so.
  const basis = outOfFold.labels.some((label) => label !== outOfFold.labels[0])
    ? outOfFold
    : {
        margins: averageMargins(head.map((model) => scoreModel(model, pickRows(asked.matrix, rows)))),
        labels,
        weights: Float64Array.from(rows, (q) => asked.questions.weight[q]),
      };
  return {
    name,
    aim,
    head,
    calibrator: aim.kind === 'binary' ? fitCalibrator(basis.margins, basis.labels, basis.weights) : null,
    recipe: chosen.recipe,
    trials: [...trials, ...extra].map(({ recipe, folds: values }) => ({
      recipe: recipe.name,
      folds: values,
      mean: meanOf(values),
    })),
    rows: rows.length,
    newestShare: share,
    outOfFold,
    range: [labels.reduce((a, b) => Math.min(a, b)), labels.reduce((a, b) => Math.max(a, b))],
    link: linkOf(chosen.recipe),
  };
}

/**
 * The trial to trust: the first (the default) unless another is better on average by more than one standard error of the
 * difference over folds; among those the best.
 */
function chooseTrial(trials: readonly (readonly number[])[], higherIsBetter: boolean): number {
  let best = 0;
  let bestGain = 0;
  for (let t = 1; t < trials.length; t++) {
    const gains = trials[t]
      .map((value, k) => (higherIsBetter ? value - trials[0][k] : trials[0][k] - value))
      .filter((gain) => !Number.isNaN(gain));
    if (gains.length < 2) continue;
    const mean = meanOf(gains);
    const error = Math.sqrt(
      gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1) / gains.length,
    );
    if (mean > error && mean > bestGain) {
      best = t;
      bestGain = mean;
    }
  }
  return best;
}

function meanOf(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function concat(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

function pickRows(matrix: FeatureMatrix, picked: Int32Array): FeatureMatrix {
  const values = new Float32Array(picked.length * matrix.features);
  for (let f = 0; f < matrix.features; f++) {
    for (let k = 0; k < picked.length; k++) values[f * picked.length + k] = matrix.values[f * matrix.rows + picked[k]];
  }
  return { rows: picked.length, features: matrix.features, values };
}

function medians(matrix: FeatureMatrix): Float32Array {
  return Float32Array.from({ length: matrix.features }, (_, f) => {
    const column = matrix.values
      .slice(f * matrix.rows, (f + 1) * matrix.rows)
      .filter((value) => !Number.isNaN(value))
      .sort();
    return column.length * 2 < matrix.rows ? Number.NaN : column[column.length >> 1];
  });
}
