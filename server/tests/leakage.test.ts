/**
 * Nothing dated later may move a bit: not of features, not of a version folder, not of predictions. Each thing planted
 * here is planted a second time early, where it must move something, so that a test that sees nothing is caught.
 *
 * Left out, since they may rightly move things: rows of undated tables (known always, by the contract's word), labels
 * that a model learns from, and rows dated between the training anchors.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evalCommand } from '../src/commands/eval.ts';
import { fitCommand } from '../src/commands/fit.ts';
import { predictCommand } from '../src/commands/predict.ts';
import type { Rows } from '../src/lib/files/column.ts';
import type { TableContract } from '../src/ml/contract/contract.ts';
import { writeContract } from '../src/ml/contract/write.ts';
import { evaluate } from '../src/ml/features/evaluate.ts';
import type { Feature } from '../src/ml/features/feature.ts';
import { proposeFeatures } from '../src/ml/features/proposals/propose.ts';
import type { Tables } from '../src/ml/graph/tables.ts';
import { openVersion } from '../src/ml/inference/predict.ts';
import { type Examples, entityTable, pickExamples } from '../src/ml/tasks/examples.ts';
import { aimOf } from '../src/ml/tasks/labels.ts';
import { parseTask } from '../src/ml/tasks/parse-task.ts';
import type { Task } from '../src/ml/tasks/task.ts';
import { anchorsOf, limitAt, withLabels } from '../src/ml/training/anchors.ts';
import { learn } from '../src/ml/training/learn.ts';
import type { FeatureMatrix } from '../src/ml/trees/matrix.ts';
import { at, type Data, type Draw, day, draws, type Row, sampleContract, sampleRows, sampleTables } from './samples.ts';

const contract = sampleContract([
  { name: 'district', key: 'district_id', columns: { district_id: 'string', wealth: 'number' } },
  {
    name: 'customer',
    key: 'customer_id',
    time: 'joined',
    knownAt: 'sent',
    references: { district_id: 'district' },
    columns: {
      customer_id: 'integer',
      district_id: 'string',
      joined: 'date',
      segment: 'string',
      income: 'number',
      sent: 'timestamp',
    },
  },
  { name: 'merchant', key: 'merchant_id', columns: { merchant_id: 'integer', sector: 'string', size: 'number' } },
  {
    name: 'account',
    key: 'account_id',
    time: 'opened',
    references: { customer_id: 'customer' },
    columns: { account_id: 'string', customer_id: 'integer', opened: 'timestamp', plan: 'string' },
  },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'issued',
    references: { account_id: 'account', merchant_id: 'merchant' },
    columns: {
      invoice_id: 'integer',
      account_id: 'string',
      merchant_id: 'integer',
      issued: 'date',
      amount: 'number',
      goods: 'string',
      due: { type: 'date', planned: true },
      paid_on: 'date',
      days_late: { type: 'number', knownFrom: 'paid_on' },
      outcome: { type: 'string', knownFrom: 'paid_on' },
    },
  },
  {
    name: 'refund',
    key: 'refund_id',
    time: 'given',
    references: { account_id: 'account', merchant_id: 'merchant' },
    columns: { refund_id: 'integer', account_id: 'string', merchant_id: 'integer', given: 'timestamp', sum: 'number' },
  },
  {
    name: 'order',
    key: 'order_id',
    time: 'placed',
    references: { customer_id: 'customer', merchant_id: 'merchant' },
    columns: {
      order_id: 'integer',
      customer_id: 'integer',
      merchant_id: 'integer',
      placed: 'timestamp',
      pieces: 'number',
    },
  },
  { name: 'auction', key: 'auction_id', time: 'held', columns: { auction_id: 'integer', held: 'timestamp' } },
  {
    name: 'bid',
    key: 'bid_id',
    time: 'made',
    references: { auction_id: 'auction', customer_id: 'customer' },
    columns: { bid_id: 'integer', auction_id: 'integer', customer_id: 'integer', made: 'timestamp', price: 'number' },
  },
]);

const start = at('2021-01-01');
/** The last training anchor. */
const cut = at('2021-11-01');
/** Every dated row of the untouched data is of this day at the latest. */
const end = cut + 20 * day;
const customers = 40;
const ids = (n: number, first = 1) => Array.from({ length: n }, (_, i) => first + i);
const startOfDay = (moment: number) => moment - (moment % day);

