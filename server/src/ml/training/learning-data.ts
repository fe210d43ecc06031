import { anchorsOf } from '../features/anchors.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import { lastReadable } from '../graph/as-of/days.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { type Examples, pickExamples } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import type { Task } from '../tasks/task.ts';
import type { Questions, Regime } from './questions.ts';

/** Everything a model is learned from. One set of labels per output, over the same anchors in the same order. */
export type LearningData = {
  readonly task: Task;
  /** The tables, with the known labels among them. */
  readonly graph: Graph;
  /** Where the graph has an encoder: one for the folds, whose encoder has read nothing after `until`. */
  readonly foldGraph?: { readonly graph: Graph; readonly until: number };
  readonly fresh: boolean;
  readonly outputs: readonly LabelledOutput[];
  /** Which of the features that the tables offer may be read; all where absent. */
  readonly mayRead?: (feature: Feature) => boolean;
};

export type Progress = (phase: string, done: number, of: number) => void;

/** Whether rows may be chosen by their labels: of a number, rows that are more often a yes would be another mean. */
export function isYesOrNo({ outputs }: LearningData): boolean {
  return outputs.every(({ objective }) => objective.kind === 'binary');
}

/** Anchors evaluated at once: bounds memory, moves no bit. */
const evaluateRows = 16_384;

/** The last moment anything of the training questions may read. */
export function readableUntil({ task, outputs }: LearningData, pool: Int32Array, regime: Regime) {
  let latest = Number.NEGATIVE_INFINITY;
  for (const i of pool) latest = Math.max(latest, outputs[0].examples.at[i]);
  return {
    cut: lastReadable(task, latest, regime.kind === 'stale' ? regime.cut : Number.POSITIVE_INFINITY),
  };
}

/** Where and as of when the questions are asked. */
export function anchorsFor({ task, graph, fresh }: LearningData, examples: Examples, questions: Questions): Anchors {
  const { until, labelled } = questions;
  const anchors = anchorsOf(task, graph.tables, pickExamples(examples, questions.example), fresh, (at, i) =>
    lastReadable(task, at, until[i]),
  );
  if (labelled === undefined) return anchors;
  return { ...anchors, labelled: new Float64Array(anchors.rows.length).fill(labelled) };
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
        ...questions,
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
