/** What is read of two roles of one row: their difference, their meetings, and who is stronger. */
import { expect, test } from 'vitest';
import { at, day, draws, type Row, sampleContract, sampleRows, sampleTables } from '../../../tests/samples.ts';
import { pairName } from '../graph/pairs.ts';
import { anchorsFor } from '../inference/anchors.ts';
import type { Examples } from '../tasks/examples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import type { Version } from '../version/version.ts';
import { anchorsOf, readableUntilAt, withLabels } from './anchors.ts';
import { evaluate } from './evaluate.ts';
import { type Events, type Feature, type Focus, labelsTable, type Read } from './feature.ts';
import { strengthAfter } from './ratings.ts';

const contract = sampleContract([
  { name: 'player', key: 'player_id', columns: { player_id: 'integer', height: 'number' } },
  {
    name: 'match',
    key: 'match_id',
    time: 'played',
    references: { player_1: 'player', player_2: 'player' },
    columns: { match_id: 'integer', player_1: 'integer', player_2: 'integer', played: 'date', ground: 'string' },
  },
]);
const draw = draws(5);
const pick = (n: number) => Math.floor(draw.next() * n);
const start = at('2024-01-01');
const player = [1, 2, 3, 4, 5].map((player_id) => ({
  player_id,
  height: player_id === 5 ? null : 160 + 7 * player_id,
}));
const match = Array.from({ length: 60 }, (_, k) => {
  const first = 1 + pick(5);
  return {
    match_id: k,
    player_1: first,
    player_2: 1 + ((first + pick(4)) % 5),
    played: start + Math.floor(k / 3) * day,
    ground: ['clay', 'grass'][pick(2)],
  };
});
const labels = match.map(() => pick(2));
const tables = sampleTables(contract, { player, match });
const task = parseTask('entity: match\nkey: match_id\nlabel: won\nkind: binary\nwindow: 1d\n', 'wins', 'task.yaml');

function examplesWith(known: readonly number[]): Examples {
  return {
    rows: Int32Array.from(match.keys()),
    at: Float64Array.from(match, ({ played }) => played),
    labels: Float64Array.from(known),
    closes: Float64Array.from(match, ({ played }) => played + day),
  };
}

function graphOf(known: readonly number[]) {
  return withLabels(task, tables, examplesWith(known), true, { kind: 'binary', metric: 'auroc', classes: [] });
}

function valuesOf(feature: Feature, known: readonly number[] = labels): Float32Array {
  const anchors = anchorsOf(task, graphOf(known).tables, examplesWith(known), true, readableUntilAt(task, Infinity));
  return evaluate(graphOf(known), [feature], anchors).values;
}

const root: Focus = { kind: 'root' };
const parent = (reference: string): Focus => ({ kind: 'parent', of: root, reference });
const apart: Focus = { kind: 'apart', of: root, reference: 'player_1', from: 'player_2' };
const outcomes = (role: string): Events => ({ table: labelsTable, via: ['entity', role] });
const rating = (as: 'lasting' | 'recent'): Read => ({
  ...{ kind: 'rating', events: outcomes('player_1'), against: 'player_2', as },
});
const counted = (events: Events): Read => ({ kind: 'count', events, span: { all: true } });
const signal = { kind: 'column', path: [], column: 'label' } as const;
const averaged = (events: Events): Read => ({ kind: 'number', events, signal, span: { all: true }, aggregate: 'mean' });

function expectClose(value: number, expected: number): void {
  if (Number.isNaN(expected)) expect(value).toBeNaN();
  else expect(value).toBeCloseTo(expected, 5);
}

/** Matches whose outcome is known when match `k` is asked about. */
const knownBefore = (k: number) => [...match.keys()].filter((m) => match[m].played + day <= match[k].played);
const mean = (values: readonly number[]) =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

test('two roles are apart by what is read of the one less the other, and by nothing where one has no value', () => {
  const reads: Read[] = [{ kind: 'attribute', column: 'height' }, averaged(outcomes('player_2')), rating('recent')];
  for (const read of reads) {
    const [first, second] = ['player_1', 'player_2'].map((role) => valuesOf({ focus: parent(role), read }));
    const less = valuesOf({ focus: apart, read });
    expect([...less].some((value) => value !== 0 && !Number.isNaN(value))).toBe(true);
    less.forEach((value, k) => {
      expectClose(value, first[k] - second[k]);
    });
  }
});

