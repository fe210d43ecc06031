import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, type Data, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { entitiesMax, followedMax } from './around.ts';
import { openExplorer } from './explore.ts';

const contract = sampleContract([
  { name: 'device', key: 'device_id', columns: { device_id: 'integer' } },
  { name: 'customer', key: 'customer_id', time: 'created', columns: { customer_id: 'string', created: 'timestamp' } },
  {
    name: 'login',
    time: 'at',
    references: { customer_id: 'customer', device_id: 'device' },
    columns: { customer_id: 'string', device_id: 'integer', at: 'timestamp' },
  },
  {
    name: 'transfer',
    time: 'sent',
    references: { payer: 'customer', payee: 'customer' },
    columns: { payer: 'string', payee: 'string', sent: 'timestamp' },
  },
]);
const customers = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ customer_id: `c${i}`, created: at('2020-01-01') }));
const devices = (count: number) => Array.from({ length: count }, (_, i) => ({ device_id: i }));
const login = (customer: number, device: number, when: number) => ({
  customer_id: `c${customer}`,
  device_id: device,
  at: when,
});
const transfer = (payer: number, payee: number, when: number) => ({
  payer: `c${payer}`,
  payee: `c${payee}`,
  sent: when,
});
const open = (data: Partial<Data>) =>
  openExplorer(sampleTables(contract, { customer: customers(80), device: devices(80), ...data } as Data));
const late = at('2024-01-01');
const c = (i: number, until = late) => ({ table: 'customer', key: `c${i}`, at: until });

test('ties are told with what is shared, how often, and since when both had the first', () => {
  const { nodes, edges, left_out } = open({
    login: [login(0, 7, at('2021-03-01')), login(1, 7, at('2021-05-01')), login(2, 9, at('2021-05-01'))],
    transfer: [transfer(0, 1, at('2021-04-02')), transfer(1, 0, at('2021-04-09')), transfer(1, 2, at('2022-01-01'))],
  }).around({ ...c(0), hops: 2 });
  expect(nodes).toEqual([
    { id: 0, table: 'customer', row: 0, key: 'c0', hops: 0 },
    { id: 1, table: 'customer', row: 1, key: 'c1', hops: 1 },
    { id: 2, table: 'customer', row: 2, key: 'c2', hops: 2 },
  ]);
  expect(edges).toEqual([
    { from: 0, to: 1, relation: 'device', count: 1, since: '2021-05-01' },
    { from: 0, to: 1, relation: 'transfer', count: 2, since: '2021-04-02' },
    { from: 1, to: 2, relation: 'transfer', count: 1, since: '2022-01-01' },
  ]);
  expect(left_out).toEqual({ nodes: 0, edges: 0 });
});