function makeData(): Data {
  const draw = draws(7);
  const when = () => start + Math.floor(draw.next() * (end - start));
  const invoice = ids(700).map((invoice_id) => {
    const issued = startOfDay(when());
    const merchant_id = draw.between(1, 8);
    const days_late = Math.max(-5, Math.round(merchant_id * 3 + draw.next() * 20 - 15));
    const paid_on = issued + (30 + days_late) * day;
    const isPaid = paid_on < end;
    return {
      invoice_id,
      // Some lead to accounts that nobody knows yet.
      account_id: draw.next() < 0.1 ? `late${draw.between(0, 19)}` : `a${draw.between(1, 50)}`,
      merchant_id,
      issued,
      amount: Math.round(draw.next() * 1e5) / 100,
      goods: draw.pick(['tools', 'food', 'fuel']),
      due: issued + 30 * day,
      paid_on: isPaid ? paid_on : null,
      days_late: isPaid ? days_late : null,
      outcome: isPaid ? draw.pick(['full', 'part']) : null,
    };
  });
  const auction = ids(30).map((auction_id) => ({ auction_id, held: when() }));
  return {
    district: ['east', 'west'].map((district_id, k) => ({ district_id, wealth: k + 1 })),
    customer: ids(customers).map((customer_id) => ({
      customer_id,
      district_id: draw.pick(['east', 'west']),
      joined: start - draw.between(0, 300) * day,
      segment: draw.pick(['small', 'middle', 'large']),
      income: draw.maybe(0.1, draw.between(1, 100)),
      sent: null,
    })),
    merchant: ids(8).map((merchant_id) => ({
      merchant_id,
      sector: draw.pick(['shop', 'bar']),
      size: draw.between(1, 9),
    })),
    account: ids(50).map((id) => ({
      account_id: `a${id}`,
      customer_id: id <= customers ? id : draw.between(1, customers),
      opened: start - draw.between(0, 90) * day,
      plan: draw.pick(['s', 'm']),
    })),
    invoice,
    refund: ids(300).map((refund_id) => refundOf(draw, refund_id, when())),
    order: ids(400).map((order_id) => orderOf(draw, order_id, when())),
    auction,
    bid: auction.flatMap(({ auction_id, held }) =>
      ids(4).map((k) => ({
        bid_id: auction_id * 100 + k,
        auction_id,
        customer_id: draw.between(1, customers),
        made: held,
        price: draw.between(1, 100),
      })),
    ),
  };
}

const refundOf = (draw: Draw, refund_id: number, given: number) => ({
  refund_id,
  account_id: `a${draw.between(1, 50)}`,
  merchant_id: draw.between(1, 8),
  given,
  sum: draw.between(1, 50),
});
const orderOf = (draw: Draw, order_id: number, placed: number) => ({
  order_id,
  customer_id: draw.between(1, customers),
  merchant_id: draw.between(1, 8),
  placed,
  pieces: draw.between(1, 9),
});

// --- what is planted ----------------------------------------------------------------------------------------------------

/** Changes data by things that happen, or become known, at `moment` and in the days after. */
type Planting = (data: Data, moment: number) => Data;

/** New rows among the old ones, so that no row keeps its number. */
function mix(draw: Draw, rows: readonly Row[], more: readonly Row[]): Row[] {
  const all = [...rows];
  for (const row of more) all.splice(draw.between(0, all.length), 0, row);
  return all;
}

/** Whole days after the moment, so that a day is not half over. */
const dayAfter = (moment: number, draw: Draw) => startOfDay(moment) + draw.between(1, 9) * day;

