import { fitPart, scoreModel } from '../ml/heads/head.ts';
import { outputOf } from '../ml/heads/output.ts';
import { evaluateMetric } from '../ml/statistics/metrics.ts';
import { predictPool } from '../ml/training/evaluate.ts';
import { type Learned, learn } from '../ml/training/learn.ts';
import { evaluateQuestions, type LearningData } from '../ml/training/learning-data.ts';
import { layFolds, questionsUntil } from '../ml/training/questions.ts';
import { sayWithError } from '../ml/training/report.ts';
import type { ProgressLine } from './progress.ts';

/**
 * The fold study trains once per fold, so it only runs when there are so few rows that one validation period says
 * little.
 */
export const foldStudyRowsMax = 2_000;

/** Returns the data to learn from a pool of examples. It has no labels of examples outside the pool. */
export type DataOf = (pool: Int32Array) => LearningData;

/**
 * Trains on the past of each fold, including feature selection, for the first output. Scores the fold next to a plain
 * logistic or ridge model.
 */
export async function studyFolds(dataOf: DataOf, pool: Int32Array, progress: ProgressLine) {
  const [{ objective, examples }] = dataOf(pool).outputs;
  const labelled = pool.filter((i) => !Number.isNaN(examples.labels[i]));
  const folds: { start: string; train: number; test: number; value: number; plain: number }[] = [];
  for (const fold of layFolds(examples, labelled, { kind: 'rolling' })) {
    const labels = Float64Array.from(fold.test, (i) => examples.labels[i]);
    const known = Float64Array.from(fold.train, (i) => examples.labels[i]);
    if (labels.every((label) => label === labels[0]) || known.every((label) => label === known[0])) continue;
    const all = dataOf(fold.train);
    const data = { ...all, outputs: all.outputs.slice(0, 1), isPart: true } as const;
    const learned = await learn(data, fold.train, { kind: 'rolling' }, progress.phase);
    const [{ values }] = await predictPool({ data, learned }, fold.test, Number.POSITIVE_INFINITY);
    folds.push({
      start: new Date(examples.at[fold.test[0]] / 1000).toISOString().slice(0, 10),
      train: fold.train.length,
      test: fold.test.length,
      value: evaluateMetric(objective.metric, labels, values).value,
      plain: await plainModel(data, learned, fold.train, fold.test),
    });
  }
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const error = (values: number[]) =>
    Math.sqrt(values.reduce((sum, v) => sum + (v - mean(values)) ** 2, 0) / (values.length - 1) / values.length);
  const summary = (values: number[]) => ({ mean: mean(values), standard_error: error(values) });
  const result = { model: summary(folds.map((f) => f.value)), plain_linear: summary(folds.map((f) => f.plain)), folds };
  progress.say(
    `  ${objective.metric} over ${folds.length} folds: ${sayWithError(result.model.mean, result.model.standard_error)}; plain linear ${sayWithError(result.plain_linear.mean, Number.NaN)}`,
  );
  return result;
}

/**
 * Fits a standardized linear model (ridge or logistic) on every selected feature and returns its metric on `test`. It
 * is the simple baseline that the learning core must beat. NaN for multiclass.
 */
async function plainModel(data: LearningData, learned: Learned, train: Int32Array, test: Int32Array): Promise<number> {
  const { objective, examples } = data.outputs[0];
  if (objective.kind === 'multiclass') return Number.NaN;
  const matrix = await evaluateQuestions(
    data,
    learned.features,
    questionsUntil(Int32Array.from([...train, ...test]), Number.POSITIVE_INFINITY),
  );
  const ranking = learned.features.map((_, f) => f);
  const loss = objective.kind === 'regression' ? 'squared' : 'logistic';
  const rows = Int32Array.from(train.keys());
  const labels = Float64Array.from(train, (i) => examples.labels[i]);
  const part = { kind: 'linear', features: ranking.length, loss, l2: 1, scaling: 'winsor' } as const;
  const model = fitPart({ matrix, rows, labels, ranking, part, weights: null }, []);
  const margins = scoreModel(model, matrix).subarray(train.length);
  const truth = Float64Array.from(test, (i) => examples.labels[i]);
  return evaluateMetric(objective.metric, truth, outputOf(objective, null, margins)).value;
}