test('a shortest path is told with its ties, or that there is none', () => {
  const chain = Array.from({ length: 6 }, (_, i) => transfer(i, i + 1, at('2021-01-01') + i * day));
  const explorer = open({ transfer: [...chain, transfer(0, 3, at('2022-01-01'))] });
  const found = explorer.path({ ...c(0), to: 'c4', hops: 4 });
  expect(found.nodes.map(({ key }) => key)).toEqual(['c0', 'c3', 'c4']);
  expect(found.edges.map(({ from, to, since }) => [from, to, since])).toEqual([
    [0, 1, '2022-01-01'],
    [1, 2, '2021-01-04'],
  ]);
  // Before the short cut was known, the path went along the chain.
  const before = explorer.path({ ...c(0, at('2021-12-31')), to: 'c4', hops: 4 });
  expect(before.nodes.map(({ key }) => key)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  expect(explorer.path({ ...c(0), to: 'c6', hops: 3 })).toMatchObject({ is_found: false, is_complete: true });
  expect(explorer.path({ ...c(0), to: 'c70', hops: 4 })).toMatchObject({ is_found: false, edges: [] });
});

test('whom too many are tied to is told with the strongest ties, and how many are left out', () => {
  const stars = Array.from({ length: 60 }, (_, i) => transfer(0, i + 1, at('2021-01-01') + i));
  const { nodes, left_out } = open({ transfer: [...stars, transfer(60, 0, at('2023-01-01'))] }).around({
    ...c(0),
    hops: 1,
  });
  expect(nodes).toHaveLength(followedMax + 1);
  expect(nodes[1].key).toBe('c60');
  expect(left_out.nodes).toBe(60 - followedMax);
  expect(entitiesMax).toBeGreaterThan(followedMax);
});

test('what refers to an entity is counted as of the moment', () => {
  const explorer = open({
    login: [login(0, 7, at('2021-03-01')), login(0, 8, at('2022-05-01')), login(1, 7, at('2021-05-01'))],
    transfer: [transfer(0, 1, at('2021-04-02'))],
  });
  const { tables, ...told } = explorer.describe(c(0, at('2021-12-31')));
  expect(told).toMatchObject({ since: '2020-01-01', first: '2021-03-01', last: '2021-04-02' });
  expect(tables.map(({ table, reference, rows }) => [table, reference, rows])).toEqual([
    ['login', 'customer_id', 1],
    ['transfer', 'payer', 1],
    ['transfer', 'payee', 0],
  ]);
  expect(() => explorer.describe(c(0, at('2019-12-31')))).toThrow('no customer has the key c0 by then');
  expect(() => explorer.require(c(0, at('2021-12-31')))).not.toThrow();
  expect(() => explorer.require(c(0, at('2019-12-31')))).toThrow('no customer has the key c0 by then');
});

test('of a row that was changed, the version that was readable at the moment refers to its entity', () => {
  const changing = sampleContract([
    { name: 'customer', key: 'customer_id', columns: { customer_id: 'string' } },
    {
      name: 'account',
      key: 'account_id',
      knownAt: 'changed',
      references: { owner: 'customer' },
      columns: { account_id: 'string', owner: 'string', changed: 'timestamp' },
    },
  ]);
  const version = (account_id: string, owner: number, when: string) => ({
    ...{ account_id, owner: `c${owner}`, changed: at(when) },
  });
  const explorer = openExplorer(
    sampleTables(changing, {
      customer: [0, 1].map((i) => ({ customer_id: `c${i}` })),
      account: [
        ...[version('a', 0, '2021-01-01'), version('a', 1, '2022-01-01'), version('a', 0, '2023-01-01')],
        version('b', 0, '2021-06-01'),
      ],
    }),
  );
  const countsAt = (when: string) => [0, 1].map((i) => explorer.describe(c(i, at(when))).tables[0].rows);
  expect(countsAt('2020-12-31')).toEqual([0, 0]);
  expect(countsAt('2021-03-01')).toEqual([1, 0]);
  expect(countsAt('2022-01-01')).toEqual([1, 1]);
  expect(countsAt('2023-01-01')).toEqual([2, 0]);
});

test('what an entity refers to is told as of the moment, by the version that was readable then', () => {
  const changing = sampleContract([
    { name: 'branch', key: 'branch_id', time: 'opened', columns: { branch_id: 'string', opened: 'timestamp' } },
    {
      name: 'customer',
      key: 'customer_id',
      columns: { customer_id: { type: 'string', pii: true } },
    },
    {
      name: 'account',
      key: 'account_id',
      knownAt: 'changed',
      references: { branch: 'branch', owner: 'customer', guarantor: 'customer' },
      columns: {
        ...{ account_id: 'string', branch: 'string', owner: 'string', changed: 'timestamp', signed: 'timestamp' },
        guarantor: { type: 'string', knownFrom: 'signed' },
      },
    },
    {
      name: 'card',
      key: 'card_id',
      references: { account: 'account', holder: 'customer' },
      columns: { card_id: 'string', account: 'string', holder: { type: 'string', mutable: true } },
    },
  ]);
  const version = (branch: string, when: string) => ({
    ...{ account_id: 'a', branch, owner: 'c1', changed: at(when), guarantor: 'c0', signed: at('2022-06-01') },
  });
  const explorer = openExplorer(
    sampleTables(changing, {
      branch: [
        { branch_id: 'b0', opened: at('2020-01-01') },
        { branch_id: 'b1', opened: at('2022-03-01') },
      ],
      customer: [0, 1].map((i) => ({ customer_id: `c${i}` })),
      account: [version('b0', '2021-01-01'), version('b1', '2022-01-01')],
      card: [{ card_id: 'd', account: 'a', holder: 'c0' }],
    }),
  );
  const told = (table: string, key: string, when: string) =>
    explorer.describe({ table, key, at: at(when) }).references.map((one) => [one.reference, one.row, one.key]);
  // Keys that say who people are, are not told.
  const owner = ['owner', 1, null];
  expect(told('account', 'a', '2021-03-01')).toEqual([['branch', 0, 'b0'], owner]);
  // The branch of the newer version was not there yet.
  expect(told('account', 'a', '2022-02-01')).toEqual([owner]);
  expect(told('account', 'a', '2022-07-01')).toEqual([['branch', 1, 'b1'], owner, ['guarantor', 0, null]]);
  // A holder that is changed later says nothing of any moment.
  expect(told('card', 'd', '2023-01-01')).toEqual([['account', 0, 'a']]);
  expect(told('customer', 'c0', '2023-01-01')).toEqual([]);
});

test('a search finds by the beginning of keys, the whole key first, and nobody before they are known', () => {
  const explorer = open({});
  const search = (prefix: string, until = late) => explorer.search({ table: 'customer', prefix, most: 3, at: until });
  expect(search('c7')).toEqual({
    data: ['c7', 'c70', 'c71'].map((key) => ({ table: 'customer', key })),
    has_more: true,
    is_complete: true,
  });
  expect(search('c7', at('2019-01-01')).data).toEqual([]);
  expect(explorer.search({ table: 'device', prefix: '', most: 1, at: late }).data).toEqual([
    { table: 'device', key: '0' },
  ]);
  expect(explorer.search({ table: 'device', prefix: '07', most: 1, at: late }).data).toEqual([]);
  expect(search('d')).toEqual({ data: [], has_more: false, is_complete: true });
  expect(explorer.search({ prefix: '7', most: 5, at: late }).data[0]).toEqual({ table: 'device', key: '7' });
  expect(() => explorer.search({ table: 'nothing', prefix: '', most: 3, at: late })).toThrow('there is no table');
});

test('keys that say who people are are told to those alone who know them', () => {
  const personal = {
    ...contract,
    tables: contract.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => (column.name === 'customer_id' ? { ...column, pii: true } : column)),
    })),
  };
  const transfers = [transfer(0, 2, at('2021-01-01')), transfer(2, 1, at('2021-01-02'))];
  const data = { customer: customers(3), device: devices(3), transfer: transfers };
  const explorer = openExplorer(sampleTables(personal, data));
  expect(explorer.search({ table: 'customer', prefix: 'c', most: 9, at: late }).data).toEqual([]);
  expect(explorer.search({ table: 'customer', prefix: 'c1', most: 9, at: late }).data).toHaveLength(1);
  const named = ({ nodes }: { readonly nodes: readonly { readonly row: number; readonly key: string | null }[] }) =>
    nodes.map(({ row, key }) => [row, key]);
  // Whoever asks for a path knows both of its ends, and one without a key is the same row in every answer.
  expect(named(explorer.around({ ...c(0), hops: 2 }))).toEqual([
    [0, 'c0'],
    [2, null],
    [1, null],
  ]);
  expect(named(explorer.path({ ...c(0), to: 'c1', hops: 4 }))).toEqual([
    [0, 'c0'],
    [2, null],
    [1, 'c1'],
  ]);
  expect(named(explorer.path({ ...c(0), to: 'c0', hops: 4 }))).toEqual([[0, 'c0']]);
});