const plantings: Readonly<Record<string, Planting>> = {
  'rows of every dated table': (data, moment) => {
    const draw = draws(21);
    const when = () => dayAfter(moment, draw) + draw.between(0, day - 1);
    const auctions = ids(20, 900).map((auction_id) => ({ auction_id, held: when() }));
    return {
      ...data,
      customer: mix(
        draw,
        data.customer,
        ids(30, 500).map((customer_id) => ({
          ...data.customer[0],
          customer_id,
          joined: dayAfter(moment, draw),
          segment: 'new',
        })),
      ),
      account: mix(
        draw,
        data.account,
        ids(30, 500).map((id) => ({
          account_id: `b${id}`,
          customer_id: draw.between(1, customers),
          opened: when(),
          plan: 'xl',
        })),
      ),
      invoice: mix(
        draw,
        data.invoice,
        ids(300, 5_000).map((invoice_id) => ({
          ...data.invoice[0],
          invoice_id,
          account_id: `a${draw.between(1, 50)}`,
          merchant_id: draw.between(1, 8),
          issued: dayAfter(moment, draw),
          goods: 'gold',
          amount: 1e6,
          paid_on: null,
        })),
      ),
      // More of them than invoices: which of two ways to the same company has most rows must not be asked of today.
      refund: mix(
        draw,
        data.refund,
        ids(1_500, 5_000).map((id) => refundOf(draw, id, when())),
      ),
      order: mix(
        draw,
        data.order,
        ids(300, 5_000).map((id) => orderOf(draw, id, when())),
      ),
      auction: mix(draw, data.auction, auctions),
      bid: mix(
        draw,
        data.bid,
        auctions.flatMap(({ auction_id, held }) =>
          ids(5).map((k) => ({
            bid_id: auction_id * 100 + k,
            auction_id,
            customer_id: draw.between(1, customers),
            made: held,
            price: 1_000,
          })),
        ),
      ),
    };
  },
  'rows that old ones refer to': (data, moment) => ({
    ...data,
    account: [
      ...data.account,
      ...ids(20, 0).map((id) => ({ account_id: `late${id}`, customer_id: 1 + id, opened: moment + day, plan: 's' })),
    ],
  }),
  'values that become known': (data, moment) => {
    const draw = draws(22);
    return {
      ...data,
      invoice: data.invoice.map((row) =>
        row.paid_on === null || Number(row.paid_on) >= startOfDay(moment)
          ? { ...row, paid_on: dayAfter(moment, draw), days_late: 99, outcome: 'sued' }
          : row,
      ),
    };
  },
  'versions of the same key': (data, moment) => {
    const draw = draws(23);
    const more = data.customer.map((row) => ({
      ...row,
      segment: 'huge',
      income: 1e6,
      district_id: row.district_id === 'east' ? 'west' : 'east',
      sent: dayAfter(moment, draw),
    }));
    return { ...data, customer: mix(draw, data.customer, more) };
  },
  'siblings in groups that are ranked': (data, moment) => {
    const draw = draws(24);
    const more = data.auction
      .filter(({ held }) => Number(held) <= cut)
      .flatMap(({ auction_id }) =>
        ids(3, 50).map((k) => ({
          bid_id: Number(auction_id) * 100 + k,
          auction_id,
          customer_id: draw.between(1, customers),
          made: moment + day + draw.between(0, day),
          price: 5_000,
        })),
      );
    return { ...data, bid: mix(draw, data.bid, more) };
  },
};

/** All of them at once. */
const everything: Planting = (data, moment) =>
  Object.values(plantings).reduce((changed, plant) => plant(changed, moment), data);

// --- files ----------------------------------------------------------------------------------------------------------------

const tasks = {
  churn: 'entity: customer\nkey: customer_id\ntime: date\nlabel: left\nkind: binary\nwindow: 30d\n',
  late: 'entity: invoice\nkey: invoice_id\ntime: date\nlabel: late\nkind: binary\nwindow: 60d\n',
} as const;
type TaskName = keyof typeof tasks;

