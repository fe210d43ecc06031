/**
 * What is served of the network: flags of fraud, warm paths of field sales. What becomes known after the moment asked
 * about moves no byte of an answer; planted before, it moves what is told of the network.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Rows } from '../../src/lib/files/column.ts';
import { keyValue } from '../../src/ml/graph/keys.ts';
import { openVersion } from '../../src/ml/inference/predict.ts';
import { outputsOfTarget } from '../../src/ml/tasks/labels.ts';
import { parseTask } from '../../src/ml/tasks/parse-task.ts';
import { resolveTask } from '../../src/ml/tasks/resolve.ts';
import { fit } from '../../src/ml/training/fit.ts';
import { at, type Data, day, draws, type Row, sampleContract, sampleRows, sampleTables } from '../samples.ts';
import { ids } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'leakage-network-'));
afterAll(() => rmSync(folder, { recursive: true }));

const contract = sampleContract([
  { name: 'device', key: 'device_id', columns: { device_id: 'integer' } },
  {
    name: 'customer',
    key: 'customer_id',
    time: 'created',
    references: { device_id: 'device' },
    columns: {
      customer_id: 'string',
      created: 'date',
      device_id: { type: 'integer', knownFrom: 'linked' },
      linked: 'date',
      trade: 'string',
    },
  },
  {
    name: 'card',
    key: 'card_id',
    time: 'issued',
    knownAt: 'sent',
    references: { customer_id: 'customer', device_id: 'device' },
    columns: { card_id: 'string', issued: 'timestamp', customer_id: 'string', device_id: 'integer', sent: 'timestamp' },
  },
  {
    name: 'purchase',
    time: 'bought',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', bought: 'timestamp', amount: 'number' },
  },
  {
    name: 'chargeback',
    time: 'reported',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', reported: 'timestamp', amount: 'number' },
  },
]);

const start = at('2023-01-01');
const end = start + 500 * day;
/** The moment asked about: the end of a day. */
const asOf = start + 400 * day - 1;
const later = start + 400 * day;
const early = start + 200 * day;

const quiet = 12;
const away = 6;
const deviceOf = (i: number) => 1 + Math.floor(i / 3);
const person = (customer_id: string, device_id: number | null, created = start): Row => ({
  ...{ customer_id, created, device_id, linked: device_id === null ? null : created, trade: 'bakery' },
});
const bought = (customer_id: unknown, moment: number): Row => ({
  customer_id: String(customer_id),
  bought: moment,
  amount: 40,
});
const reported = (customer_id: unknown, moment: number): Row => ({
  customer_id: String(customer_id),
  reported: moment,
  amount: 40,
});

const base = makeData();

/**
 * Customers in threes by a device, some of them buyers and some charged back. Beside them: quiet ones who never did
 * anything; known ones on no device of others; and cards of those who are not in the tables yet.
 */
function makeData(): Data {
  const draw = draws(3);
  const data = { customer: [], card: [], purchase: [], chargeback: [] } as Record<string, Row[]>;
  for (const i of ids(240, 0)) {
    const name = `c${i}`;
    data.customer!.push({ ...person(name, deviceOf(i)), trade: i % 3 === 0 ? 'office' : 'bakery' });
    const isBuyer = i % 3 === 0;
    for (let time = start + draw.between(1, 30) * day; isBuyer && time < end; time += draw.between(8, 60) * day)
      data.purchase!.push(bought(name, time));
    for (let time = start + draw.between(1, 60) * day; i % 16 === 5 && time < end; time += draw.between(20, 80) * day)
      data.chargeback!.push(reported(name, time));
  }
  for (const k of ids(quiet, 0)) data.customer!.push(person(`quiet${k}`, deviceOf(100 + 3 * k)));
  for (const k of ids(away, 0)) {
    data.customer!.push(person(`alone${k}`, null), person(`card${k}`, 200 + k));
    data.card!.push(cardOf(k, 300 + k), {
      ...cardOf(k, deviceOf(150 + 3 * k)),
      card_id: `missing${k}`,
      customer_id: `missing${k}`,
    });
    for (const name of [`alone${k}`, `card${k}`, `missing${k}`]) {
      data.purchase!.push(bought(name, start + 60 * day));
      data.chargeback!.push(reported(name, start + 60 * day));
    }
  }
  return { ...data, device: ids(400).map((device_id) => ({ device_id })) };
}

