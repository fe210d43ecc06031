/**
 * Readers beside features: whom a task asks about, what happened to them, and how labels are laid out. What becomes
 * known after t moves none of the anchors, labels and events that are closed by t; planted before, it does.
 */
import { describe, expect, test } from 'vitest';
import { firstVersion } from '../../src/ml/graph/as-of/rows.ts';
import type { Tables } from '../../src/ml/graph/tables.ts';
import { entityTable } from '../../src/ml/tasks/examples.ts';
import { layOutExamples, targetEvents } from '../../src/ml/tasks/layout.ts';
import { parseTask } from '../../src/ml/tasks/parse-task.ts';
import { askableSince, openPopulation } from '../../src/ml/tasks/population.ts';
import { resolveTask } from '../../src/ml/tasks/resolve.ts';
import { at, type Data, day, draws, type Row, sampleContract, sampleTables } from '../samples.ts';
import { ids } from './world.ts';

const contract = sampleContract([
  {
    name: 'customer',
    key: 'customer_id',
    time: 'joined',
    knownAt: 'sent',
    columns: { customer_id: 'integer', joined: 'timestamp', segment: 'string', sent: 'timestamp' },
  },
  {
    name: 'account',
    key: 'account_id',
    time: 'opened',
    references: { customer_id: 'customer' },
    columns: {
      account_id: 'integer',
      opened: 'timestamp',
      customer_id: { type: 'integer', knownFrom: 'claimed' },
      claimed: 'timestamp',
    },
  },
  {
    name: 'order',
    key: 'order_id',
    time: 'placed',
    references: { account_id: 'account' },
    columns: {
      order_id: 'integer',
      account_id: { type: 'integer', knownFrom: 'booked' },
      booked: 'timestamp',
      placed: 'timestamp',
      state: { type: 'string', knownFrom: 'shipped' },
      shipped: 'timestamp',
    },
  },
]);

const start = at('2022-01-01');
const end = start + 400 * day;
/** What is planted after t is dated by it; for the control, well before. */
const t = start + 300 * day;
const early = start + 120 * day;

const data: Data = {
  customer: ids(30).map((customer_id) => ({ customer_id, joined: start, segment: 'small', sent: null })),
  account: ids(60).map((account_id) => ({
    account_id,
    opened: start,
    customer_id: 1 + (account_id % 28),
    claimed: start,
  })),
  order: ids(500).map((order_id) => order(order_id, draws(order_id).between(1, 60), start + (order_id % 390) * day)),
};

function order(order_id: number, account_id: number | null, placed: number, isShipped = true): Row {
  const known = account_id === null ? null : placed;
  return {
    order_id,
    account_id,
    booked: known,
    placed,
    ...{ state: isShipped ? 'sent' : null, shipped: isShipped ? placed : null },
  };
}

/** Orders of old, which tell nothing of anybody yet. */
const old = (make: (order_id: number) => Row) => ids(90, 5_000).map(make);
const base: Data = {
  ...data,
  order: [
    ...data.order!,
    ...old((id) => order(id, null, start + (id % 100) * day)),
    ...old((id) => order(id + 1_000, 1 + (id % 60), start + (id % 100) * day, false)),
    ...old((id) => order(id + 2_000, 100 + (id % 10), start + (id % 100) * day)),
    ...old((id) => order(id + 3_000, 200 + (id % 10), start + (id % 100) * day)),
  ],
  // Nobody's yet.
  account: [
    ...data.account!,
    ...ids(10, 200).map((account_id) => ({ account_id, opened: start, customer_id: null, claimed: null })),
  ],
};

const within = (rows: readonly Row[], first: number, change: Row): Row[] =>
  rows.map((row) =>
    Number(row.order_id ?? row.account_id) >= first && Number(row.order_id ?? row.account_id) < first + 1_000
      ? { ...row, ...change }
      : row,
  );