const isoDay = (moment: number) => new Date(moment / 1000).toISOString().slice(0, 10);
const isoMoment = (moment: number) =>
  `${new Date(Math.floor(moment / 1000)).toISOString().slice(0, -1)}${String(moment % 1000).padStart(3, '0')}Z`;

function csv(
  rows: readonly Row[],
  write: (name: string, value: number) => string = (_, value) => String(value),
): string {
  const names = Object.keys(rows[0]);
  const lines = rows.map((row) =>
    names.map((name) => (typeof row[name] === 'number' ? write(name, row[name]) : (row[name] ?? ''))).join(','),
  );
  return `${[names.join(','), ...lines].join('\n')}\n`;
}

function writeFolder(data: Data, labels: Readonly<Record<string, readonly Row[]>>, task: TaskName): string {
  const folder = mkdtempSync(join(temporary, 'data-'));
  mkdirSync(join(folder, 'tables'));
  mkdirSync(join(folder, 'tasks', task), { recursive: true });
  writeFileSync(join(folder, 'contract.yaml'), writeContract(contract));
  for (const table of contract.tables) {
    const typeOf = new Map(table.columns.map(({ name, type }) => [name, type]));
    const write = (name: string, value: number) =>
      typeOf.get(name) === 'date' ? isoDay(value) : typeOf.get(name) === 'timestamp' ? isoMoment(value) : String(value);
    writeFileSync(join(folder, 'tables', `${table.name}.csv`), csv(data[table.name], write));
  }
  writeFileSync(join(folder, 'tasks', task, 'task.yaml'), tasks[task]);
  for (const [name, rows] of Object.entries(labels))
    writeFileSync(join(folder, 'tasks', task, `${name}.csv`), csv(rows));
  return folder;
}

/** Labels that depend on what came before, so that there is something to learn. */
function makeLabels(data: Data, task: TaskName): { train: Row[]; test: Row[] } {
  const draw = draws(8);
  if (task === 'late') {
    const rows = data.invoice
      .filter(({ issued }) => Number(issued) <= cut)
      .map(({ invoice_id, issued, merchant_id }) => ({
        invoice_id,
        date: isoDay(Number(issued)),
        late: Number(Number(merchant_id) + draw.next() * 6 > 7),
      }));
    const latest = data.invoice.filter(({ issued }) => Number(issued) > cut);
    return {
      train: rows,
      test: latest.map(({ invoice_id, issued }) => ({ invoice_id, date: isoDay(Number(issued)) })),
    };
  }
  const anchors = [];
  for (let moment = at('2021-02-01'); moment <= cut; moment += 21 * day) anchors.push(moment);
  anchors.push(cut);
  const train = [...new Set(anchors)].flatMap((moment) =>
    data.customer.map(({ customer_id, segment }) => {
      const recent = data.order.filter(
        (order) =>
          order.customer_id === customer_id &&
          Number(order.placed) <= moment &&
          Number(order.placed) > moment - 60 * day,
      );
      return {
        customer_id,
        date: isoDay(moment),
        left: Number(recent.length + (segment === 'large' ? 1 : 0) + draw.next() * 2 < 2.4),
      };
    }),
  );
  return { train, test: data.customer.map(({ customer_id }) => ({ customer_id, date: isoDay(cut + 15 * day) })) };
}

const quiet = () => {};
const temporary = mkdtempSync(join(tmpdir(), 'leakage-'));
afterAll(() => rmSync(temporary, { recursive: true }));

async function fitVersion(folder: string, task: TaskName): Promise<string> {
  const out = join(folder, 'version');
  await fitCommand([folder, '--task', task, '--out', out], quiet);
  return out;
}

/** Every file of a folder, as text that compares by bytes. */
function bytesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );
}

/** Names of the files that differ. */
function differing(a: Record<string, string>, b: Record<string, string>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]).sort();
}