function cardOf(k: number, device_id: number, sent: number | null = null): Row {
  return { card_id: `card${k}`, issued: start + 30 * day, customer_id: `card${k}`, device_id, sent };
}

const plantings: Readonly<Record<string, (moment: number) => Data>> = {
  'events of others': (moment) => ({
    ...base,
    purchase: [...ids(quiet, 0).map((k) => bought(`quiet${k}`, moment)), ...base.purchase!],
    chargeback: [...ids(quiet, 0).map((k) => reported(`quiet${k}`, moment)), ...base.chargeback!],
  }),
  'others, with what they did': (moment) => ({
    ...base,
    customer: [...ids(quiet, 0).map((k) => person(`new${k}`, deviceOf(30 + 3 * k), moment)), ...base.customer!],
    purchase: [...ids(quiet, 0).map((k) => bought(`new${k}`, moment)), ...base.purchase!],
    chargeback: [...ids(quiet, 0).map((k) => reported(`new${k}`, moment)), ...base.chargeback!],
  }),
  'others whom old rows refer to': (moment) => ({
    ...base,
    customer: [...ids(away, 0).map((k) => person(`missing${k}`, null, moment)), ...base.customer!],
  }),
  'references that become known': (moment) => ({
    ...base,
    customer: base.customer!.map((row) =>
      String(row.customer_id).startsWith('alone')
        ? { ...row, device_id: deviceOf(60 + 3 * Number(String(row.customer_id).slice(5))), linked: moment }
        : row,
    ),
  }),
  'versions of the same key': (moment) => ({
    ...base,
    card: [...ids(away, 0).map((k) => cardOf(k, deviceOf(90 + 3 * k), moment)), ...base.card!],
  }),
};

const asked = 'entity: customer\nkey: customer_id\nanchors: {every: 50d, from: 2023-03-01, until: 2024-02-01}\n';
const purchases = 'table: purchase, reference: customer_id';
const kinds = {
  fraud: [
    'network_flags',
    `kind: fraud\n${asked}target: {table: chargeback, reference: customer_id, horizons: [60d]}\n`,
  ],
  field_sales: [
    'network_density',
    `kind: field_sales\n${asked}targets:\n  propensity: {${purchases}, horizons: [30d]}\n  growth: {${purchases}, aggregate: sum(amount), horizons: [60d]}\n`,
  ],
} as const;

const everybody: Rows = sampleRows(
  contract.tables.find(({ name }) => name === 'customer')!,
  base.customer!.map(({ customer_id }) => ({ customer_id: customer_id! })),
);

describe.each(Object.entries(kinds))('%s', async (kind, [told, definition]) => {
  const task = resolveTask(parseTask(definition, kind, 'task.yaml'), contract, 'task.yaml');
  const tables = sampleTables(contract, base);
  const out = join(folder, kind);
  const outputs = outputsOfTarget(task, tables, end);
  await fit({ tables, contract, task, ...outputs, regime: { kind: 'rolling' } }, out, () => {});

  /** All columns of everybody's answers over these tables, as lists. */
  async function answers(data: Data): Promise<Record<string, unknown[]>> {
    const open = await openVersion(out, sampleTables(contract, data));
    const answer = open.predict(everybody, { asOf, dataUntil: asOf, factors: 3, language: 'en' });
    open.close();
    const valuesOf = (name: string) => ids(answer.rows, 0).map((row) => keyValue(answer.columns.get(name)!, row));
    return Object.fromEntries([...answer.columns.keys()].map((name) => [name, valuesOf(name)]));
  }
  const untouched = await answers(base);

  test('something is told of the network', () => {
    expect(new Set(untouched[told]).size).toBeGreaterThan(1);
  });

  test.each(Object.keys(plantings))('%s: of a later date move nothing', async (planting) => {
    expect(await answers(plantings[planting](later))).toEqual(untouched);
  });

  test.each(Object.keys(plantings))(`%s: of an earlier date move ${told}`, async (planting) => {
    expect((await answers(plantings[planting](early)))[told]).not.toEqual(untouched[told]);
  });
});
