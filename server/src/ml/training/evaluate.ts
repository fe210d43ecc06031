import { averageMargins, scoreModel } from '../heads/head.ts';
import { outputOf } from '../heads/output.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Learned } from './learn.ts';
import { evaluateQuestions, type LearningData } from './learning-data.ts';
import { boundsOf, fitIntervalOf } from './out-of-fold.ts';
import { questionsUntil } from './questions.ts';
import { type Measures, measure } from './report.ts';

/** The learned model, and the learning data with the graph it reads. */
export type LearnedData = { readonly data: LearningData; readonly learned: Learned };

/** Predictions of one output: one value per row, for multiclass rows × classes. */
export type Prediction = {
  readonly name: string;
  readonly objective: Objective;
  readonly margins: Float64Array;
  readonly values: Float64Array;
};

/**
 * Predicts each output for the examples in `pool`, reading nothing after `until` (microseconds; Infinity: up to each
 * anchor).
 */
export async function predictPool(
  { data, learned }: LearnedData,
  pool: Int32Array,
  until: number,
): Promise<Prediction[]> {
  const matrix = await evaluateQuestions(data, learned.features, questionsUntil(pool, until));
  return learned.outputs.map((output) => {
    const margins = averageMargins(output.head.map((model) => scoreModel(model, matrix)));
    return {
      name: output.name,
      objective: output.objective,
      margins,
      values: outputOf(output.objective, output, margins),
    };
  });
}

/** `predictions`: of the examples whose label is known, in order (rows × classes for multiclass). */
export type Evaluation = {
  readonly name: string;
  readonly recipe: string;
  readonly predictions: Float64Array;
  readonly measures: Measures;
};

/** Measures each output on the examples in `pool` whose label is known. An output without any is left out. */
export async function evaluatePool(trained: LearnedData, pool: Int32Array, until: number): Promise<Evaluation[]> {
  return (await predictPool(trained, pool, until)).flatMap(({ name, objective, margins, values }, o) => {
    const { examples } = trained.data.outputs[o];
    const output = trained.learned.outputs[o];
    const known = Int32Array.from(pool.keys()).filter((row) => !Number.isNaN(examples.labels[pool[row]]));
    if (known.length === 0) return [];
    const width = values.length / pool.length;
    const predictions = pickWide(values, known, width);
    const interval = fitIntervalOf(output);
    const sure = interval && boundsOf(interval, pickWide(margins, known, width), predictions);
    const labels = Float64Array.from(known, (row) => examples.labels[pool[row]]);
    const groups = Array.from(known, (row) => examples.at[pool[row]]);
    const measures = measure(objective, labels, predictions, groups, sure);
    return [{ name, recipe: output.recipe.name, predictions, measures }];
  });
}

function pickWide(values: Float64Array, rows: Int32Array, width: number): Float64Array {
  return Float64Array.from(
    { length: rows.length * width },
    (_, k) => values[rows[Math.floor(k / width)] * width + (k % width)],
  );
}
