/** Counterfactuals against brute force: every change of every input, answered by the same version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../src/access/context.ts';
import { candidatesOf } from '../src/ml/counterfactuals/candidates.ts';
import { domainsOf } from '../src/ml/counterfactuals/domains.ts';
import { searchChanges } from '../src/ml/counterfactuals/search.ts';
import { type OpenVersion, openVersion } from '../src/ml/inference/predict.ts';
import { parseTask } from '../src/ml/tasks/parse-task.ts';
import { fit } from '../src/ml/training/fit.ts';
import { missingTextsOf } from '../src/ml/version/input-requests.ts';
import { subjectsOf } from '../src/ml/version/subjects.ts';
import { changedRows, type InputValue } from '../src/resources/counterfactuals/changed-rows.ts';
import type { CounterfactualRequest } from '../src/resources/counterfactuals/counterfactual.ts';
import { findCounterfactuals } from '../src/resources/counterfactuals/find.ts';
import { readBody } from '../src/serving/rows/body.ts';
import { dayOf, inputsOf, loansContract, loansTask, newLoans } from './new-loans.ts';
import { at, day, draws, type Row, sampleTables } from './samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-counterfactuals-'));
const { rows, labels } = newLoans(2_400);
/** The first loan that nothing was learned from. */
const loansLater = 2_000;
/** Rows of later date than all that is asked about: of a channel, and of an amount, that nobody had before. */
const planted = [0, 1, 2, 3, 4].map(
  (i): Row => ({ ...rows[i], loan_id: `P${i}`, granted: at('2025-01-01'), channel: 'later', amount: 90 }),
);
const tables = sampleTables(loansContract, { loan: [...rows, ...planted] });
let opened: OpenVersion;

beforeAll(async () => {
  const asked = rows.slice(0, loansLater);
  const time = Float64Array.from(asked, ({ granted }) => Number(granted));
  const examples = {
    rows: Int32Array.from(asked.keys()),
    at: time,
    labels: Float64Array.from(labels.slice(0, loansLater)),
    closes: time.map((one) => one + day),
  };
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const task = parseTask(loansTask, 'bad', 'task.yaml');
  const outputs = [{ name: 'prediction', objective, examples }];
  const learned = sampleTables(loansContract, { loan: rows });
  const input = { tables: learned, contract: loansContract, task, outputs, regime: { kind: 'rolling' } as const };
  await fit(input, join(folder, 'version'), () => {});
  opened = await openVersion(join(folder, 'version'), tables);
});
afterAll(() => {
  opened.close();
  rmSync(folder, { recursive: true, force: true });
});

const ctx = { timeZone: 'UTC', language: 'en', workspaceId: 'ws', authEpoch: 0 } as Context;
const options = { asOf: at('2024-06-01') - 1, dataUntil: at('2024-06-01') - 1, factors: 0, language: 'en' } as const;

/** Searches as the route does, over the version that is open here. */
async function find(request: CounterfactualRequest) {
  const { version, inputs, documents, outputs, learnedFrom } = opened;
  const served = {
    ...{ inputs, documents, outputs, learnedFrom, missing: missingTextsOf(version), subjects: subjectsOf(version) },
    predict: async (...asked: Parameters<OpenVersion['predict']>) => opened.predict(...asked),
    cellsOf: async (...asked: Parameters<OpenVersion['cellsOf']>) => opened.cellsOf(...asked),
    domainsOf: async (names: readonly string[], until: number) => domainsOf(opened, names, until),
  };
  const about = { modelId: 'mdl', versionId: 'ver', alias: null, split: null, snapshotId: 'snp' };
  const eventDays = { newest: new Float64Array(), silenceMax: 0 } as never;
  const answer = await findCounterfactuals(
    {
      allowances: { require: async () => {} },
      groupCommit: { commit: async () => ({ auth: 0, serving: 0, askedAt: 0 }) },
      serving: { use: async (_, __, work) => work({ ...about, eventDays, opened: served }), note() {} },
    },
    new Set(),
    ctx,
    { model: 'mdl', name: 'ver', request },
    async () => {},
  );
  return answer.body as {
    found: boolean;
    reason: string | null;
    prediction: Record<string, number>;
    counterfactuals: { changes: { input: string; to: unknown }[]; cost: number; outputs: Record<string, number> }[];
    searched: { exhaustive: boolean; candidates: number };
  };
}

type Universe = Readonly<Record<string, { readonly values: readonly InputValue[]; cost(value: InputValue): number }>>;

