import type { Feature } from '../features/feature.ts';
import { vectorFeatures } from '../gfm-link/vectors.ts';
import { pickHead } from '../heads/head.ts';
import { readsCategories, readsUntil } from '../heads/recipes.ts';
import { searchedRowsMax, searchLeakage } from '../leakage/search.ts';
import type { ToldLeak } from '../leakage/tell.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { ratesOfOtherHalf } from '../statistics/other-half-rates.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import { refuseMistake } from '../tasks/mistakes.ts';
import type { Task } from '../tasks/task.ts';
import { type Choice, chooseFeatures } from './choose-features.ts';
import { placeFoldEmbeddings } from './fold-embeddings.ts';
import { coverageOf, importanceOf } from './importance.ts';
import { openLabelHistory } from './label-history.ts';
import { type LastQuestions, openLastQuestions, type QuestionFeatures } from './last-questions.ts';
import { type LearnedOutput, learnOutput } from './learn-output.ts';
import {
  anchorsFor,
  evaluateQuestions,
  evaluateTogether,
  isYesOrNo,
  type LearningData,
  type Progress,
} from './learning-data.ts';
import { type LearningTeam, roomFor, teamOf } from './learning-team.ts';
import { type Questions, type Regime, thin, trainingQuestions } from './questions.ts';

export type Learned = {
  readonly features: readonly Feature[];
  /** The features chosen from the tables, without embeddings. */
  readonly choice: Choice;
  /** Median of each feature over the training rows; NaN when it is mostly missing. */
  readonly usual: Float32Array;
  /** Of each feature its share in what the models rest on, and the share of training rows that have it. */
  readonly importance: Float64Array;
  readonly coverage: Float64Array;
  readonly outputs: readonly LearnedOutput[];
  readonly trainingRows: number;
  /** What may tell more of the label than was known, and is not certain. */
  readonly leakage: readonly ToldLeak[];
  readonly notes: readonly string[];
  readonly unused: readonly { readonly table: string; readonly column: string; readonly why: string }[];
};

/**
 * Learns a model from the examples in `pool` (indices), for serving in `regime`: proposes features, selects them,
 * chooses a recipe on folds in time, trains it on the pool, and calibrates it on the folds' predictions. `onOutput` is
 * called with each output as soon as it is learned. `chosen`: the features chosen before from the same tables for the
 * same pool and regime, in which leakage was looked for then. Throws Failure 'invalid' when there is nothing to learn
 * from: no labels, or all equal; 'invalid' (`leakage_found`) where a feature is all but the label.
 */
export async function learn(
  data: LearningData,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
  onOutput: (output: LearnedOutput) => void = () => {},
  chosen?: Choice,
): Promise<Learned> {
  for (const output of data.outputs) checkLabels(data.task, output, pool);
  const choice = chosen ?? (await chooseFeatures(data, pool, regime, progress));
  const { features: selected, foldFeatures, rankings, foldRankings, notes, unused } = choice;
  const leakage = chosen ? [] : await findLeakage(data, choice, pool, regime, progress);
  const proposed = [...selected, ...foldFeatures];
  const vectors = data.graph.vectors ? vectorFeatures(data.graph.vectors) : [];
  const categories = { from: proposed.length, columns: choice.categories.length };
  const encodedFrom = categories.from + categories.columns;
  const features = [...proposed, ...choice.categories, ...encodedOf(data), ...vectors];
  const questions = trainingQuestions(data.outputs[0].examples, pool, regime, isYesOrNo(data));
  const matrix = await evaluateQuestions(data, features, questions, (done, of) =>
    progress('computing features', done, of),
  );
  const foldMatrix = data.foldGraph ? await withFoldEmbeddings(data, encodedFrom, questions, matrix) : matrix;
  // In the stale regime data stop before the anchors, and so do their labels.
  const history = regime.kind === 'rolling' ? openLabelHistory(data, features, questions) : null;
  // What only folds read is not computed for more rows, nor does it make them fewer.
  const own = [...selected, ...features.slice(proposed.length)];
  const lastOwn = openLastQuestions(data, own, pool, regime, questions.example.length, progress);
  const last: LastQuestions | null =
    lastOwn && (async (since) => withEmpty(teamOf(data), await lastOwn(since), selected.length, foldFeatures.length));
  const outputs: LearnedOutput[] = [];
  for (const [o, labelled] of data.outputs.entries()) {
    const features = {
      ...{
        ranking: rankings[o],
        foldRankings: foldRankings[o],
        categories: categories.columns > 0 ? categories : null,
      },
      ...{ regime, asked: { questions, matrix }, foldMatrix, history, last },
    };
    const output = await learnOutput(data, labelled, features, progress);
    onOutput(output);
    outputs.push(output);
  }
  const usual = medians(matrix);
  // Of places of values the median says nothing.
  usual.fill(Number.NaN, categories.from, encodedFrom);
  const trainingRows = outputs.reduce((most, { rows }) => Math.max(most, rows), 0);
  const importance = importanceOf(
    outputs.map(({ head }) => head),
    matrix,
  );
  const coverage = coverageOf(matrix, questions.weight);
  const rest = { choice, trainingRows, leakage, notes, unused };
  // What only folds read is dropped, and so are embedding columns after the last that any model reads. Those of a graph
  // model come last.
  const parts = outputs.flatMap(({ recipe }) => recipe.parts);
  const read = Math.max(proposed.length, ...parts.map(readsUntil));
  const isKept = (f: number) => (f < encodedFrom ? f >= categories.from && parts.some(readsCategories) : f < read);
  const kept = Array.from(features.keys()).filter((f) => f < selected.length || isKept(f));
  return {
    features: kept.map((f) => features[f]),
    usual: Float32Array.from(kept, (f) => usual[f]),
    importance: Float64Array.from(kept, (f) => importance[f]),
    coverage: Float64Array.from(kept, (f) => coverage[f]),
    outputs: outputs.map((output) => ({ ...output, head: pickHead(output.head, kept) })),
    ...rest,
  };
}

