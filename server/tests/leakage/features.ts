/** The features of the tasks, proposed and evaluated in memory. */
import { expect } from 'vitest';
import { anchorsOf, readableUntilAt, withLabels } from '../../src/ml/features/anchors.ts';
import { evaluate } from '../../src/ml/features/evaluate.ts';
import type { Feature } from '../../src/ml/features/feature.ts';
import { proposeFeatures } from '../../src/ml/features/proposals/propose-features.ts';
import type { Tables } from '../../src/ml/graph/tables.ts';
import type { FeatureMatrix } from '../../src/ml/statistics/matrix.ts';
import { type Examples, entityTable, pickExamples } from '../../src/ml/tasks/examples.ts';
import { objectiveOf } from '../../src/ml/tasks/labels.ts';
import { at, type Data, day, sampleTables } from '../samples.ts';
import { labels, type TaskName, taskOf } from './tasks.ts';
import { contract, cut, data } from './world.ts';

/** What is proposed for the task on this data, and every third training label by position, to ask the features of. */
export function proposed(name: TaskName, of: Data = data): { features: readonly Feature[]; asked: readonly number[] } {
  const task = taskOf(name);
  const tables = sampleTables(contract, of);
  const examples = examplesOf(name, tables);
  const asked = Array.from(examples.rows.keys()).filter((i) => i % 3 === 0);
  const graph = withLabels(task, tables, examples, name === 'late', objectiveOf(task, null, []));
  const sample = anchorsOf(task, tables, pickExamples(examples, asked), name === 'late', readableUntilAt(task, cut));
  return { features: proposeFeatures(graph, task, sample, cut).features, asked };
}

/** Values of features for the training labels at the positions asked. */
export function values(
  name: TaskName,
  features: readonly Feature[],
  of: Data,
  asked: readonly number[],
): FeatureMatrix {
  return valuesOf(name, features, of, examplesOf(name, sampleTables(contract, of)), asked);
}

/** The same, with labels other than those of the task. */
export function valuesOf(
  name: TaskName,
  features: readonly Feature[],
  of: Data,
  examples: Examples,
  asked: readonly number[],
): FeatureMatrix {
  const task = taskOf(name);
  const tables = sampleTables(contract, of);
  const graph = withLabels(task, tables, examples, name === 'late', objectiveOf(task, null, []));
  const anchors = anchorsOf(
    task,
    graph.tables,
    pickExamples(examples, asked),
    name === 'late',
    readableUntilAt(task, Number.POSITIVE_INFINITY),
  );
  return evaluate(graph, features, anchors);
}

/** Features any of whose values changed by a bit. */
export function moved(features: readonly Feature[], before: FeatureMatrix, after: FeatureMatrix): string[] {
  const bits = (matrix: FeatureMatrix, f: number) =>
    Buffer.from(matrix.values.slice(f * matrix.rows, (f + 1) * matrix.rows).buffer).toString('hex');
  expect(after.rows).toBe(before.rows);
  return features.flatMap((feature, f) => (bits(before, f) === bits(after, f) ? [] : [JSON.stringify(feature)]));
}

export function examplesOf(name: TaskName, tables: Tables): Examples {
  const task = taskOf(name);
  const { rowOf } = entityTable(task, tables);
  const { train } = labels[name];
  const moments = Float64Array.from(train, ({ date }) => at(String(date)));
  return {
    rows: Int32Array.from(train, (row) => rowOf.get(row[task.key]!) ?? -1),
    at: moments,
    labels: Float64Array.from(train, (row) => Number(row[task.label])),
    closes: moments.map((moment) => moment + task.windowDays! * day),
  };
}
