import { expect, test } from 'vitest';
import { day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import type { Feature } from '../features/feature.ts';
import { openGraph } from '../features/graph.ts';
import { pickRows } from '../heads/head.ts';
import type { Objective } from '../statistics/objective.ts';
import { parseTask } from '../tasks/parse-task.ts';
import type { LabelHistory } from './label-history.ts';
import { openLastQuestions } from './last-questions.ts';
import { learnOutput } from './learn-output.ts';
import { evaluateQuestions, type LearningData } from './learning-data.ts';
import { trainingQuestions } from './questions.ts';

const clients = 200;
const moments = 40;
/** Number of moments whose label of the longer horizon is known. */
const known = 20;
const contract = sampleContract([
  { name: 'client', key: 'client_id', columns: { client_id: 'integer', size: 'number', age: 'number' } },
]);

test('the newest part of a horizon is that of the labels it has', async () => {
  const draw = draws(3);
  const client = Array.from({ length: clients }, (_, client_id) => ({
    client_id,
    size: draw.next() - 0.5,
    age: draw.next(),
  }));
  const asked = Array.from({ length: clients * moments }, (_, i) => ({
    row: i % clients,
    moment: Math.floor(i / clients),
  }));
  // The relation in the first quarter of the labels is the reverse of the later one.
  const labels = Float64Array.from(asked, ({ row, moment }) =>
    Number(draw.next() < 1 / (1 + Math.exp((moment < known / 4 ? -12 : 12) * client[row].size))),
  );
  const examples = {
    rows: Int32Array.from(asked, ({ row }) => row),
    at: Float64Array.from(asked, ({ moment }) => moment * 30 * day),
    labels,
    closes: new Float64Array(asked.length).fill(Number.POSITIVE_INFINITY),
  };
  const long = { ...examples, labels: labels.map((label, i) => (asked[i].moment < known ? label : Number.NaN)) };
  const objective: Objective = { kind: 'binary', metric: 'auroc', classes: [] };
  const outputs = [
    { name: 'short', objective, examples },
    { name: 'long', objective, examples: long },
  ] as const;
  const task = parseTask('entity: client\nkey: client_id\nlabel: y\nkind: binary\nmetric: auroc\n', 'y', 'task.yaml');
  const graph = openGraph(sampleTables(contract, { client }));
  const data: LearningData = { task, fresh: false, graph, outputs };
  const features = ['size', 'age'].map(
    (column): Feature => ({ focus: { kind: 'root' }, read: { kind: 'attribute', column } }),
  );
  const regime = { kind: 'rolling' } as const;
  const quiet = () => {};
  const pool = Int32Array.from(asked.keys());
  const questions = trainingQuestions(examples, pool, regime, true, asked.length / 2);
  const matrix = await evaluateQuestions(data, features, questions);
  const last = openLastQuestions(data, features, pool, regime, questions.example.length, quiet);
  const history: LabelHistory = {
    columns: new Set([1]),
    ofYearsAgo: new Set(),
    asOf: async (values, asked) => pickRows(values, asked),
  };
  const shares = new Map<string, number[]>();
  const tell = (phase: string, done: number, of: number) => {
    shares.set(phase, [...(shares.get(phase) ?? []), done / of]);
  };
  const learned = await learnOutput(
    data,
    outputs[1],
    {
      ...{ ranking: [0, 1], foldRankings: [], categories: null },
      ...{ regime, asked: { questions, matrix }, foldMatrix: matrix, history, last },
    },
    tell,
  );
  // Recipes are tried with and without earlier labels, then all of them; then rows of two ages, and every second row.
  // The reported share never decreases.
  expect([...shares.keys()]).toEqual(expect.arrayContaining(['choosing a model for long', 'choosing rows for long']));
  for (const [phase, told] of shares) {
    expect(told, phase).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1), phase).toBeLessThan(1);
  }
  expect(learned.newestShare).toBe(0.5);
  // All rows; recipes were compared on every second one.
  expect(learned.rows).toBeGreaterThanOrEqual((clients * known) / 2);
});