async function predictions(
  version: string,
  data: string,
  rows: readonly Row[],
  options: readonly string[] = [],
): Promise<string> {
  const input = join(data, 'ask.csv');
  const output = join(data, 'answers.csv');
  writeFileSync(input, csv(rows));
  await predictCommand([version, '--data', data, '--in', input, '--out', output, ...options], quiet);
  return readFileSync(output, 'utf8');
}

// --- tests ----------------------------------------------------------------------------------------------------------------

const data = makeData();
const labels = { churn: makeLabels(data, 'churn'), late: makeLabels(data, 'late') };
/** What is planted later is dated after this: the end of the last day that training reads. */
const later = cut + day;
/** For the control: well before the cut. */
const early = cut - 120 * day;
const original: Record<TaskName, { folder: string; version: string }> = {
  churn: { folder: '', version: '' },
  late: { folder: '', version: '' },
};

/** Questions as of the cut (customers) and of their own day (invoices), as files ask them. */
const questions: Record<TaskName, Row[]> = {
  churn: ids(customers).map((customer_id) => ({ customer_id, reference_date: isoDay(cut) })),
  late: data.invoice
    .filter(({ issued }) => Number(issued) <= cut && Number(issued) > cut - 60 * day)
    .map(({ invoice_id, account_id, merchant_id, issued, amount, goods, due }) => ({
      invoice_id,
      account_id,
      merchant_id,
      issued: isoDay(Number(issued)),
      amount,
      goods,
      due: isoDay(Number(due)),
    })),
};
const names = Object.keys(tasks) as TaskName[];

beforeAll(async () => {
  for (const task of names) {
    const folder = writeFolder(data, labels[task], task);
    original[task] = { folder, version: await fitVersion(folder, task) };
  }
});

test.each(names)('%s: what happens after the last training anchor moves no byte of the version', async (task) => {
  const test = [...labels[task].test.slice(0, 7), ...labels[task].train.slice(0, 9)].map(withoutLabel);
  const folder = writeFolder(everything(data, later), { train: labels[task].train, test }, task);
  const version = await fitVersion(folder, task);
  expect(differing(bytesOf(version), bytesOf(original[task].version))).toEqual([]);
});

test.each(names)('%s: the same, dated earlier, moves the version', async (task) => {
  const folder = writeFolder(everything(data, early), labels[task], task);
  const version = await fitVersion(folder, task);
  expect(differing(bytesOf(version), bytesOf(original[task].version))).toContain('program.json');
});

test.each(names)(
  '%s: a version of the same files has the same bytes, and its manifest vouches for them',
  async (task) => {
    const { folder, version } = original[task];
    const again = join(folder, 'again');
    await fitCommand([folder, '--task', task, '--out', again], quiet);
    expect(differing(bytesOf(again), bytesOf(version))).toEqual([]);
    const { files } = JSON.parse(readFileSync(join(version, 'manifest.json'), 'utf8'));
    const hashes = readdirSync(version)
      .filter((name) => name !== 'manifest.json')
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(version, name)))
          .digest('hex'),
      ]);
    expect(files).toEqual(Object.fromEntries(hashes));
  },
);

test.each(names)(
  '%s: predictions read nothing of what happens later, and all of what happened before',
  async (task) => {
    const { folder, version } = original[task];
    const answers = await predictions(version, folder, questions[task]);
    expect(answers.split('\n').length).toBe(questions[task].length + 2);
    expect((await predictions(version, folder, questions[task])) === answers).toBe(true);
    const plantedLater = writeFolder(everything(data, later), labels[task], task);
    expect((await predictions(version, plantedLater, questions[task])) === answers).toBe(true);
    const plantedEarly = writeFolder(everything(data, early), labels[task], task);
    expect((await predictions(version, plantedEarly, questions[task])) === answers).toBe(false);
  },
);

