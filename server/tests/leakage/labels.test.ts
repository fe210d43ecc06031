/** Labels that have not closed yet move neither features nor what is learned. */
import { expect, test } from 'vitest';
import { withLabels } from '../../src/ml/features/anchors.ts';
import type { Examples } from '../../src/ml/tasks/examples.ts';
import { objectiveOf } from '../../src/ml/tasks/labels.ts';
import { learn } from '../../src/ml/training/learn.ts';
import { at, day, sampleTables } from '../samples.ts';
import { quiet } from './commands.ts';
import { examplesOf, moved, proposed, valuesOf } from './features.ts';
import { taskOf } from './tasks.ts';
import { contract, data } from './world.ts';

test('a label that closes later moves no feature, one that closed does', () => {
  const { features } = proposed('churn');
  const examples = examplesOf('churn', sampleTables(contract, data));
  const moment = at('2021-08-01');
  const before = examples.at.findLast((one) => one <= moment)!;
  const positions = Array.from(examples.at.keys()).filter((i) => examples.at[i] === before);
  const read = (of: Examples) => valuesOf('churn', features, data, of, positions);
  const untouched = read(examples);
  const closesLater = flipped(examples, (closes) => closes > before);
  expect(moved(features, untouched, read(closesLater))).toEqual([]);
  const hasClosed = flipped(examples, (closes) => closes <= before);
  const changed = moved(features, untouched, read(hasClosed));
  expect(changed.every((feature) => feature.includes('@labels'))).toBe(true);
  expect(changed).not.toEqual([]);
});

test('labels that close after the training anchors do not move what is learned before', async () => {
  const learnedWith = async (flips: (closes: number) => boolean) => {
    const tables = sampleTables(contract, data);
    const examples = examplesOf('churn', tables);
    const train = Int32Array.from(Array.from(examples.at.keys()).filter((i) => examples.at[i] <= at('2021-08-01')));
    const changed = flipped(examples, flips);
    const objective = objectiveOf(taskOf('churn'), null, []);
    const graph = withLabels(taskOf('churn'), tables, changed, false, objective);
    const outputs = [{ name: 'prediction', objective, examples: changed }];
    const learned = await learn(
      { task: taskOf('churn'), fresh: false, graph, outputs },
      train,
      { kind: 'rolling' },
      quiet,
    );
    return JSON.stringify(learned, (_, value) =>
      ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
    );
  };
  const before = await learnedWith(() => false);
  const closesLast = at('2021-08-01') + 30 * day;
  expect((await learnedWith((closes) => closes > closesLast)) === before).toBe(true);
  expect((await learnedWith((closes) => closes <= closesLast && closes > closesLast - 40 * day)) === before).toBe(
    false,
  );
});

/** The examples with the labels turned over that close when it is said. */
function flipped(examples: Examples, when: (closes: number) => boolean): Examples {
  return {
    ...examples,
    labels: examples.labels.map((label, i) => (when(examples.closes[i]) ? 1 - label : label)),
  };
}