test('what is dated later changes nothing that is told as of an earlier day', () => {
  const cut = at('2022-01-01');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const draw = draws(seed);
      const drawn = (from: number, count: number) => ({
        login: Array.from({ length: count }, () =>
          login(draw.between(0, 19), draw.between(0, 9), from + draw.between(0, 300) * day),
        ),
        transfer: Array.from({ length: count }, () =>
          transfer(draw.between(0, 19), draw.between(0, 19), from + draw.between(0, 300) * day),
        ),
      });
      const early = drawn(at('2021-01-01'), 12);
      const later = drawn(cut + day, 40);
      const ask = (data: Partial<Data>) => {
        const explorer = open(data);
        return [0, 1, 2].flatMap((i) => [
          explorer.around({ ...c(i, cut), hops: 3 }),
          explorer.path({ ...c(i, cut), to: 'c9', hops: 4 }),
          explorer.describe(c(i, cut)),
        ]);
      };
      const both = { login: [...early.login, ...later.login], transfer: [...early.transfer, ...later.transfer] };
      expect(ask(both)).toEqual(ask(early));
    }),
    { numRuns: 60 },
  );
});

test('a search finds a document with its punctuation or without, whole or begun, and a personal one whole', () => {
  const keys = ['11.222.333/0001-81', '52998224725', 'c-1'];
  const data = { customer: keys.map((customer_id) => ({ customer_id, created: at('2020-01-01') })), device: [] };
  const explorer = openExplorer(sampleTables(contract, data as unknown as Data));
  const found = (prefix: string) =>
    explorer.search({ table: 'customer', prefix, most: 9, at: late }).data.map(({ key }) => key);
  for (const prefix of ['11222333000181', '11.222.333/0001-81', '1122233', '11.222.3'])
    expect(found(prefix), prefix).toEqual([keys[0]]);
  for (const prefix of ['52998224725', '529.982.247-25', '529.98']) expect(found(prefix), prefix).toEqual([keys[1]]);
  expect(found('c1')).toEqual([]);
});