describe.each(names)('%s: features', (task) => {
  const { features, asked } = proposed(task);
  const untouched = values(task, features, data, asked);

  test.each(Object.keys(plantings))('%s: of later date they move no bit', (kind) => {
    expect(moved(features, untouched, values(task, features, plantings[kind](data, later), asked))).toEqual([]);
  });

  test.each(Object.keys(plantings))('%s: of earlier date they do', (kind) => {
    expect(moved(features, untouched, values(task, features, plantings[kind](data, early), asked))).not.toEqual([]);
  });

  test('which features are proposed depends on nothing of later date', () => {
    expect(proposed(task, everything(data, later)).features).toEqual(features);
    expect(proposed(task, everything(data, early)).features).not.toEqual(features);
  });

  test('rows of others, to whom no path leads, move nothing but what is told of all', () => {
    const own = features.filter(({ focus }) => focus.kind !== 'all');
    const before = values(task, own, data, asked);
    expect(moved(own, before, values(task, own, withStrangers(data, 'stranger'), asked))).toEqual([]);
    expect(moved(own, before, values(task, own, withStrangers(data, 'a1'), asked))).not.toEqual([]);
  });
});

test('a label that closes later moves no feature, one that closed does', () => {
  const { features } = proposed('churn');
  const examples = examplesOf('churn', sampleTables(contract, data));
  const moment = at('2021-08-01');
  const before = examples.at.findLast((one) => one <= moment)!;
  const positions = Array.from(examples.at.keys()).filter((i) => examples.at[i] === before);
  const flip = (when: (closes: number) => boolean): Examples => ({
    ...examples,
    labels: examples.labels.map((label, i) => (when(examples.closes[i]) ? 1 - label : label)),
  });
  const at0 = valuesOf('churn', features, data, examples, positions);
  expect(
    moved(
      features,
      at0,
      valuesOf(
        'churn',
        features,
        data,
        flip((c) => c > before),
        positions,
      ),
    ),
  ).toEqual([]);
  const changed = moved(
    features,
    at0,
    valuesOf(
      'churn',
      features,
      data,
      flip((c) => c <= before),
      positions,
    ),
  );
  expect(changed.every((feature) => feature.includes('@labels'))).toBe(true);
  expect(changed).not.toEqual([]);
});

test('labels that close after the training anchors do not move what is learned before', () => {
  const learnedWith = (flips: (closes: number) => boolean) => {
    const tables = sampleTables(contract, data);
    const examples = examplesOf('churn', tables);
    const train = Int32Array.from(Array.from(examples.at.keys()).filter((i) => examples.at[i] <= at('2021-08-01')));
    const changed = {
      ...examples,
      labels: examples.labels.map((label, i) => (flips(examples.closes[i]) ? 1 - label : label)),
    };
    const aim = aimOf(taskOf('churn'), null, []);
    const graph = withLabels(taskOf('churn'), tables, changed, false, aim);
    const outputs = [{ name: 'prediction', aim, examples: changed }];
    const learned = learn({ task: taskOf('churn'), fresh: false, graph, outputs }, train, { kind: 'rolling' }, quiet);
    return JSON.stringify(learned, (_, value) =>
      ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
    );
  };
  const before = learnedWith(() => false);
  const closesLast = at('2021-08-01') + 30 * day;
  expect(learnedWith((closes) => closes > closesLast) === before).toBe(true);
  expect(learnedWith((closes) => closes <= closesLast && closes > closesLast - 40 * day) === before).toBe(false);
});

test('other rows of the test file move neither the model nor the predictions of those that stay', async () => {
  const { train, test: rows } = labels.churn;
  const some = rows.filter((_, k) => k % 3 === 0);
  const more = [
    ...rows.toReversed(),
    ...ids(30, 700).map((customer_id) => ({ customer_id, date: isoDay(end + 99 * day) })),
  ];
  const both = await Promise.all([evaluated(train, some), evaluated(train, more)]);
  const [few, many] = both.map(({ predictions }) => predictions);
  for (const [key, prediction] of few) expect(many.get(key)).toBe(prediction);
  expect(few.size).toBe(some.length);
  expect(both[0].model).toEqual(both[1].model);
  const [first, ...others] = train;
  const relabelled = await evaluated([{ ...first, left: 1 - Number(first.left) }, ...others], some);
  expect([...relabelled.predictions]).not.toEqual([...few]);
});

