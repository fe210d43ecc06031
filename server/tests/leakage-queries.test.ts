/**
 * Labels made from future rows: what comes after the last window has closed moves neither whom is asked, nor a label,
 * nor a feature, though all are made anew from tables that hold it. The same planted earlier moves them, so that a test
 * that sees nothing is caught. Whole versions are held to the same in leakage-queries.long.test.ts.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { anchorsOf, isFresh, readableUntilAt, withLabels } from '../src/ml/features/anchors.ts';
import { evaluate } from '../src/ml/features/evaluate.ts';
import { proposeFeatures } from '../src/ml/features/proposals/propose-features.ts';
import { keyValue } from '../src/ml/graph/keys.ts';
import { outputsOfTarget } from '../src/ml/tasks/labels.ts';
import { parseTask } from '../src/ml/tasks/parse-task.ts';
import { resolveTask } from '../src/ml/tasks/resolve.ts';
import { lendingClosed, lendingContract, lendingData, lendingEarly, lendingQueries, plantAfter } from './lending.ts';
import { type Data, sampleTables } from './samples.ts';

/** What is asked, labelled and read for a question, by SHA-256 where it is much. */
function readAll(data: Data, query: string) {
  const tables = sampleTables(lendingContract, data);
  const task = resolveTask(parseTask(query, 'task', 'definition'), lendingContract, 'definition');
  const { outputs } = outputsOfTarget(task, tables, Number.POSITIVE_INFINITY);
  const [{ examples, objective }] = outputs as [(typeof outputs)[number]];
  const fresh = isFresh(task, tables, examples);
  const graph = withLabels(task, tables, examples, fresh, objective);
  const anchors = anchorsOf(task, graph.tables, examples, fresh, readableUntilAt(task, Number.POSITIVE_INFINITY));
  const cut = anchors.readableUntil.reduce((a, b) => Math.max(a, b));
  const { features } = proposeFeatures(graph, task, anchors, cut);
  const { values } = evaluate(graph, features, anchors);
  const key = tables.get(task.entity)!.columns.get(task.key)!;
  return {
    keys: Array.from(examples.rows, (row) => keyValue(key, row)).join(' '),
    at: [...examples.at],
    labels: outputs.map((output) => [...output.examples.labels]),
    closes: outputs.map((output) => [...output.examples.closes]),
    classes: objective.classes,
    fresh,
    features: JSON.stringify(features),
    values: createHash('sha256').update(new Uint8Array(values.buffer)).digest('hex'),
  };
}

const data = lendingData();
const later = plantAfter(data, lendingClosed);
const sooner = plantAfter(data, lendingEarly);

test.each(Object.entries(lendingQueries))('%s: nothing that comes after the windows moves anything', (name, query) => {
  const read = readAll(data, query);
  expect(readAll(later, query)).toEqual(read);
  const moved = readAll(sooner, query);
  expect(moved.labels).not.toEqual(read.labels);
  expect(moved.values).not.toBe(read.values);
  expect(read.fresh).toBe(['month', 'first', 'lost'].includes(name));
  expect(Math.max(...read.closes.flat())).toBeLessThan(lendingClosed);
  expect(new Set(read.labels.flat()).size).toBeGreaterThan(1);
});