/** The fewest changes by which the answer gets below, and the least cost of so many, of all there are; null: none. */
function bruteForce(inputs: Record<string, unknown>, universe: Universe, below: number, most: number) {
  const { rows: base } = readBody(inputs, opened.inputs, {}, at('2030-01-01'));
  const names = Object.keys(universe);
  for (let size = 1; size <= most; size++) {
    const changes = combine(names, size).flatMap((chosen) =>
      chosen.reduce<Map<string, InputValue>[]>(
        (all, name) => all.flatMap((one) => universe[name].values.map((value) => new Map([...one, [name, value]]))),
        [new Map()],
      ),
    );
    const kinds = (name: string) => (name === 'channel' ? 'text' : name === 'since' ? 'time' : 'number');
    const column = opened.predict(changedRows(base, kinds, changes), options).columns.get('prediction')!;
    const costs = changes.flatMap((change, row) =>
      column.kind !== 'text' && column.values[row] < below
        ? [[...change].reduce((sum, [name, value]) => sum + universe[name].cost(value), 0)]
        : [],
    );
    if (costs.length > 0) return { size, cost: costs.reduce((least, cost) => Math.min(least, cost)) };
  }
  return null;
}

function combine(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return names.flatMap((first, i) => combine(names.slice(i + 1), size - 1).map((rest) => [first, ...rest]));
}

const between = (least: number, most: number, step: number) =>
  Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, i) => least + i * step);

test('the number of changes and their cost are those of brute force, and what is found reaches the target', async () => {
  const draw = draws(9);
  const outcomes = { 0: 0, 1: 0, 2: 0, 3: 0 };
  for (let k = 0; k < 50; k++) {
    const row = rows[draw.between(loansLater, rows.length - 1)];
    const inputs = inputsOf(row);
    const [amountCost, termCost, channelCost] = [1, 2, 3].map(() => draw.between(1, 30) / 10);
    const universe: Universe = {
      amount: {
        values: between(1, Number(row.amount) - 1, 1),
        cost: (value) => amountCost * (Number(row.amount) - Number(value)),
      },
      term: {
        values: between(6, 36, 1).filter((value) => value !== row.term && (value - Number(row.term)) % 3 === 0),
        cost: (value) => (termCost * Math.abs(Number(row.term) - Number(value))) / 10,
      },
      channel: {
        values: ['branch', 'broker', 'phone', 'web'].filter((value) => value !== row.channel),
        cost: () => channelCost,
      },
      insured: { values: [1 - Number(row.insured)], cost: () => 1 },
    };
    const { prediction } = (await find({ inputs, changeable: [] })).prediction;
    const below = (prediction * draw.between(15, 95)) / 100;
    const found = await find({
      ...{ inputs, target: { below }, most_changes: 3, alternatives: 1 },
      changeable: [
        { input: 'amount', direction: 'decrease', cost: amountCost },
        { input: 'term', minimum: 6, maximum: 36, step: 3, cost: termCost / 10 },
        { input: 'channel', cost: channelCost },
        { input: 'insured' },
      ],
    });
    const best = bruteForce(inputs, universe, below, 3);
    expect(found.searched.exhaustive).toBe(true);
    expect(found.found, JSON.stringify({ inputs, below, best, found })).toBe(best !== null);
    outcomes[(best?.size ?? 0) as 0]++;
    if (!best) {
      expect(found).toMatchObject({ counterfactuals: [], reason: expect.stringMatching(/^(none|no_effect)$/) });
      continue;
    }
    const [{ changes, cost, outputs }] = found.counterfactuals;
    expect(changes).toHaveLength(best.size);
    expect(cost).toBeCloseTo(best.cost, 4);
    expect(outputs.prediction).toBeLessThan(below);
    // What was said of it is what a prediction of these inputs answers.
    const changed = { ...inputs, ...Object.fromEntries(changes.map(({ input, to }) => [input, to])) };
    const again = await find({ inputs: changed, changeable: [] });
    expect(again.prediction).toEqual(outputs);
  }
  // All kinds of cases came up: with none, with one change, and with several.
  expect(outcomes[0] > 0 && outcomes[1] > 0 && outcomes[2] > 0, JSON.stringify(outcomes)).toBe(true);
});

test('of a number with many values the smallest change is found, to its last step', async () => {
  const draw = draws(4);
  let exhaustive = 0;
  let reached = 0;
  for (let k = 0; k < 12; k++) {
    const row = rows[draw.between(loansLater, rows.length - 1)];
    const inputs = inputsOf(row);
    const own = Number(row.income);
    const { prediction } = (await find({ inputs, changeable: [] })).prediction;
    const below = (prediction * draw.between(50, 95)) / 100;
    const found = await find({
      ...{ inputs, target: { below }, alternatives: 1 },
      changeable: [{ input: 'income', direction: 'increase', maximum: own + 2_000, step: 0.5, cost: 1 }],
    });
    const values = between(1, 4_000, 1).map((steps) => Number((own + steps / 2).toPrecision(12)));
    const top = Math.max(...rows.map(({ income }) => Number(income)));
    const universe = {
      income: { values: values.filter((value) => value <= top), cost: (value: InputValue) => Number(value) - own },
    };
    const best = universe.income.values.length === 0 ? null : bruteForce(inputs, universe, below, 1);
    exhaustive += Number(found.searched.exhaustive);
    reached += Number(best !== null);
    expect(found.found).toBe(best !== null);
    if (best) expect(found.counterfactuals[0].cost).toBeCloseTo(best.cost, 3);
  }
  expect(reached).toBeGreaterThan(2);
  expect(exhaustive).toBeGreaterThan(0);
});

