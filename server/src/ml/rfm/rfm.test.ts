import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, type Data, day, draws, type Row, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { openSession } from '../../lib/onnx/session.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import { openGraph } from '../features/graph.ts';
import { withValueTables } from '../graph/values.ts';
import { readVersion } from '../version/version.ts';
import { readRfm } from './folder.ts';
import { inputColumns, scoreInputs } from './inputs.ts';
import { openRfm, withEncoder } from './open.ts';
import type { RfmReport } from './report.ts';
import { type RfmOptions, trainRfm } from './train.ts';

const contract = sampleContract([
  { name: 'shop', key: 'shop_id', columns: { shop_id: 'integer', region: 'string' } },
  { name: 'customer', key: 'customer_id', columns: { customer_id: 'integer', age: 'number' } },
  {
    name: 'purchase',
    key: 'purchase_id',
    time: 'bought',
    references: { customer_id: 'customer', shop_id: 'shop' },
    columns: {
      purchase_id: 'integer',
      bought: 'timestamp',
      customer_id: 'integer',
      shop_id: 'integer',
      amount: 'number',
      channel: 'string',
      refund: { type: 'number', knownFrom: 'refunded' },
      refunded: 'timestamp',
    },
  },
]);
const start = at('2022-01-01');
const until = at('2023-07-01');

/** Customers who buy often and customers who buy rarely, each with a usual amount and channel. */
function made(): Data {
  const draw = draws(5);
  const purchases: Row[] = [];
  for (let customer = 0; customer < 60; customer++) {
    const gap = draw.pick([8, 60]);
    const usual = draw.pick([10, 100, 1000]);
    for (let time = start + draw.between(0, 90) * day; time < until; time += draw.between(1, 2 * gap) * day) {
      const isRefunded = draw.next() < 0.1;
      purchases.push({
        purchase_id: purchases.length,
        bought: time + draw.between(0, 86_399) * 1_000_000,
        customer_id: customer,
        shop_id: draw.between(0, 3),
        amount: usual * (0.5 + draw.next()),
        channel: usual === 100 ? 'web' : draw.pick(['web', 'store', 'phone']),
        refund: isRefunded ? usual : null,
        refunded: isRefunded ? time + 5 * day : null,
      });
    }
  }
  return {
    shop: [0, 1, 2, 3].map((shop_id) => ({ shop_id, region: shop_id < 2 ? 'north' : 'south' })),
    customer: Array.from({ length: 60 }, (_, customer_id) => ({ customer_id, age: 20 + (customer_id % 50) })),
    purchase: draw.shuffle(purchases.filter(({ bought }) => (bought as number) <= until)),
  };
}

/** The same data with rows and values that come after `moment`, placed before all others. */
function withLater(data: Data, moment: number): Data {
  const later = Array.from(
    { length: 300 },
    (_, k): Row => ({
      purchase_id: 1_000_000 + k,
      bought: moment + 1 + k * (day / 10),
      customer_id: k % 60,
      shop_id: k % 2,
      amount: 1e6 + k,
      channel: k % 2 === 0 ? 'fax' : 'phone',
      refund: null,
      refunded: null,
    }),
  );
  return {
    ...data,
    // A refund decided later must not be visible before, although it is in the row.
    purchase: [
      ...later,
      ...data.purchase!.map((row, k) =>
        row.refunded === null && k % 5 === 0 ? { ...row, refund: 5e5, refunded: moment + day } : row,
      ),
    ],
  };
}

