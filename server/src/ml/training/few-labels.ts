import { Failure } from '../../lib/failure.ts';
import { isFresh, withLabels } from '../features/anchors.ts';
import type { LinkedGraphModel } from '../gfm-link/reading.ts';
import type { Tables } from '../graph/tables.ts';
import { evaluateMetric } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { sampleIndices, seedRandom } from '../statistics/random.ts';
import { quantileOfSorted } from '../statistics/ranks.ts';
import { type Examples, joinExamples, pickExamples } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';
import { predictPool } from './evaluate.ts';
import { learn } from './learn.ts';
import { type LearningData, type Progress, readableUntil } from './learning-data.ts';
import { firstFold, openPretraining } from './pretrain.ts';
import { isClosed, questionsUntil, thin } from './questions.ts';

export type FewLabelsOptions = {
  /** How many labels each model learns from, and how many times they are drawn. */
  readonly labels: number;
  readonly draws: number;
  /** Models learn from labels known by this moment, and predict rows from this moment on; microseconds. */
  readonly from: number;
  /** Share of positives among the drawn labels of a binary task; if absent, labels are drawn as they occur. */
  readonly positives?: number;
  readonly seed: number;
  /** A graph model whose vectors the encoders read, and the link from the task's rows to its nodes. */
  readonly graphModel?: LinkedGraphModel;
};

/** How much an encoder adds to a model's own features when labels are few. The metric is a mean over the draws. */
export type FewLabelsReport = {
  readonly task: string;
  readonly metric: string;
  readonly labels: number;
  readonly draws: number;
  readonly positives: number | null;
  readonly judged_from: string;
  readonly judged_rows: number;
  readonly features: number;
  readonly with_encoder: number;
  /**
   * Improvement of the metric by the encoder (positive is better, whichever way the metric points). `low` and `high`
   * bound 95 % of bootstrap draws, which resample draws of labels and evaluated rows in pairs.
   */
  readonly gain: number;
  readonly low: number;
  readonly high: number;
  /** In how many draws of labels the encoder was better. */
  readonly wins: number;
  readonly each: readonly {
    readonly features: number;
    readonly with_encoder: number;
    /** The recipe that the folds chose. */
    readonly recipe: string;
  }[];
};

/**
 * Most evaluated rows, with the rarer class of a binary task preferred. Enough to measure a difference, and few enough
 * to be resampled hundreds of times.
 */
const evaluatedRowsMax = 2_000;
const replicates = 300;
/** From this number of distinct moments on, moments are resampled; below it, entities are. */
const momentsMin = 20;

/**
 * Learns a task from many small draws of its labels, each time from features alone and with an encoder, and predicts
 * later rows with both. The encoders are pre-trained once for all draws: the one that answers on nothing after the last
 * label that any draw may learn from, the one for the folds on nothing after the start of any draw's first fold. Throws
 * Failure 'invalid' where there are too few labels or nothing to encode.
 */
export async function measureFewLabels(
  tables: Tables,
  task: Task,
  objective: Objective,
  examples: Examples,
  options: FewLabelsOptions,
  progress: Progress,
): Promise<FewLabelsReport> {
  const fresh = isFresh(task, tables, examples);
  const known = Int32Array.from(examples.rows.keys()).filter((i) => !Number.isNaN(examples.labels[i]));
  const pool = known.filter((i) => isClosed(examples, i, options.from));
  const later = known.filter((i) => examples.at[i] >= options.from);
  const random = seedRandom(options.seed);
  const evaluated = thin(
    questionsUntil(later, Number.POSITIVE_INFINITY),
    evaluatedRowsMax,
    objective.kind === 'binary' ? examples.labels : undefined,
  ).example;
  if (evaluated.length === 0) throw new Failure('invalid', `task ${task.name}: no label is of a row to be evaluated`);
  const asked = pickExamples(examples, evaluated);
  const draws = Array.from({ length: options.draws }, (): LearningData => {
    const drawn = pickExamples(examples, drawLabels(examples, pool, options, random));
    // Evaluated rows get no label, so that no later row can read it.
    const all = joinExamples(drawn, { ...asked, labels: asked.labels.map(() => Number.NaN) });
    const outputs = [{ name: 'prediction', objective, examples: all }] as const;
    return { task, fresh, graph: withLabels(task, tables, drawn, fresh, objective), outputs, isPart: true };
  });
  const rolling = { kind: 'rolling' } as const;
  const learned = Int32Array.from({ length: options.labels }, (_, i) => i);
  const pretraining = openPretraining(draws[0], tables, rolling, progress, options.graphModel);
  const firsts = draws.map((data) => firstFold(data, learned, rolling) ?? options.from);
  const lasts = draws.map((data) => readableUntil(data, learned, rolling).cut);
  if (!pretraining) throw new Failure('invalid', `task ${task.name}: there is nothing to encode`);
  const evaluating = await pretraining.make(Math.min(...firsts), 'to be evaluated');
  const answering = await pretraining.make(Math.max(...lasts), 'to answer', evaluating.report.steps);

  const rows = Int32Array.from(evaluated, (_, k) => options.labels + k);
  const quiet = () => {};
  const answers: Answers[] = [];
  for (const [d, data] of draws.entries()) {
    progress('learning from few labels', d, draws.length);
    const plain = await learn(data, learned, rolling, quiet);
    const encoded = pretraining.read(data, answering.rfm, evaluating.rfm);
    const both = await learn(encoded, learned, rolling, quiet, quiet, plain.choice);
    const infinite = Number.POSITIVE_INFINITY;
    answers.push({
      features: (await predictPool({ data, learned: plain }, rows, infinite))[0].values,
      encoder: (await predictPool({ data: encoded, learned: both }, rows, infinite))[0].values,
      recipe: both.outputs[0].recipe.name,
    });
  }
  return reportOf(task, objective, asked, options, answers);
}