test('eval and predict give the same numbers for the same rows', async () => {
  const { train, test: rows } = labels.churn;
  const { predictions: judged } = await evaluated(train, rows);
  const open = await openVersion(original.churn.version, sampleTables(contract, data));
  const asked = sampleRows(tableContract('customer'), rows);
  const answer = open.predict(asked, { ...plainly, asOf: Date.parse(String(rows[0].date)) * 1000 });
  open.close();
  const served = numbersOf(answer, 'prediction');
  expect(rows.map(({ customer_id }) => judged.get(String(customer_id)))).toEqual(served.map(String));

  const invoices = labels.late.test;
  const late = await evaluated(labels.late.train, invoices, 'late');
  const opened = await openVersion(original.late.version, sampleTables(contract, data));
  const given = data.invoice.filter(({ issued }) => Number(issued) > cut);
  const answers = opened.predict(sampleRows(tableContract('invoice'), given), plainly);
  opened.close();
  expect(invoices.map(({ invoice_id }) => late.predictions.get(String(invoice_id)))).toEqual(
    numbersOf(answers, 'prediction').map(String),
  );
});

test.each([
  ['churn', 100_000],
  ['late', 500],
] as const)('%s: a file of %i rows gives what each row gives alone', async (task, size) => {
  const { folder, version } = original[task];
  const open = await openVersion(version, sampleTables(contract, data));
  const kinds = questions[task].slice(0, 40);
  const dates = new Set(['reference_date', 'issued', 'due']);
  const alone = kinds.map((row) => {
    const raw = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, dates.has(name) ? at(String(value)) : value]),
    );
    const rows = sampleRows(withReferenceDate(tableContract(taskOf(task).entity)), [raw]);
    return String(numbersOf(open.predict(rows, plainly), 'prediction')[0]);
  });
  open.close();
  expect(new Set(alone).size).toBeGreaterThan(5);
  // More than the 98,304 rows that are read at once, in another order every time around.
  const which = ids(size, 0).map((k) => (k * 7 + Math.floor(k / kinds.length)) % kinds.length);
  const asked = which.map((k) => kinds[k]);
  const lines = (await predictions(version, folder, asked, ['--factors', '0'])).trimEnd().split('\n');
  expect(lines.length).toBe(asked.length + 1);
  const place = lines[0].split(',').indexOf('prediction');
  const wrong = lines.slice(1).filter((line, k) => line.split(',')[place] !== alone[which[k]]);
  expect(wrong.slice(0, 3)).toEqual([]);
});

// --- in memory --------------------------------------------------------------------------------------------------------------

const plainly = { asOf: cut, dataUntil: Number.POSITIVE_INFINITY, factors: 0, language: 'en' } as const;

function tableContract(name: string): TableContract {
  return contract.tables.find((table) => table.name === name)!;
}

function withReferenceDate(table: TableContract): TableContract {
  return { ...table, columns: [...table.columns, { ...table.columns[0], name: 'reference_date', type: 'date' }] };
}

function withoutLabel({ late, left, ...row }: Row): Row {
  return row;
}

function taskOf(task: TaskName): Task {
  return parseTask(tasks[task], task, 'task.yaml');
}

function examplesOf(name: TaskName, tables: Tables): Examples {
  const task = taskOf(name);
  const { rowOf } = entityTable(task, tables);
  const { train } = labels[name];
  const moments = Float64Array.from(train, ({ date }) => at(String(date)));
  return {
    rows: Int32Array.from(train, (row) => rowOf.get(row[task.key]!) ?? -1),
    at: moments,
    labels: Float64Array.from(train, (row) => Number(row[task.label])),
    closes: moments.map((moment) => moment + task.windowDays! * day),
  };
}