test('of what is told apart by every value the smallest change is found by halving, and is not called exhaustive', async () => {
  // As a linear part reads it: no two values are one cell. An answer is reached from 61,234.5 on.
  const domain = { kind: 'number', least: 0, most: 1_000_000, step: 0.5, spread: 1_000, isAlone: true } as const;
  const looks: number[] = [];
  const candidates = await candidatesOf(domain, 60_000, { direction: 'any' }, async (values) => {
    looks.push(values.length);
    return values.map(String);
  });
  const { changes, tried, isExhaustive } = await searchChanges(
    [candidates],
    { mostChanges: 1, alternatives: 1, triesMax: 20_000 },
    async (all) => all.map(({ options: [{ value }] }) => Number(value) >= 61_234.5),
  );
  expect(changes[0].options[0].value).toBe(61_234.5);
  expect(isExhaustive).toBe(false);
  // Of two million values few are looked at.
  expect(looks.reduce((sum, count) => sum + count, 0) + tried).toBeLessThan(20_000);
});

test('alternatives change other inputs, none all of another, and the same question has the same answer', async () => {
  const inputs = { ...inputsOf(rows[loansLater]), amount: 16, income: 2_000, channel: 'broker', term: 30 };
  const { prediction } = (await find({ inputs, changeable: [] })).prediction;
  const request: CounterfactualRequest = {
    ...{ inputs, target: { below: prediction * 0.6 }, alternatives: 5 },
    changeable: ['amount', 'term', 'income', 'channel', 'insured'].map((input) => ({ input })),
  };
  const found = await find(request);
  const sets = found.counterfactuals.map(({ changes }) => changes.map(({ input }) => input));
  expect(sets.length).toBeGreaterThan(1);
  for (const [i, one] of sets.entries())
    for (const [k, other] of sets.entries()) if (i !== k) expect(one.every((name) => other.includes(name))).toBe(false);
  const sizes = sets.map(({ length }) => length);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  for (const { outputs } of found.counterfactuals) expect(outputs.prediction).toBeLessThan(prediction * 0.6);
  expect(await find(request)).toEqual(found);
});

test('nothing is proposed that the data had only later', async () => {
  const row = rows[rows.length - 1];
  const asked = { target: { above: 0.999 }, changeable: [{ input: 'amount' }, { input: 'channel' }] } as const;
  const domains = (granted: unknown) => domainsOf(opened, ['amount', 'channel'], Number(granted));
  const [amount, channel] = domains(row.granted);
  expect(amount).toMatchObject({ most: 18 });
  expect(channel).toMatchObject({ values: expect.not.arrayContaining(['later']) });
  const [lateAmount, lateChannel] = domains(at('2025-02-01'));
  expect(lateAmount).toMatchObject({ most: 90 });
  expect(lateChannel).toMatchObject({ values: expect.arrayContaining(['later']) });
  // A loan of then is answered as if nobody had sent them.
  const given = inputsOf(row);
  await expect(
    find({ inputs: given, ...asked, changeable: [{ input: 'channel', values: ['later'] }] }),
  ).rejects.toThrow(/later is no value of channel that the data have by then/);
  for (const reference_date of [undefined, dayOf(row.granted)]) {
    const inputs = reference_date === undefined ? given : { ...given, reference_date };
    const { counterfactuals } = await find({ inputs, ...asked, changeable: [...asked.changeable] });
    expect(JSON.stringify(counterfactuals)).not.toMatch(/later|90/);
  }
});

describe('what cannot be declared is refused by its place', () => {
  const cases: readonly (readonly [string, object, RegExp])[] = [
    ['a protected input', { input: 'sex' }, /protected trait/],
    ['a personal input', { input: 'dependants' }, /personal data/],
    ['the key', { input: 'loan_id' }, /names the row/],
    ['what dates the row', { input: 'granted' }, /says when the row is/],
    ['the day that is asked about', { input: 'reference_date' }, /as of when/],
    ['an input that is none', { input: 'colour' }, /not an input of this version/],
    ['a direction of a text', { input: 'channel', direction: 'increase' }, /neither a number nor a date/],
    ['half a step of a whole number', { input: 'term', step: 1.5 }, /whole numbers/],
    ['a minimum above the maximum', { input: 'term', minimum: 12, maximum: 6 }, /above its maximum/],
    ['a text for a number', { input: 'term', values: ['long'] }, /is no integer/],
  ];
  test.each(cases)('%s', async (_, changeable, message) => {
    await expect(ask(changeable)).rejects.toThrow(message);
  });
  const ask = (changeable: object) =>
    find({
      inputs: inputsOf(rows[loansLater]),
      target: { below: 0.01 },
      changeable: [changeable as CounterfactualRequest['changeable'][number]],
    });
});