const folder = mkdtempSync(join(tmpdir(), 'lastro-rfm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = made();
const tables = sampleTables(contract, data);
const options: RfmOptions = { until, seed: 1, horizonsDays: [30, 90], steps: 100, pairs: 400, gapMaxDays: 60 };
const first = join(folder, 'first');
let report: RfmReport;
beforeAll(async () => {
  report = await trainRfm(tables, contract, 'customer', options, first, () => {});
});

const train = async (name: string, from: Data, changed: Partial<RfmOptions> = {}) => {
  const out = join(folder, name);
  await trainRfm(
    sampleTables(contract, from),
    contract,
    'customer',
    { ...options, steps: 20, pairs: 200, ...changed },
    out,
    () => {},
  );
  return readFileSync(join(out, 'manifest.json'), 'utf8');
};

test('heads know more of what comes next than its average', () => {
  const headOf = (target: string, days: number) =>
    report.heads.find((head) => head.target === target && head.days === days)!;
  expect(headOf('exists purchase[customer_id]', 30).auroc).toBeGreaterThan(0.9);
  const count = headOf('count purchase[customer_id]', 30);
  expect(count.loss).toBeLessThan(0.8 * count.constant);
  const amount = headOf('mean amount of purchase[customer_id]', 90);
  expect(amount.loss).toBeLessThan(0.6 * amount.constant);
  const channel = headOf('shares of channel of purchase[customer_id]', 30);
  expect(channel.loss).toBeLessThan(0.95 * channel.constant);
  expect(report.relative_loss['64']).toBeLessThan(1);
  expect(Date.parse(report.validated_after) * 1000).toBeLessThan(until);
});

test('the same seed gives the same bytes whatever comes after the cut, another seed others', async () => {
  const manifest = await train('plain', data);
  expect(await train('later', withLater(data, until))).toBe(manifest);
  expect(await train('other seed', data, { seed: 2 })).not.toBe(manifest);
  // The added rows change the result when they may be read.
  expect(await train('later and read', withLater(data, until), { until: until + 30 * day })).not.toBe(manifest);
});

const asked = [3, 17, 41, 59, 3];
const moment = at('2023-02-01');
const rowsIn = (customers: readonly number[], of = tables) =>
  Int32Array.from(customers, (customer) => of.get('customer')!.rowOf.get(customer)!);
const moments = (customers: readonly number[], t = moment) => new Float64Array(customers.length).fill(t);

test('what comes after the moment changes no bit of an embedding, what comes before it does', async () => {
  const plain = (await openRfm(first, tables)).embed(rowsIn(asked), moments(asked));
  const embed = async (changed: Data) => {
    const later = sampleTables(contract, changed);
    return (await openRfm(first, later)).embed(rowsIn(asked, later), moments(asked));
  };
  expect(await embed(withLater(data, moment))).toEqual(plain);
  expect(await embed(withLater(data, moment - 40 * day))).not.toEqual(plain);
});

test('embeddings have length 1 and 1024 numbers, and do not depend on what they are asked with', async () => {
  const rfm = await openRfm(first, tables);
  const all = rfm.embed(rowsIn(asked), moments(asked));
  expect(all.length).toBe(asked.length * 1024);
  for (const [i, customer] of asked.entries()) {
    const alone = rfm.embed(rowsIn([customer]), moments([customer]));
    expect(alone).toEqual(all.slice(i * 1024, (i + 1) * 1024));
    expect(alone.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 4);
    expect(alone.subarray(rfm.width).every((value) => value === 0)).toBe(true);
    expect(rfm.embedPrefix(rowsIn([customer]), moments([customer]), moments([customer]), 16)).toEqual(
      alone.slice(0, 16),
    );
  }
  const stale = rfm.embed(rowsIn(asked), moments(asked), moments(asked, moment - 50 * day));
  expect(stale).not.toEqual(all);
});

test('axes are turned so that each holds more than the next', async () => {
  const rfm = await openRfm(first, tables);
  const customers = Array.from({ length: 60 }, (_, k) => k);
  const spread = new Float64Array(rfm.width);
  for (let t = start + 120 * day; t < until; t += 30 * day) {
    const embedded = rfm.embed(rowsIn(customers), moments(customers, t));
    for (let i = 0; i < customers.length; i++)
      for (let k = 0; k < rfm.width; k++) spread[k] += embedded[i * 1024 + k] ** 2;
  }
  const sumOf = (from: number, to: number) => spread.subarray(from, to).reduce((sum, value) => sum + value, 0);
  const total = sumOf(0, rfm.width);
  expect(sumOf(0, 16)).toBeGreaterThan(0.8 * total);
  expect(sumOf(64, rfm.width)).toBeLessThan(0.02 * total);
});

test('the model kept for other programs says the same', async () => {
  const { inputs } = await readRfm(first);
  const rows = rowsIn(Array.from({ length: 64 }, (_, k) => k % 60));
  const at = moments([...rows]);
  const matrix = evaluate(openGraph(withValueTables(tables, [])), inputs.features, {
    ...{ table: tables.get('customer')!, ownTable: 'customer', fresh: false },
    ...{ rows, own: new Int32Array(64).fill(-1), at, readableUntil: at },
  });
  const session = await openSession(readFileSync(join(first, 'encoder.onnx')));
  const x = { dims: [64, inputColumns(inputs)], values: scoreInputs(inputs, matrix) };
  const { values } = (await session.run({ x })).embedding!;
  await session.close();
  const own = (await openRfm(first, tables)).embed(rows, at);
  expect(Math.max(...values.map((value, k) => Math.abs(value - own[k])))).toBeLessThan(1e-6);
});

test('of what a new row refers to, an encoder reads everything but the row itself and what comes after it', async () => {
  const rfm = await readRfm(first);
  const purchases = data.purchase!;
  const encode = (asked: Row, from: readonly Row[], isOwnKnown = true) => {
    const read = sampleTables(contract, { ...data, purchase: from });
    const graph = withEncoder(openGraph(withValueTables(read, [])), rfm);
    // New rows are a table of their own; their references are resolved there.
    const table = sampleTables(contract, { ...data, purchase: [asked] }).get('purchase')!;
    const features = Array.from(
      { length: graph.encoder!.columns },
      (_, place): Feature => ({
        focus: { kind: 'parent', of: { kind: 'root' }, reference: 'customer_id' },
        read: { kind: 'embedding', place },
      }),
    );
    const known = isOwnKnown ? read.get('purchase')!.rowOf.get(asked.purchase_id as never) : undefined;
    const at = Float64Array.of(asked.bought as number);
    const rows = { rows: Int32Array.of(0), own: Int32Array.of(known ?? -1), at, readableUntil: at };
    return evaluate(graph, features, { table, ownTable: 'purchase', fresh: true, ...rows }).values;
  };
  for (const asked of [purchases[40], purchases[200], purchases[333]]) {
    const plain = encode(asked, purchases);
    expect(plain.some(Number.isNaN)).toBe(false);
    const others = purchases.filter((row) => row !== asked);
    expect(encode(asked, others)).toEqual(plain);
    expect(
      encode(
        asked,
        others.filter(({ bought }) => +bought! <= +asked.bought!),
      ),
    ).toEqual(plain);
    expect(encode(asked, purchases, false)).not.toEqual(plain);
  }
});

test('a damaged folder is refused, and one that exists is not written over', async () => {
  const damaged = join(folder, 'damaged');
  cpSync(first, damaged, { recursive: true });
  appendFileSync(join(damaged, 'weights.bin'), 'x');
  await expect(openRfm(damaged, tables)).rejects.toThrow('weights.bin is missing or not what the manifest says');
  await expect(trainRfm(tables, contract, 'customer', options, first, () => {})).rejects.toThrow('exists already');
  await expect(openRfm(join(folder, 'nowhere'), tables)).rejects.toThrow('no manifest.json');
});

test('a model and an encoder are not taken for one another', async () => {
  expect(() => readVersion(first)).toThrow('of something else than a version');
  const version = join(folder, 'version');
  mkdirSync(version);
  const files = { 'program.json': '', 'contract.yaml': '' };
  writeFileSync(join(version, 'manifest.json'), JSON.stringify({ format: 3, task: 'churn', files }));
  await expect(openRfm(version, tables)).rejects.toThrow('of something else than an encoder');
});

test('an entity to which no dated events lead is refused', async () => {
  const lonely = sampleTables(contract, { ...data, purchase: [] });
  await expect(trainRfm(lonely, contract, 'customer', options, join(folder, 'none'), () => {})).rejects.toThrow(
    'no dated events lead to customer by ',
  );
  await expect(trainRfm(tables, contract, 'visitor', options, join(folder, 'none'), () => {})).rejects.toThrow(
    'visitor is not a table',
  );
});
