import { expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { openGraph } from '../features/graph.ts';
import type { Objective } from '../statistics/objective.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { chooseFeatures } from './choose-features.ts';
import type { LearningData } from './learning-data.ts';

const [clients, columns] = [400, 30];
const names = Array.from({ length: columns }, (_, c) => `n${c}`);
const contract = sampleContract([
  {
    name: 'client',
    key: 'id',
    columns: { id: 'integer', ...Object.fromEntries(names.map((name) => [name, 'number' as const])) },
  },
]);
const draw = draws(3);
const client = Array.from({ length: clients }, (_, id) => ({
  id,
  ...Object.fromEntries(names.map((name) => [name, draw.next()])),
}));
const labels = Float64Array.from(client, () => Number(draw.next() < 0.5));
const task = parseTask('entity: client\nkey: id\nlabel: y\nkind: binary\nwindow: 1d\n', 'y', 'task.yaml');
const objective: Objective = { kind: 'binary', metric: 'auroc', classes: [] };

async function choose(known: Float64Array) {
  const moments = Float64Array.from(client, (_, i) => at('2024-01-01') + i * day);
  const closes = moments.map((moment) => moment + day);
  const examples = { rows: Int32Array.from(client.keys()), at: moments, labels: known, closes };
  const graph = openGraph(sampleTables(contract, { client }));
  const data: LearningData = { task, fresh: false, graph, outputs: [{ name: 'y', objective, examples }] };
  const choice = await chooseFeatures(data, Int32Array.from(client.keys()), { kind: 'rolling' }, () => {});
  const all = [...choice.features, ...choice.foldFeatures];
  const told = (ranking: readonly number[]) => ranking.map((f) => JSON.stringify(all[f].read));
  return { whole: told(choice.rankings[0]), folds: choice.foldRankings[0].map(({ ranking }) => told(ranking)) };
}

test('features of a fold are chosen without its own labels, and those of the model with all', async () => {
  const before = await choose(labels);
  expect(before.folds).toHaveLength(4);
  // The folds start at rows 160, 220, 280 and 340. A label is known a day later.
  for (const [fold, start] of [160, 220, 280, 340].entries()) {
    const after = await choose(labels.map((label, i) => (i < start - 1 ? label : 1 - label)));
    expect(after.folds.slice(0, fold + 1)).toEqual(before.folds.slice(0, fold + 1));
    expect(after.whole).not.toEqual(before.whole);
    const earlier = await choose(labels.map((label, i) => (i < start - 60 || i >= start - 1 ? label : 1 - label)));
    expect(earlier.folds[fold]).not.toEqual(before.folds[fold]);
  }
});
