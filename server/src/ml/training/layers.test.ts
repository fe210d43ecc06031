import { expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { isFresh, withLabels } from '../features/anchors.ts';
import { focusKey } from '../features/feature.ts';
import type { Examples } from '../tasks/examples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { compareLayers, describeLayers, learnLayers } from './layers.ts';
import { learn } from './learn.ts';
import type { LearningData } from './learning-data.ts';

const contract = sampleContract([
  { name: 'club', key: 'club_id', columns: { club_id: 'integer', level: 'number' } },
  {
    name: 'member',
    key: 'member_id',
    references: { club_id: 'club' },
    columns: { member_id: 'integer', club_id: 'integer', age: 'number' },
  },
]);
const task = parseTask(
  'entity: member\nkey: member_id\ntime: date\nlabel: stays\nkind: binary\nmetric: auroc\nwindow: 30d\n',
  'stays',
  'task.yaml',
);
const [members, clubs, months] = [60, 20, 10];

/** Members stay where the level of their club is high; their age has little effect. */
function makeStays(): LearningData {
  const draw = draws(5);
  const levels = Array.from({ length: clubs }, () => draw.next());
  const data = {
    club: levels.map((level, club_id) => ({ club_id, level })),
    member: Array.from({ length: members }, (_, member_id) => ({
      member_id,
      club_id: member_id % clubs,
      age: 20 + 40 * draw.next(),
    })),
  };
  const tables = sampleTables(contract, data);
  const asked = Array.from({ length: months * members }, (_, i) => ({
    member: i % members,
    moment: at('2023-01-01') + Math.floor(i / members) * 30 * day,
  }));
  const moments = Float64Array.from(asked, ({ moment }) => moment);
  const examples: Examples = {
    rows: Int32Array.from(asked, ({ member }) => tables.get('member')!.rowOf.get(member)!),
    at: moments,
    labels: Float64Array.from(asked, ({ member }) => Number(levels[member % clubs] + 0.6 * draw.next() > 0.8)),
    // Labels never close, so no label history can identify a member.
    closes: new Float64Array(asked.length).fill(Number.POSITIVE_INFINITY),
  };
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const fresh = isFresh(task, tables, examples);
  const outputs = [{ name: 'stays', objective, examples }];
  return { task, fresh, outputs, graph: withLabels(task, tables, examples, fresh, objective) };
}

test('what a row refers to is the layer above its own features, and what it adds is told with its bounds', async () => {
  const data = makeStays();
  const [{ objective, examples }] = data.outputs;
  const pool = Int32Array.from(examples.rows.keys());
  const rolling = { kind: 'rolling' } as const;
  const learned = await learn(data, pool, rolling, () => {});
  const layers = await learnLayers(data, learned, pool, rolling, () => {});
  expect(layers.map(({ name }) => name)).toEqual(['features', 'neighbors']);
  const [own, neighbors] = layers;
  expect(own!.learned.features.map(({ focus }) => focusKey(focus))).not.toContain('/club_id');
  expect(neighbors!.learned).toBe(learned);
  expect(learned.features.map(({ focus }) => focusKey(focus))).toContain('/club_id');
  const predictions = layers.map((layer) => ({
    layer: layer.name,
    predictions: layer.learned.outputs[0].outOfFold.margins,
  }));
  const { examples: asked, labels } = learned.outputs[0].outOfFold;
  expect(own!.learned.outputs[0].outOfFold.examples).toEqual(asked);
  const of = (values: ArrayLike<number>) => Array.from(asked, (i) => values[i]);
  const [first, second] = compareLayers(objective, labels, predictions, of(examples.at), of(examples.rows));
  expect(first!.added).toBeUndefined();
  expect(second!.added!.gain).toBeCloseTo(second!.value - first!.value, 12);
  expect(second!.added).toMatchObject({ drawn: 'entities' });
  expect(second!.added!.low).toBeGreaterThan(0.02);
});

test('a smaller error is a gain, of numbers and of classes', () => {
  const draw = draws(2);
  const labels = Float64Array.from({ length: 300 }, () => draw.next());
  const off = (by: number) => labels.map((label) => label + by * (draw.next() - 0.5));
  const [moments, entities] = [Array.from(labels.keys()), Array.from(labels.keys(), (row) => row % 7)];
  const [, second] = compareLayers(
    { kind: 'regression', metric: 'mae', classes: [] },
    labels,
    [
      { layer: 'features', predictions: off(1) },
      { layer: 'neighbors', predictions: off(0.5) },
    ],
    moments,
    entities,
  );
  expect(second!.added!.drawn).toBe('moments');
  const { gain, low, high } = second!.added!;
  expect([low > 0, low < gain, gain < high]).toEqual([true, true, true]);
  expect(describeLayers('mae', [second!])[0]).toMatch(
    /^ {2}\+ neighbors mae 0\.\d{4}, gain 0\.\d{4} \(0\.\d{4} to 0\.\d{4}\)$/,
  );

  const classes = labels.map((label) => Math.floor(label * 3));
  const chances = (certainty: number) =>
    Float64Array.from({ length: 900 }, (_, k) =>
      classes[Math.floor(k / 3)] === k % 3 ? certainty : (1 - certainty) / 2,
    );
  const [, better] = compareLayers(
    { kind: 'multiclass', metric: 'multiclass_log_loss', classes: ['a', 'b', 'c'] },
    classes,
    [
      { layer: 'features', predictions: chances(0.4) },
      { layer: 'neighbors', predictions: chances(0.8) },
    ],
    moments,
    entities,
  );
  expect(better!.added!.gain).toBeCloseTo(Math.log(2), 12);
  expect(better!.added!.low).toBeCloseTo(Math.log(2), 12);
});
