// Learns one task of a data set on the past of each of its cuts in time, answers the rows after it, and says how that
// compares with a plain boosting and with no learning. learn-task.ts <data set> <task> <folds?>
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataset, openLabels, openTask } from '../../src/commands/dataset.ts';
import { readTrainingThreads } from '../../src/config.ts';
import { compareRows } from '../../src/ml/evaluation/compare.ts';
import { measureRows } from '../../src/ml/evaluation/measure.ts';
import { isFresh, withLabels } from '../../src/ml/features/anchors.ts';
import type { Feature } from '../../src/ml/features/feature.ts';
import { proposeFeatures } from '../../src/ml/features/proposals/propose-features.ts';
import { fitPart, scoreModel } from '../../src/ml/heads/head.ts';
import { labelRange, outputOf } from '../../src/ml/heads/output.ts';
import { lossOf } from '../../src/ml/heads/recipes.ts';
import { evaluateMetric, isHigherBetter } from '../../src/ml/statistics/metrics.ts';
import { resamplingOf } from '../../src/ml/statistics/standard-errors.ts';
import { entityTable, joinExamples } from '../../src/ml/tasks/examples.ts';
import { predictPool } from '../../src/ml/training/evaluate.ts';
import { learn } from '../../src/ml/training/learn.ts';
import {
  anchorsFor,
  evaluateQuestions,
  type LearningData,
  readableUntil,
} from '../../src/ml/training/learning-data.ts';
import { evaluateNaive, type Naive, referredOf } from '../../src/ml/training/naive.ts';
import { layFolds, questionsUntil } from '../../src/ml/training/questions.ts';
import { withTeam } from '../../src/ml/training/with-team.ts';

/** One cut: how each way did on the rows after it, by the metric of the task. */
export type LearnedCut = {
  readonly rows: number;
  readonly ours: number;
  readonly plain: number;
  readonly naive: number;
  readonly naiveBy: string;
  /** What the best possible answers reach, where the data are made up and these are known. */
  readonly best: number | null;
  /** Of our gain over the others, positive where ours is better: its value, and its standard error. */
  readonly overPlain: readonly [number, number];
  readonly overNaive: number;
  readonly recipe: string;
  /** Of the calibration of our probabilities: 1 is right. Null for numbers. */
  readonly slope: number | null;
};

export type LearnedTask = {
  readonly metric: string;
  readonly higherIsBetter: boolean;
  readonly cuts: readonly LearnedCut[];
  readonly oursSeconds: number;
  readonly plainSeconds: number;
  readonly peakMb: number;
};

/** From so few rows a single cut says little: folds in time are asked instead. */
const foldRowsMax = 2_000;

const [folder, name, wantsFolds] = process.argv.slice(2);
const silent = { say: () => {}, phase: () => {} } as never;
const dataset = await openDataset(folder, silent);
const { dataUntil: _, ...task } = openTask(dataset, name);
const files = ['train.csv', 'val.csv'].filter((file) => existsSync(join(folder, 'tasks', name, file)));
const [{ objective, parts }] = await openLabels(dataset, task, files, []);
const examples = joinExamples(...parts);
const fresh = isFresh(task, dataset.tables, parts[0]);
const all = Int32Array.from(examples.labels.keys()).filter((i) => !Number.isNaN(examples.labels[i]));
const inTraining = parts[0].labels.length;
const isSmall = all.length <= foldRowsMax;
const cuts =
  parts.length > 1 && !isSmall && wantsFolds !== 'folds'
    ? [{ train: all.filter((i) => i < inTraining), test: all.filter((i) => i >= inTraining) }]
    : layFolds(examples, all, { kind: 'rolling' });

/** The data with the labels of a pool alone. */
function dataOf(pool: Int32Array): LearningData {
  const labels = new Float64Array(examples.labels.length).fill(Number.NaN);
  for (const i of pool) labels[i] = examples.labels[i];
  const graph = withLabels(task, dataset.tables, { ...examples, labels }, fresh, objective);
  return { task, fresh, graph, outputs: [{ name: 'prediction', objective, examples }] };
}

/** A row's own columns, and how many rows of each table belong to it: what a first look at the tables gives. */
function isPlain({ focus, read }: Feature): boolean {
  if (focus.kind !== 'root') return false;
  if (read.kind === 'count') return read.events.via.length === 1 && !read.events.when && 'all' in read.span;
  return ['attribute', 'attribute_is', 'measure', 'length', 'interval', 'age', 'calendar'].includes(read.kind);
}

