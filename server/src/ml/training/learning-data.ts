import { anchorsOf } from '../features/anchors.ts';
import { costOfFeatures, partFeatures } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import { lastReadable } from '../graph/as-of/days.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { type Examples, pickExamples } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import type { Task } from '../tasks/task.ts';
import { openLearningCalls } from './learning-calls.ts';
import { type LearningTeam, roomFor, teamOf } from './learning-team.ts';
import type { Questions, Regime } from './questions.ts';

/** Everything a model is learned from. One set of labels per output, over the same anchors in the same order. */
export type LearningData = {
  readonly task: Task;
  /** The tables, and the known labels as one of them. */
  readonly graph: Graph;
  /** Present where the graph has an encoder: the same graph with an encoder that has read nothing after `until`. */
  readonly foldGraph?: { readonly graph: Graph; readonly until: number };
  readonly fresh: boolean;
  readonly outputs: readonly LabelledOutput[];
  /** Which features may be used; all where absent. */
  readonly mayRead?: (feature: Feature) => boolean;
  /** The threads that learn from them together; one alone where absent. */
  readonly team?: LearningTeam;
  /** How long more models may be averaged at most, in minutes of all outputs together; not at all where absent. */
  readonly minutes?: number;
  /** Set for a part of a pool that was learned from before: what the task names need not be met in it. */
  readonly isPart?: true;
};

export type Progress = (phase: string, done: number, of: number) => void;

/**
 * Whether the sample may be balanced by label. Only for binary labels: a balanced sample of numbers would have another
 * mean.
 */
export function isYesOrNo({ outputs }: LearningData): boolean {
  return outputs.every(({ objective }) => objective.kind === 'binary');
}

/** Anchors evaluated at once. It limits memory, and changes no result. */
const evaluateRows = 16_384;

/** The last moment that the training questions may read. */
export function readableUntil({ task, outputs }: LearningData, pool: Int32Array, regime: Regime) {
  let latest = Number.NEGATIVE_INFINITY;
  for (const i of pool) latest = Math.max(latest, outputs[0].examples.at[i]);
  return {
    cut: lastReadable(task, latest, regime.kind === 'stale' ? regime.cut : Number.POSITIVE_INFINITY),
  };
}

/** The anchors of questions. */
export function anchorsFor({ task, graph, fresh }: LearningData, examples: Examples, questions: Questions): Anchors {
  const { until, labelled } = questions;
  const anchors = anchorsOf(task, graph.tables, pickExamples(examples, questions.example), fresh, (at, i) =>
    lastReadable(task, at, until[i]),
  );
  if (labelled === undefined) return anchors;
  return { ...anchors, labelled: new Float64Array(anchors.rows.length).fill(labelled) };
}

/** Evaluates features for questions, in batches of rows. The matrix can be read by all threads of the data. */
export async function evaluateQuestions(
  data: LearningData,
  features: readonly Feature[],
  questions: Questions,
  progress: (done: number, of: number) => void = () => {},
): Promise<FeatureMatrix> {
  const rows = questions.example.length;
  const batches = Array.from({ length: Math.ceil(rows / evaluateRows) }, (_, b) => {
    const [from, to] = [b * evaluateRows, Math.min(rows, (b + 1) * evaluateRows)];
    return anchorsFor(data, data.outputs[0].examples, {
      ...questions,
      example: questions.example.subarray(from, to),
      until: questions.until.subarray(from, to),
      weight: questions.weight.subarray(from, to),
    });
  });
  return evaluateTogether(data, features, batches, progress);
}

/** The widest part of features is at most this share of what each thread reads. */
const partsOfThread = 4;

/** Evaluates features at batches of anchors, which stand one after the other in the matrix. */
export async function evaluateTogether(
  data: LearningData,
  features: readonly Feature[],
  batches: readonly Anchors[],
  progress: (done: number, of: number) => void = () => {},
): Promise<FeatureMatrix> {
  const team = teamOf(data);
  const rows = batches.reduce((sum, { rows: { length } }) => sum + length, 0);
  const values = roomFor(team, rows * features.length);
  const order = { batches: batches.map(({ table: _, ...anchors }) => anchors), rows, values };
  const orderOf = (places: readonly number[]) => ({ ...order, places, features: places.map((f) => features[f]) });
  // Encoders live in this thread alone.
  const [encoded, plain] = partition([...features.keys()], (f) => features[f].read.kind === 'embedding');
  if (encoded.length > 0) openLearningCalls(data.graph, data.task.entity).evaluate(orderOf(encoded));
  const read = plain.map((f) => features[f]);
  const most = Math.ceil(plain.length / (partsOfThread * team.threads));
  const parts = partFeatures(read, most).map((part) => part.map((k) => plain[k]));
  await team.each('evaluate', parts.filter((part) => part.length > 0).map(orderOf), {
    told: (taken) => progress(taken, parts.length),
    costOf: (part) => costOfFeatures(part.features),
  });
  return { rows, features: features.length, values };
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [first: T[], second: T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