test('a pair has its own meetings, in either order, and those of a player on a ground', () => {
  const meetings = (k: number, isOne: (m: number) => boolean) => knownBefore(k).filter(isOne);
  const swapped = pairName(['player_2', 'player_1']);
  const plain = pairName(['player_1', 'player_2']);
  const onGround = pairName(['player_1', 'ground']);
  const asked: [reference: string, role: string, isOne: (m: number, k: number) => boolean][] = [
    [plain, plain, (m, k) => match[m].player_1 === match[k].player_1 && match[m].player_2 === match[k].player_2],
    [swapped, plain, (m, k) => match[m].player_1 === match[k].player_2 && match[m].player_2 === match[k].player_1],
    [onGround, onGround, (m, k) => match[m].player_1 === match[k].player_1 && match[m].ground === match[k].ground],
    [
      pairName(['player_2', 'ground']),
      onGround,
      (m, k) => match[m].player_1 === match[k].player_2 && match[m].ground === match[k].ground,
    ],
  ];
  for (const [reference, role, isOne] of asked) {
    const counts = valuesOf({ focus: parent(reference), read: counted(outcomes(role)) });
    const means = valuesOf({ focus: parent(reference), read: averaged(outcomes(role)) });
    let met = 0;
    for (const k of match.keys()) {
      const found = meetings(k, (m) => isOne(m, k));
      met += found.length;
      expect(counts[k]).toBe(found.length);
      expectClose(means[k], mean(found.map((m) => labels[m])));
    }
    expect(met).toBeGreaterThan(20);
  }
});

test('a row from outside has the bits of the same row in the tables, and a pair that never met has no meetings', () => {
  const graph = graphOf(labels);
  const reference = pairName(['player_1', 'player_2']);
  const onGround = pairName(['player_2', 'ground']);
  const features: Feature[] = [
    { focus: parent(reference), read: counted(outcomes(reference)) },
    { focus: parent(reference), read: counted({ table: 'match', via: [reference] }) },
    { focus: parent(onGround), read: averaged(outcomes(onGround)) },
    { focus: apart, read: rating('lasting') },
  ];
  const version = { task, fresh: true } as Version;
  const options = { asOf: at('2030-01-01'), dataUntil: Infinity, factors: 0, language: 'en' } as const;
  const ask = (rows: readonly Row[]) => {
    const anchors = anchorsFor(version, graph.tables, sampleRows(contract.tables[1], rows), options);
    return evaluate(graph, features, anchors).values;
  };
  const inTables = features.map((feature) => valuesOf(feature));
  for (const k of [0, 17, 41, 59]) expect([...ask([match[k]])]).toEqual(inTables.map((values) => values[k]));
  const unmet = { ...match[59], match_id: 1000, player_1: 2, player_2: 2 };
  expect([...ask([unmet])].slice(0, 2)).toEqual([0, 0]);
});

test('strength follows the example that Glickman computes by hand', () => {
  const scale = 400 / Math.log(10);
  const strength = (points: number, deviation: number) => ({
    mean: (points - 1500) / scale,
    variance: (deviation / scale) ** 2,
  });
  // M. E. Glickman, "The Glicko system": a win and two losses move 1500 ± 200 to 1464 ± 151.4.
  const games = [
    { against: strength(1400, 30), ahead: 0, score: 1 },
    { against: strength(1550, 100), ahead: 0, score: 0 },
    { against: strength(1700, 300), ahead: 0, score: 0 },
  ];
  const { mean, variance } = strengthAfter(strength(1500, 200), games, 'outcomes');
  expect(1500 + mean * scale).toBeCloseTo(1464.1, 0);
  expect(Math.sqrt(variance) * scale).toBeCloseTo(151.4, 0);
});

test('of numbers, strength is what Bayes tells of normal distributions', () => {
  const game = { against: { mean: 1, variance: 0 }, ahead: 0.5, score: 2 };
  // The number says that the strength is 2 + 1 - 0.5 with variance 1; the mean of that and a prior of variance 1.
  const { mean, variance } = strengthAfter({ mean: 0, variance: 1 }, [game], 'numbers');
  expect(mean).toBeCloseTo(1.25, 12);
  expect(variance).toBeCloseTo(0.5, 12);
});

test('strength is read of outcomes known then: later ones and the own one move no bit, earlier ones do', () => {
  for (const as of ['lasting', 'recent'] as const)
    for (const focus of [apart, parent('player_1')]) {
      const before = valuesOf({ focus, read: rating(as) });
      for (const changed of [10, 30, 59]) {
        const known = labels.map((label, m) => (m === changed ? 1 - label : label));
        const after = valuesOf({ focus, read: rating(as) }, known);
        const moved = [...match.keys()].filter((k) => !Object.is(before[k], after[k]));
        expect(moved.every((k) => knownBefore(k).includes(changed))).toBe(true);
        if (changed < 59) expect(moved.length).toBeGreaterThan(0);
      }
    }
});

test('after one match the winner is as far above nothing as the loser is below', () => {
  const only = labels.map((label, k) => (k === 0 ? label : Number.NaN));
  const later = match.findIndex(({ player_1, played }) => played > match[0].played && player_1 === match[0].player_1);
  const loser = match.findIndex(({ player_1, played }) => played > match[0].played && player_1 === match[0].player_2);
  const values = valuesOf({ focus: parent('player_1'), read: rating('lasting') }, only);
  expect(Math.sign(values[later])).toBe(labels[0] === 1 ? 1 : -1);
  expect(values[loser]).toBe(-values[later]);
});