/** Answers by one boosting of the usual size over plain features. */
async function answerPlainly(data: LearningData, train: Int32Array, test: Int32Array): Promise<Float64Array> {
  const asked = questionsUntil(train, Number.POSITIVE_INFINITY);
  const { cut } = readableUntil(data, train, { kind: 'rolling' });
  const { features } = proposeFeatures(data.graph, task, anchorsFor(data, examples, asked), cut, undefined, isPlain);
  const matrix = await evaluateQuestions(data, features, asked);
  const labels = Float64Array.from(train, (i) => examples.labels[i]);
  const part = { kind: 'trees', features: features.length, loss: lossOf(objective), depth: 4, rounds: 150 } as const;
  const rows = Int32Array.from(train.keys());
  const model = fitPart({ matrix, rows, labels, ranking: [...features.keys()], part, weights: null }, [1, 2, 3]);
  const later = await evaluateQuestions(data, features, questionsUntil(test, Number.POSITIVE_INFINITY));
  return outputOf(objective, { calibrator: null, range: labelRange(labels) }, scoreModel(model, later));
}

function bestNaive(data: LearningData, train: Int32Array, test: Int32Array): [value: number, by: string] {
  const referred = fresh ? referredOf(task, entityTable(task, data.graph.tables), examples.rows) : [];
  const part = { from: train, evaluated: test, until: Number.POSITIVE_INFINITY };
  const told: Naive = evaluateNaive(objective, examples, [part], referred);
  const { referred_by: _, gain: __, ...ways } = told;
  const better = isHigherBetter(objective.metric) ? 1 : -1;
  const [[by, value]] = Object.entries(ways).sort(([, a], [, b]) => better * (b - a));
  return [value, by === 'referred_mean' ? `rate by ${told.referred_by}` : by.replace('_', ' ')];
}

const known = join(folder, 'tasks', name, 'best.json');
const best: readonly number[] | null = existsSync(known) ? JSON.parse(readFileSync(known, 'utf8')) : null;

const measured: LearnedCut[] = [];
let [oursSeconds, plainSeconds] = [0, 0];
for (const { train, test } of cuts) {
  const labels = Float64Array.from(test, (i) => examples.labels[i]);
  if (labels.every((label) => label === labels[0])) continue;
  const data = dataOf(train);
  const start = performance.now();
  const learning = { ...data, isPart: true } as const;
  const { learned, values } = await withTeam(learning, readTrainingThreads(), async (shared) => {
    const learned = await learn(shared, train, { kind: 'rolling' }, () => {});
    const [{ values }] = await predictPool({ data: shared, learned }, test, Number.POSITIVE_INFINITY);
    return { learned, values };
  });
  const middle = performance.now();
  const plain = await answerPlainly(data, train, test);
  oursSeconds += (middle - start) / 1000;
  plainSeconds += (performance.now() - middle) / 1000;
  const judge = (answers: Float64Array) => ({ labels, values: answers, sure: null });
  const sampled = resamplingOf(
    Float64Array.from(test, (i) => examples.at[i]),
    Int32Array.from(test, (i) => examples.rows[i]),
  );
  const { gains } = compareRows(objective, judge(values), judge(plain), sampled, null);
  const gain = gains[objective.metric]!;
  const [naive, naiveBy] = bestNaive(data, train, test);
  const ours = evaluateMetric(objective.metric, labels, values).value;
  measured.push({
    rows: test.length,
    ours,
    plain: evaluateMetric(objective.metric, labels, plain).value,
    ...{ naive, naiveBy },
    best:
      best &&
      evaluateMetric(
        objective.metric,
        labels,
        Float64Array.from(test, (i) => best[i - inTraining]),
      ).value,
    // The bounds are 2.5 and 97.5 % points.
    overPlain: [gain.value, (gain.high - gain.low) / 3.92],
    overNaive: isHigherBetter(objective.metric) ? ours - naive : naive - ours,
    recipe:
      learned.outputs[0].recipe.name +
      (learned.outputs[0].newestShare < 1 ? `, newest ${learned.outputs[0].newestShare}` : ''),
    slope:
      objective.kind === 'binary' ? (measureRows(objective, judge(values), sampled).calibration?.slope ?? null) : null,
  });
}
const told: LearnedTask = {
  metric: objective.metric,
  higherIsBetter: isHigherBetter(objective.metric),
  cuts: measured,
  ...{ oursSeconds, plainSeconds, peakMb: process.resourceUsage().maxRSS / 1024 },
};
console.log(JSON.stringify(told));