function proposed(name: TaskName, of: Data = data): { features: readonly Feature[]; asked: readonly number[] } {
  const task = taskOf(name);
  const tables = sampleTables(contract, of);
  const examples = examplesOf(name, tables);
  const asked = Array.from(examples.rows.keys()).filter((i) => i % 3 === 0);
  const graph = withLabels(task, tables, examples, name === 'late', aimOf(task, null, []));
  const sample = anchorsOf(task, tables, pickExamples(examples, asked), name === 'late', limitAt(task, cut));
  return { features: proposeFeatures(graph, task, sample, cut).features, asked };
}

function values(name: TaskName, features: readonly Feature[], of: Data, asked: readonly number[]): FeatureMatrix {
  return valuesOf(name, features, of, examplesOf(name, sampleTables(contract, of)), asked);
}

function valuesOf(
  name: TaskName,
  features: readonly Feature[],
  of: Data,
  examples: Examples,
  asked: readonly number[],
): FeatureMatrix {
  const task = taskOf(name);
  const tables = sampleTables(contract, of);
  const graph = withLabels(task, tables, examples, name === 'late', aimOf(task, null, []));
  const anchors = anchorsOf(
    task,
    graph.tables,
    pickExamples(examples, asked),
    name === 'late',
    limitAt(task, Number.POSITIVE_INFINITY),
  );
  return evaluate(graph, features, anchors);
}

/** Features any of whose values changed by a bit. */
function moved(features: readonly Feature[], before: FeatureMatrix, after: FeatureMatrix): string[] {
  const bits = (matrix: FeatureMatrix, f: number) =>
    Buffer.from(matrix.values.slice(f * matrix.rows, (f + 1) * matrix.rows).buffer).toString('hex');
  expect(after.rows).toBe(before.rows);
  return features.flatMap((feature, f) => (bits(before, f) === bits(after, f) ? [] : [JSON.stringify(feature)]));
}

/** A merchant and events nobody else has to do with; led by accounts of the name given. */
function withStrangers(of: Data, account: string): Data {
  const draw = draws(30);
  const isStranger = account === 'stranger';
  const customer_id = isStranger ? 9_999 : 1;
  const merchant_id = isStranger ? 999 : 1;
  const when = () => start + draw.between(0, 200) * day;
  const stranger = { ...of.customer[0], customer_id: 9_999, district_id: null, segment: 'odd' };
  return {
    ...of,
    customer: mix(draw, of.customer, [stranger]),
    merchant: mix(draw, of.merchant, [{ merchant_id: 999, sector: 'odd', size: 99 }]),
    account: mix(draw, of.account, [{ account_id: 'stranger', customer_id: 9_999, opened: start, plan: 'odd' }]),
    invoice: mix(
      draw,
      of.invoice,
      ids(90, 7_000).map((invoice_id) => ({
        ...of.invoice[0],
        invoice_id,
        account_id: account,
        merchant_id,
        issued: startOfDay(when()),
        goods: 'odd',
      })),
    ),
    refund: mix(
      draw,
      of.refund,
      ids(90, 7_000).map((id) => ({ ...refundOf(draw, id, when()), account_id: account, merchant_id })),
    ),
    order: mix(
      draw,
      of.order,
      ids(90, 7_000).map((id) => ({ ...orderOf(draw, id, when()), customer_id, merchant_id })),
    ),
  };
}

async function evaluated(train: readonly Row[], rows: readonly Row[], task: TaskName = 'churn') {
  const folder = writeFolder(data, { train, test: rows }, task);
  const [out, report] = [join(folder, 'predictions.csv'), join(folder, 'report.json')];
  await evalCommand([folder, '--task', task, '--out', out, '--report', report], quiet);
  const [, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n');
  const predictions = new Map(lines.map((line) => [line.split(',')[0], line.split(',').at(-1)!]));
  return { predictions, model: JSON.parse(readFileSync(report, 'utf8')).model };
}

function numbersOf(rows: Rows, name: string): number[] {
  const column = rows.columns.get(name);
  if (column?.kind !== 'number') throw new Error(`${name} is a number`);
  return Array.from(column.values);
}