const plantings: Readonly<Record<string, (moment: number) => Data>> = {
  'rows of orders and customers': (moment) => ({
    ...base,
    order: [...ids(200, 9_000).map((id) => order(id, 1 + (id % 60), moment + (id % 20) * day)), ...base.order!],
    customer: [{ customer_id: 99, joined: moment, segment: 'small', sent: null }, ...base.customer!],
  }),
  'values that become known': (moment) => ({
    ...base,
    order: within(base.order!, 6_000, { state: 'sent', shipped: moment }),
  }),
  'versions of the same key': (moment) => ({
    ...base,
    customer: [
      ...base.customer!.slice(0, 9).map((row) => ({ ...row, segment: 'large', sent: moment })),
      ...base.customer!,
    ],
  }),
  'references that become known': (moment) => ({
    ...base,
    order: base.order!.map((row) =>
      Number(row.order_id) >= 5_000 && Number(row.order_id) < 6_000
        ? { ...row, account_id: 1 + (Number(row.order_id) % 60), booked: moment }
        : row,
    ),
  }),
  'references on the way that become known': (moment) => ({
    ...base,
    account: base.account!.map((row) =>
      row.customer_id === null ? { ...row, customer_id: 29, claimed: moment } : row,
    ),
  }),
  'rows on the way that old ones refer to': (moment) => ({
    ...base,
    account: [
      ...base.account!,
      ...ids(10, 100).map((account_id) => ({ account_id, opened: moment, customer_id: 30, claimed: moment })),
    ],
  }),
};

const definition = `kind: binary
entity: customer
key: customer_id
anchors: {every: 20d, from: 2022-03-01, until: 2023-01-01}
population: segment = 'small' AND exists(order WHERE state = 'sent' IN LAST 60d)
target: {table: order, where: state = 'sent', horizons: [30d]}
`;
const task = resolveTask(parseTask(definition, 'kind', 'task.yaml'), contract, 'task.yaml');
const openTables = (of: Data) => sampleTables(contract, of);

/** Whoever is asked about at moments up to `until`, by key. */
function asked(tables: Tables, until: number): string[] {
  const entities = entityTable(task, tables);
  const isAsked = openPopulation(task, tables, false);
  const rows = ids(entities.rows, 0).filter(
    (row) => entities.versions!.offsets[row + 1] > entities.versions!.offsets[row],
  );
  return ids(30)
    .map((k) => start + k * 12 * day)
    .filter((moment) => moment <= until)
    .flatMap((moment) => rows.filter((row) => isAsked(row, moment)).map((row) => `${keyOf(tables, row)} at ${moment}`))
    .sort();
}

/** Who may be asked about by `until`, since when. */
function askable(tables: Tables, until: number): string[] {
  const since = askableSince(task, tables, entityTable(task, tables));
  return [...since.entries()]
    .flatMap(([row, moment]) => (moment <= until ? [`${keyOf(tables, row)} ${moment}`] : []))
    .sort();
}

/** What has happened and was known by `until`. */
function happened(tables: Tables, until: number): string[] {
  const { owners, dates } = targetEvents(task.target!, tables);
  return [...dates.entries()]
    .flatMap(([k, date]) => (date <= until ? [`${keyOf(tables, owners[k])} ${date}`] : []))
    .sort();
}

/** Labels whose windows are closed by `until`. */
function laidOut(tables: Tables, until: number): string[] {
  const [{ rows, at: moments, labels, closes }] = layOutExamples(task, tables, end).examples as [
    ReturnType<typeof layOutExamples>['examples'][0],
  ];
  return [...rows.keys()]
    .filter((i) => closes[i] <= until)
    .map((i) => `${keyOf(tables, rows[i])} at ${moments[i]}: ${labels[i]}`)
    .sort();
}

function keyOf(tables: Tables, row: number): number {
  const table = entityTable(task, tables);
  return (table.columns.get('customer_id') as { values: Float64Array }).values[firstVersion(table, row)];
}

const readers = {
  population: asked,
  'since when they are asked about': askable,
  events: happened,
  layout: laidOut,
} as const;
/** What a reader does not read cannot move it. */
const unread: Partial<Record<string, readonly string[]>> = {
  'since when they are asked about': Object.keys(plantings).filter((kind) => !kind.startsWith('rows of')),
  events: ['versions of the same key'],
};

describe.each(Object.entries(readers))('%s', (reader, read) => {
  const untouched = read(openTables(base), t);

  test('there is something to move', () => expect(untouched.length).toBeGreaterThan(20));

  test.each(Object.keys(plantings))('%s: after t nothing moves', (kind) => {
    expect(read(openTables(plantings[kind](t + 1)), t)).toEqual(untouched);
  });

  test.each(Object.keys(plantings).filter((kind) => !unread[reader]?.includes(kind)))(
    '%s: before t something does',
    (kind) => {
      expect(read(openTables(plantings[kind](early)), t)).not.toEqual(untouched);
    },
  );
});
