/** Learns made-up tasks as `eval` does, and says how well; test support. */

import { anchorsOf, isFresh, readableUntilAt, withLabels } from '../src/ml/features/anchors.ts';
import { evaluate } from '../src/ml/features/evaluate.ts';
import type { Feature } from '../src/ml/features/feature.ts';
import type { Anchors } from '../src/ml/features/state.ts';
import type { Tables } from '../src/ml/graph/tables.ts';
import { averageMargins, scoreModel } from '../src/ml/heads/head.ts';
import { outputOf } from '../src/ml/heads/output.ts';
import { evaluateMetric } from '../src/ml/statistics/metrics.ts';
import { type Examples, entityTable, pickExamples } from '../src/ml/tasks/examples.ts';
import { objectiveOf } from '../src/ml/tasks/labels.ts';
import { type Learned, learn } from '../src/ml/training/learn.ts';
import { evaluateQuestions, type LearningData } from '../src/ml/training/learning-data.ts';
import { questionsUntil } from '../src/ml/training/questions.ts';
import { type Data, day, sampleTables } from './samples.ts';
import type { Synthetic } from './synthetic.ts';

export type Opened = { readonly learning: LearningData; readonly tables: Tables; readonly examples: Examples };

/** A made-up task over its tables, or over others of the same contract. */
export function openSynthetic({ contract, data, task, labels }: Synthetic, given: Data = data): Opened {
  const tables = sampleTables(contract, given);
  const { rowOf } = entityTable(task, tables);
  const examples: Examples = {
    rows: Int32Array.from(labels, ({ key }) => rowOf.get(key)!),
    at: Float64Array.from(labels, (label) => label.at),
    labels: Float64Array.from(labels, ({ label }) => label),
    closes: Float64Array.from(
      labels,
      ({ at, known }) =>
        known ?? (task.windowDays === undefined ? Number.POSITIVE_INFINITY : at + task.windowDays * day),
    ),
  };
  const fresh = isFresh(task, tables, examples);
  const objective = objectiveOf(task, null, []);
  const graph = withLabels(task, tables, examples, fresh, objective);
  const outputs = [{ name: 'prediction', objective, examples }];
  return { learning: { task, fresh, graph, outputs }, tables, examples };
}

/** The last fifth of the labels, and those that were known before it begins. */
export function splitSynthetic({ examples }: Opened): { train: Int32Array; test: Int32Array } {
  const count = examples.rows.length;
  const test = Int32Array.from({ length: Math.floor(count / 5) }, (_, i) => count - Math.floor(count / 5) + i);
  const begins = examples.at[test[0]];
  const knownAt = (i: number) => (Number.isFinite(examples.closes[i]) ? examples.closes[i] : examples.at[i] + 1);
  return { train: Int32Array.from(examples.rows.keys()).filter((i) => knownAt(i) <= begins), test };
}

/** How well the last fifth of the labels is told from those known before it, by the task's metric. */
export async function measureSynthetic(synthetic: Synthetic): Promise<{ value: number; learned: Learned }> {
  const opened = openSynthetic(synthetic);
  const { learning, examples } = opened;
  const { train, test } = splitSynthetic(opened);
  const learned = await learn(learning, train, { kind: 'rolling' }, () => {});
  const matrix = await evaluateQuestions(learning, learned.features, questionsUntil(test, Number.POSITIVE_INFINITY));
  const [output] = learned.outputs;
  const answers = outputOf(
    output!.objective,
    output!,
    averageMargins(output!.head.map((model) => scoreModel(model, matrix))),
  );
  const truth = Float64Array.from(test, (i) => examples.labels[i]);
  return { value: evaluateMetric(synthetic.task.metric, truth, answers).value, learned };
}

/** Features of the examples at `asked`, feature by feature. */
export function valuesOf(opened: Opened, features: readonly Feature[], asked: Int32Array): Float32Array[] {
  const { values, rows } = evaluate(opened.learning.graph, features, anchorsAt(opened, asked));
  return features.map((_, f) => values.slice(f * rows, (f + 1) * rows));
}

/** Each example at `asked` at its own moment. */
export function anchorsAt({ learning, examples }: Opened, asked: Int32Array): Anchors {
  const { task, graph, fresh } = learning;
  const readableUntil = readableUntilAt(task, Number.POSITIVE_INFINITY);
  return anchorsOf(task, graph.tables, pickExamples(examples, asked), fresh, readableUntil);
}