/** The same questions with `columns` columns that nothing reads, before column `from`. */
function withEmpty(
  team: LearningTeam,
  { questions, matrix }: QuestionFeatures,
  from: number,
  columns: number,
): QuestionFeatures {
  const { rows, features, values } = matrix;
  const wide = roomFor(team, rows * (features + columns));
  wide.set(values.subarray(0, from * rows));
  wide.set(values.subarray(from * rows), (from + columns) * rows);
  return { questions, matrix: { rows, features: features + columns, values: wide } };
}

/** Looks for leakage in the chosen features by the labels of each head, or of several horizons by the longest. */
async function findLeakage(
  data: LearningData,
  { features: chosen, categories }: Choice,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
): Promise<ToldLeak[]> {
  progress('looking for leakage', 0, 1);
  const { task, outputs } = data;
  const told: ToldLeak[] = [];
  const features = [...chosen, ...categories];
  for (const { objective, examples } of task.heads ? outputs : outputs.slice(-1)) {
    const isNumber = objective.kind === 'regression';
    const known = pool.filter((i) => !Number.isNaN(examples.labels[i]));
    const asked = thin(
      trainingQuestions(examples, known, regime, !isNumber),
      searchedRowsMax,
      isNumber ? undefined : examples.labels,
    );
    const searched = {
      anchors: anchorsFor(data, examples, asked),
      rows: Int32Array.from(asked.example, (i) => examples.rows[i]),
      labels: Float64Array.from(asked.example, (i) => examples.labels[i]),
      isNumber,
    };
    told.push(
      ...(await searchLeakage(data, features, searched, async (anchors) =>
        withRates(await evaluateTogether(data, features, [anchors]), chosen.length, searched.labels),
      )),
    );
  }
  return told.filter(({ at }, k) => told.findIndex((other) => other.at === at) === k);
}

/**
 * The matrix with the mean label of the value in place of categories, which are the columns from `from` on: of the
 * other half of the rows, so that no label tells of itself.
 */
function withRates({ rows, features, values }: FeatureMatrix, from: number, labels: Float64Array): FeatureMatrix {
  const rated = values.slice();
  for (let f = from; f < features; f++) {
    const place = values.subarray(f * rows, (f + 1) * rows);
    rated.set(ratesOfOtherHalf(place, labels), f * rows);
  }
  return { rows, features, values: rated };
}

/** Features that read the graph's encoder, if it has one. */
function encodedOf({ graph: { encoder } }: LearningData): Feature[] {
  return encoder
    ? Array.from({ length: encoder.columns }, (_, place) => ({
        focus: encoder.focus,
        read: { kind: 'embedding', place },
      }))
    : [];
}

/**
 * The matrix for the folds: the columns from `from` on are computed by the fold encoder, which has not read the period
 * the folds are evaluated on.
 */
async function withFoldEmbeddings(
  data: LearningData,
  from: number,
  questions: Questions,
  matrix: FeatureMatrix,
): Promise<FeatureMatrix> {
  const evaluated = { ...data, graph: data.foldGraph!.graph };
  const values = roomFor(teamOf(data), matrix.values.length);
  values.set(matrix.values);
  const { columns } = data.graph.encoder!;
  const folds = await evaluateQuestions(evaluated, encodedOf(evaluated), questions);
  placeFoldEmbeddings(values, { from, columns }, folds);
  return { ...matrix, values };
}

function checkLabels(task: Task, { name, objective, examples }: LabelledOutput, pool: Int32Array): void {
  const labels = [...pool].map((i) => examples.labels[i]).filter((label) => !Number.isNaN(label));
  if (labels.length === 0) throw refuseMistake({ code: 'unlabelled', task: task.name, output: name });
  if (labels.every((label) => label === labels[0])) {
    const label = objective.kind === 'multiclass' ? objective.classes[labels[0]] : `${labels[0]}`;
    throw refuseMistake({ code: 'equal_labels', task: task.name, output: name, count: labels.length, label });
  }
}

function medians({ rows, features, values }: FeatureMatrix): Float32Array {
  const known = new Float32Array(rows);
  return Float32Array.from({ length: features }, (_, f) => {
    let count = 0;
    for (let row = f * rows; row < (f + 1) * rows; row++) if (!Number.isNaN(values[row])) known[count++] = values[row];
    return count * 2 < rows ? Number.NaN : known.subarray(0, count).sort()[count >> 1];
  });
}
