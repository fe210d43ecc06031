/**
 * Tests that features that tell the label without having been known in time are found, reported with examples, and not
 * learned from.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, type Data, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { objectiveOf } from '../tasks/labels.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { fit } from '../training/fit.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-leakage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contract = sampleContract([
  {
    name: 'client',
    key: 'client_id',
    columns: { client_id: 'integer', income: 'number', region: 'string', ended: 'string', rating: 'number' },
  },
  {
    name: 'visit',
    key: 'visit_id',
    time: 'day',
    references: { client_id: 'client' },
    columns: { visit_id: 'integer', client_id: 'integer', day: 'timestamp', spent: 'number' },
  },
]);

const clients = 500;
const start = at('2023-01-01');

type Planted = { readonly ended?: boolean; readonly visitAtOutcome?: boolean; readonly sorted?: boolean } & {
  readonly spentTells?: boolean;
};

/** Clients whose income weakly predicts the outcome; options add data written only when the outcome was known. */
function made({ ended = false, visitAtOutcome = false, sorted = false, spentTells = false }: Planted) {
  const draw = draws(7);
  const people = Array.from({ length: clients }, () => {
    const income = draw.between(1, 100);
    return { income, label: draw.next() < 0.15 + income / 200 ? 1 : 0 };
  });
  if (sorted) people.sort((a, b) => a.label - b.label);
  const moments = people.map((_, i) => start + (sorted ? draw.between(0, 400) : i) * day);
  const data: Data = {
    client: people.map(({ income, label }, i) => ({
      client_id: i + 1,
      income,
      region: draw.pick(['north', 'south']),
      ended: ended && label === 1 ? 'moved' : 'stays',
      rating: draw.between(1, 5),
    })),
    visit: people.flatMap(({ label }, i) => [
      ...Array.from({ length: 6 }, (_, v) => ({
        visit_id: i * 10 + v,
        client_id: i + 1,
        day: moments[i] - draw.between(3, 90) * day,
        spent: spentTells ? label : draw.between(1, 50),
      })),
      ...(visitAtOutcome && draw.next() < (label === 1 ? 0.9 : 0.05)
        ? [{ visit_id: i * 10 + 9, client_id: i + 1, day: moments[i] - day / 2, spent: draw.between(1, 50) }]
        : []),
    ]),
  };
  const tables = sampleTables(contract, data);
  const examples = {
    rows: Int32Array.from(people.keys()),
    at: Float64Array.from(moments),
    labels: Float64Array.from(people, ({ label }) => label),
    closes: Float64Array.from(moments, (moment) => moment + 30 * day),
  };
  return { tables, examples };
}

let versions = 0;

async function learned(planted: Planted, lines = '') {
  const { tables, examples } = made(planted);
  const text = `entity: client\nkey: client_id\ntime: day\nlabel: left\nkind: binary\nwindow: 30d\n${lines}`;
  const task = parseTask(text, 'left', 'task.yaml');
  const outputs = [{ name: 'left', objective: objectiveOf(task, null, []), examples }];
  versions++;
  return fit(
    { tables, contract, task, outputs, regime: { kind: 'rolling' } },
    join(folder, `version-${versions}`),
    () => {},
  );
}

test('clean tables are learned from, and nothing is said', async () => {
  expect((await learned({})).leakage).toEqual([]);
});

test('what tells a head that does not decide stops the training too', async () => {
  const { tables, examples } = made({});
  const text =
    'kind: lead_scoring\nentity: client\nkey: client_id\ntime: day\nlabels: {conversion: left, value: worth}\nwindow: 30d\n';
  const task = parseTask(text, 'leads', 'task.yaml');
  const rating = tables.get('client')!.columns.get('rating') as { values: Float64Array };
  const worth = { ...examples, labels: rating.values.map((value) => 100 * value) };
  const outputs = task.heads!.map((head, h) => ({
    name: head.name,
    objective: objectiveOf(task, head, []),
    examples: h === 0 ? examples : worth,
  }));
  const input = { tables, contract, task, outputs, regime: { kind: 'rolling' } } as const;
  await expect(fit(input, join(folder, 'heads'), () => {})).rejects.toMatchObject({
    reason: 'leakage_found',
    problems: [{ at: 'client.rating' }],
    because: { code: 'leakage', names: ['client.rating'], more: 0, what: expect.stringMatching(/./) },
  });
});

test('a column written when the outcome was known stops the training, with examples', async () => {
  await expect(learned({ ended: true })).rejects.toMatchObject({
    code: 'invalid',
    reason: 'leakage_found',
    message: expect.stringContaining('hide: [client.ended]'),
    problems: [
      { at: 'client.ended', message: expect.stringMatching(/AUROC 1\.000.*For example \d+ as of 202\d-\d\d-\d\d: /) },
    ],
  });
});

test('only what mends the column at hand is named: no column of another table is an outcome', async () => {
  const own = { hide: ['client.ended'], ignore: [], outcome: ['client.ended'], trust: ['client.ended'] };
  await expect(learned({ ended: true })).rejects.toMatchObject({
    message: expect.stringMatching(/\(hide: \[client\.ended\] in the task\).*\(outcome: \[ended\]\)/),
    because: { remedies: own },
  });
  const other = { hide: ['visit.spent'], ignore: [], outcome: [], trust: ['visit.spent'] };
  await expect(learned({ spentTells: true })).rejects.toMatchObject({
    message: expect.stringMatching(/^(?!.*outcome:).*\(hide: \[visit\.spent\] in the task\)/),
    because: { names: ['visit.spent'], remedies: other },
  });
});

test('it is learned from when it is trusted, and not read when it is hidden', async () => {
  const trusted = await learned({ ended: true }, 'trust: [client.ended]\n');
  expect(trusted.leakage).toEqual([]);
  expect(trusted.outputs[0].out_of_fold!.value).toBeGreaterThan(0.97);
  const hidden = await learned({ ended: true }, 'hide: [client.ended]\n');
  expect(hidden.outputs[0].out_of_fold!.value).toBeLessThan(0.8);
});

test('events written at the outcome are told by what is left of them a day earlier', async () => {
  const { leakage } = await learned({ visitAtOutcome: true });
  expect(leakage[0]).toMatchObject({ rule: 'lift_collapses', certain: false, at: expect.stringMatching(/^visit/) });
  expect(leakage[0].message).toMatch(/a day earlier AUROC 0\.[456]/);
});

test('rows in the order of their labels are told', async () => {
  const { leakage } = await learned({ sorted: true });
  expect(leakage.map(({ rule }) => rule)).toEqual(['order_tells_label']);
});