/** Most draws made until labels differ: nothing can be learned from labels that are all equal. */
const attemptsMax = 50;

/** Draws labels of the pool, in the order of the pool, with the requested share of positives. */
function drawLabels(
  { labels }: Examples,
  pool: Int32Array,
  { labels: count, positives }: FewLabelsOptions,
  random: () => number,
): Int32Array {
  const take = (from: Int32Array, many: number): number[] => {
    if (from.length < many)
      throw new Failure('invalid', `${many} labels are to be drawn, and ${from.length} of the kind are known by then`);
    return Array.from(sampleIndices(from.length, many, random), (k) => from[k]);
  };
  if (positives === undefined) {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const drawn = take(pool, count);
      if (drawn.some((i) => labels[i] !== labels[drawn[0]])) return Int32Array.from(drawn);
    }
    throw new Failure(
      'invalid',
      `of ${count} labels drawn ${attemptsMax} times all were alike: name a share of them, or draw more`,
    );
  }
  const yes = Math.round(count * positives);
  const those = (label: number) => pool.filter((i) => labels[i] === label);
  return Int32Array.from([...take(those(1), yes), ...take(those(0), count - yes)]).sort();
}

type Answers = { readonly features: Float64Array; readonly encoder: Float64Array; readonly recipe: string };

function reportOf(
  task: Task,
  objective: Objective,
  { rows, at, labels }: Examples,
  options: FewLabelsOptions,
  answers: readonly Answers[],
): FewLabelsReport {
  const { higherIsBetter } = evaluateMetric(objective.metric, [0, 1], [0, 1]);
  const measure = (values: Float64Array, of: Int32Array) =>
    evaluateMetric(
      objective.metric,
      Float64Array.from(of, (row) => labels[row]),
      Float64Array.from(of, (row) => values[row]),
    ).value;
  const all = Int32Array.from(labels.keys());
  const gainOf = (answer: Answers, of: Int32Array) =>
    (measure(answer.encoder, of) - measure(answer.features, of)) * (higherIsBetter ? 1 : -1);
  const groups = [...Map.groupBy(all, (row) => (new Set(at).size >= momentsMin ? at[row] : rows[row])).values()];
  const random = seedRandom(options.seed);
  const anyOf = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
  const drawn = Array.from({ length: replicates }, () => {
    const of = Int32Array.from(groups.flatMap(() => anyOf(groups)));
    return mean(answers.map(() => gainOf(anyOf(answers), of)));
  });
  const sorted = Float64Array.from(drawn.filter((gain) => !Number.isNaN(gain))).sort();
  const each = answers.map(({ features, encoder, recipe }) => ({
    features: measure(features, all),
    with_encoder: measure(encoder, all),
    recipe,
  }));
  const gains = answers.map((answer) => gainOf(answer, all));
  return {
    task: task.name,
    metric: objective.metric,
    labels: options.labels,
    draws: answers.length,
    positives: options.positives ?? null,
    judged_from: new Date(options.from / 1000).toISOString().slice(0, 10),
    judged_rows: labels.length,
    features: mean(each.map(({ features }) => features)),
    with_encoder: mean(each.map(({ with_encoder }) => with_encoder)),
    gain: mean(gains),
    low: quantileOfSorted(sorted, 0.025),
    high: quantileOfSorted(sorted, 0.975),
    wins: gains.filter((gain) => gain > 0).length,
    each,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
