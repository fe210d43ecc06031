import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  at,
  type Data,
  type Draw,
  day,
  draws,
  type Row,
  sampleContract,
  sampleTables,
} from '../../../tests/samples.ts';
import type { Anchors } from '../features/state.ts';
import { objectiveOf } from '../tasks/labels.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';
import { openNetwork } from './network.ts';

const contract = sampleContract([
  { name: 'device', key: 'device_id', columns: { device_id: 'integer' } },
  { name: 'address', key: 'address_id', columns: { address_id: 'integer' } },
  {
    name: 'customer',
    key: 'customer_id',
    time: 'created',
    references: { address_id: 'address' },
    columns: { customer_id: 'string', created: 'timestamp', address_id: 'integer' },
  },
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
  {
    name: 'account',
    key: 'account_id',
    time: 'opened',
    references: { customer_id: 'customer' },
    columns: { account_id: 'integer', customer_id: 'string', opened: 'timestamp' },
  },
  {
    name: 'withdrawal',
    time: 'made',
    references: { account_id: 'account', device_id: 'device' },
    columns: { account_id: 'integer', device_id: 'integer', made: 'timestamp' },
  },
  {
    name: 'fraud',
    time: 'reported',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', reported: 'timestamp' },
  },
]);

const start = at('2024-01-01');
const when = (days: number) => start + days * day;
const definition =
  'kind: fraud\nentity: customer\nkey: customer_id\ntarget: {table: fraud, reference: customer_id, horizons: [30d]}\n';
const task = resolveTask(parseTask(definition, 'fraud', 'task.yaml'), contract, 'task.yaml');
const none = {
  rows: new Int32Array(0),
  at: new Float64Array(0),
  labels: new Float64Array(0),
  closes: new Float64Array(0),
};

function opened(data: Data, labels = none, of = task) {
  const tables = sampleTables(contract, data);
  const table = tables.get('customer')!;
  const network = openNetwork(of, tables, labels);
  const anchors = (keys: readonly string[], days: number): Anchors => ({
    table,
    fresh: false,
    rows: Int32Array.from(keys, (key) => table.rowOf.get(key) ?? -1),
    own: new Int32Array(keys.length).fill(-1),
    ownTable: 'customer',
    at: new Float64Array(keys.length).fill(when(days)),
    readableUntil: new Float64Array(keys.length).fill(when(days)),
  });
  return {
    flags: (key: string, days: number) => network.flags(anchors([key], days), 'en')[0],
    paths: (keys: readonly string[], days: number) => Array.from(network.warmPaths(anchors(keys, days))),
    /** The number of paths of new rows that are not in the tables yet, one row for each address. */
    newcomers: (addresses: number, days: number) => {
      const rows = Int32Array.from({ length: addresses }, (_, k) => k);
      const references = new Map([['address_id', { table: 'address', rows }]]);
      const unknown = rows.map(() => -1);
      const moments = Float64Array.from(rows, () => when(days));
      const fresh = { table: { ...table, rows: addresses, references }, fresh: true, rows, own: unknown };
      return Array.from(network.warmPaths({ ...fresh, ownTable: 'customer', at: moments, readableUntil: moments }));
    },
    network,
    anchors,
  };
}

const customer = (customer_id: string, address_id: number | null = null, created = 0): Row => ({
  customer_id,
  created: when(created),
  address_id,
});
const login = (customer_id: string, device_id: number, days: number): Row => ({
  customer_id,
  device_id,
  at: when(days),
});
const report = (customer_id: string, days: number): Row => ({ customer_id, reported: when(days) });

/** Bad actors are rare, so the probability of one nearby by chance is almost zero. */
const bystanders = Array.from({ length: 500 }, (_, k) => customer(`bystander${k}`));

const chain: Data = {
  device: [{ device_id: 1 }, { device_id: 2 }, { device_id: 3 }],
  address: [{ address_id: 1 }],
  customer: [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => customer(name, name === 'a' || name === 'b' ? 1 : null)),
    ...bystanders,
  ],
  login: [
    login('b', 1, 10),
    login('c', 1, 20),
    login('c', 2, 30),
    login('d', 2, 31),
    login('d', 3, 40),
    login('e', 3, 41),
  ],
  transfer: [],
  fraud: [report('d', 50), report('e', 50)],
};

test('a known bad actor is found over three shared rows, with the path and its dates, and not over four', () => {
  const { flags } = opened(chain);
  expect(flags('a', 60)).toEqual([
    {
      kind: 'known_bad_actor',
      hops: 3,
      since: '2024-02-20',
      path: [
        { entity: 'b', relation: 'address', date: '2024-01-01' },
        { entity: 'c', relation: 'device', date: '2024-01-21' },
        { entity: 'd', relation: 'device', date: '2024-02-01' },
      ],
      text: 'linked by address, then by device, then by device to a known bad actor, since 2024-02-20',
    },
  ]);
  expect(flags('c', 60).map(({ hops }) => hops)).toEqual([1]);
  expect(flags('nobody', 60)).toEqual([]);
});

test('two parties of one event are linked by it', () => {
  const { flags } = opened({ ...chain, login: [], transfer: [{ payer: 'a', payee: 'd', sent: when(12) }] });
  expect(flags('a', 60)[0]).toMatchObject({
    hops: 1,
    path: [{ entity: 'd', relation: 'transfer', date: '2024-01-13' }],
  });
});

test('what comes later flags nobody: neither a link, nor a report, nor a label whose window is open', () => {
  expect(opened(chain).flags('a', 49)).toEqual([]);
  const laterLink = { ...chain, login: [...chain.login!.slice(0, 3), login('d', 2, 70), ...chain.login!.slice(4)] };
  expect(opened(laterLink).flags('a', 60)).toEqual([]);
  expect(opened(laterLink).flags('a', 71)).toHaveLength(1);
  const { target: _, heads: __, ...rest } = task;
  const ofLabels = { ...rest, label: 'bad', windowDays: 30 };
  expect(objectiveOf(ofLabels, null, []).kind).toBe('binary');
  const labels = {
    rows: Int32Array.of(1, 2),
    at: Float64Array.of(when(20), when(20)),
    labels: Float64Array.of(1, 0),
    closes: Float64Array.of(when(50), when(50)),
  };
  const { flags } = opened({ ...chain, fraud: [] }, labels, ofLabels);
  expect(flags('a', 49)).toEqual([]);
  expect(flags('a', 50)).toMatchObject([{ hops: 1, path: [{ entity: 'b' }] }]);
});

test('rows shared later push none out that were shared before', () => {
  const many = Array.from({ length: 1_000 }, (_, k) => k + 1);
  const shared = (days: number): Data => ({
    ...chain,
    device: [...many, 1_001].map((device_id) => ({ device_id })),
    login: [...many.map((device_id) => login('a', device_id, days)), login('a', 1_001, 10), login('d', 1_001, 10)],
  });
  expect(opened(shared(70)).flags('a', 60)).toMatchObject([{ hops: 1, path: [{ entity: 'd' }] }]);
  // So few shared rows are within the limit of rows that are read.
  expect(opened(shared(5)).flags('a', 60)).toEqual([]);
});

test('what very many share links nobody', () => {
  const crowd = Array.from({ length: 49 }, (_, k) => `x${k}`);
  const data = (names: readonly string[]): Data => ({
    ...chain,
    login: [],
    customer: [...chain.customer!, ...names.map((name) => customer(name))],
    transfer: [],
    fraud: [report('d', 5)],
  });
  const share = (names: readonly string[]) =>
    opened({ ...data(names), login: ['a', ...names, 'd'].map((name) => login(name, 1, 1)) });
  expect(share(crowd.slice(0, 48)).flags('a', 60)).toHaveLength(1);
  expect(share(crowd).flags('a', 60)).toEqual([]);
});

test('a tight group with several bad actors is told before them, with the way to the nearest', () => {
  const ring = opened({
    ...chain,
    login: ['a', 'b', 'c', 'd'].map((name, k) => login(name, 1, k)),
    fraud: [report('c', 8), report('d', 20)],
  });
  const [cluster, ...actors] = ring.flags('a', 60);
  expect(cluster).toMatchObject({
    kind: 'suspicious_cluster',
    hops: 1,
    since: '2024-01-09',
    path: [{ entity: 'c', relation: 'device', date: '2024-01-03' }],
  });
  expect(cluster!.text).toBe('in a group of 4 that share device, of whom 2 are known bad actors, since 2024-01-09');
  expect(actors.map(({ kind }) => kind)).toEqual(['known_bad_actor', 'known_bad_actor']);
  expect(ring.flags('a', 10).map(({ kind }) => kind)).toEqual(['known_bad_actor']);
  expect(ring.network.flags(ring.anchors(['a'], 60), 'pt-BR')[0][0].text).toContain('um grupo de 4 que compartilham');
});

/** Four customers in a circle, each sharing a device with the next; some also linked by a transfer. */
const circle = (transfers: readonly string[]): Data => ({
  ...chain,
  device: [1, 2, 3, 4].map((device_id) => ({ device_id })),
  login: ['a', 'b', 'c', 'd'].flatMap((name, k) => [login(name, k + 1, k), login(name, ((k + 1) % 4) + 1, k)]),
  transfer: transfers.map((pair) => ({ payer: pair[0], payee: pair[1], sent: when(12) })),
  fraud: [report('c', 30)],
});

test('one bad actor makes a group where its members are tied in several ways, and whoever only hangs on it is no member', () => {
  const flagged = (data: Data, key: string, days = 60) =>
    opened(data)
      .flags(key, days)
      .map(({ kind, hops }) => [kind, hops]);
  const tight = circle(['ab', 'bc', 'cd', 'da']);
  expect(flagged(tight, 'a')).toEqual([
    ['suspicious_cluster', 2],
    ['known_bad_actor', 2],
  ]);
  expect(flagged(tight, 'a', 29)).toEqual([]);
  expect(flagged(tight, 'a', 11)).toEqual([]);
  expect(flagged(circle(['ab', 'bc', 'cd']), 'a')).toEqual([['known_bad_actor', 2]]);
  const hanging = {
    ...tight,
    login: [...tight.login!, login('b', 9, 1), login('e', 9, 1)],
    device: [...tight.device!, { device_id: 9 }],
  };
  expect(
    flagged({ ...hanging, transfer: [...tight.transfer!, { payer: 'e', payee: 'b', sent: when(12) }] }, 'e'),
  ).toEqual([['known_bad_actor', 2]]);
});

test('where bad actors are common, a link to one of many says nothing', () => {
  const shared = {
    ...chain,
    login: ['a', ...bystanders.slice(0, 9).map(({ customer_id }) => String(customer_id))].map((name) =>
      login(name, 1, 1),
    ),
  };
  const reports = (count: number) =>
    bystanders.slice(0, count).map(({ customer_id }) => report(String(customer_id), 5));
  const elsewhere = bystanders.slice(100, 300).map(({ customer_id }) => report(String(customer_id), 5));
  expect(opened({ ...shared, fraud: reports(1) }).flags('a', 60)).toHaveLength(1);
  expect(opened({ ...shared, fraud: [...reports(1), ...elsewhere] }).flags('a', 60)).toEqual([]);
  expect(opened({ ...shared, fraud: [...reports(8), ...elsewhere] }).flags('a', 60)[0]).toMatchObject({
    kind: 'suspicious_cluster',
  });
});

test('personal keys stay out', () => {
  const personal = {
    ...contract,
    tables: contract.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => (column.name === 'customer_id' ? { ...column, pii: true } : column)),
    })),
  };
  const tables = sampleTables(personal, chain);
  const { anchors } = opened(chain);
  const told = openNetwork(task, tables, none).flags({ ...anchors(['a'], 60), table: tables.get('customer')! }, 'en');
  expect(told[0][0].path.map(({ entity }) => entity)).toEqual([null, null, null]);
});

test('warm paths are the pairs of a shared row and a customer by it, at any moment', () => {
  let most = 0;
  let hubs = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 0 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 2, max: 90 }),
      (seed, things, people) => {
        const { data, names } = drawWorld(draws(seed), things, people);
        const { paths, newcomers } = opened(data);
        for (const days of [0, 20, 55, 100]) {
          const standing = Map.groupBy(standingBy(data, days), ([, node]) => node);
          const customers = new Set(
            data.fraud!.filter(({ reported }) => Number(reported) <= when(days)).map((row) => row.customer_id),
          );
          const expected = new Map(names.map((name) => [name, 0]));
          for (const pairs of standing.values()) {
            // Rows shared by more than 50 are not links.
            if (pairs.length > 50) hubs++;
            else
              for (const [name] of pairs)
                for (const [other] of pairs)
                  if (other !== name && customers.has(other)) expected.set(name, expected.get(name)! + 1);
          }
          expect(paths(names, days)).toEqual([...expected.values()]);
          most = Math.max(most, ...expected.values());
          const byAddress = Array.from({ length: things }, (_, k) => standing.get(`address${k}`) ?? []);
          const ofNew = byAddress.map((pairs) =>
            pairs.length > 50 ? 0 : pairs.filter(([name]) => customers.has(name)).length,
          );
          expect(newcomers(things, days)).toEqual(ofNew);
        }
      },
    ),
    { numRuns: 60, seed: 1 },
  );
  expect(most).toBeGreaterThan(20);
  expect(hubs).toBeGreaterThan(0);
});

test('the way of every flag is over rows that both stood by on its days, to one known by then', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(fc.integer({ min: 0 }), fc.integer({ min: 5, max: 60 }), (seed, things) => {
      const { data, names } = drawWorld(draws(seed), things, 40);
      const rare = { ...data, fraud: data.fraud!.slice(0, 4) };
      const { flags } = opened({ ...rare, customer: [...data.customer!, ...bystanders] });
      for (const days of [30, 70]) {
        for (const name of names) {
          for (const { kind, path, hops, since } of flags(name, days)) {
            kinds.add(`${kind} over ${hops}`);
            expect(path).toHaveLength(hops);
            let from = name;
            for (const { entity, relation, date } of path) {
              const day = Math.round((at(date!) - start) / 86_400_000_000);
              const nodesOf = (who: string, by: number) =>
                standingBy(rare, by).flatMap(([one, node]) => (one === who && node.startsWith(relation) ? [node] : []));
              const shared = (by: number) => nodesOf(from, by).filter((node) => nodesOf(entity!, by).includes(node));
              expect(shared(day).length).toBeGreaterThan(0);
              expect(shared(day).some((node) => !shared(day - 1).includes(node))).toBe(true);
              expect(date! <= since!).toBe(true);
              from = entity!;
            }
            const reports = rare.fraud
              .filter(({ customer_id }) => customer_id === from)
              .map((row) => Number(row.reported));
            expect(Math.min(...reports)).toBeLessThanOrEqual(at(since!));
            expect(at(since!)).toBeLessThanOrEqual(when(days));
          }
        }
      }
    }),
    { numRuns: 10, seed: 1 },
  );
  for (const kind of [
    'known_bad_actor over 1',
    'known_bad_actor over 2',
    'suspicious_cluster over 1',
    'suspicious_cluster over 2',
  ])
    expect(kinds).toContain(kind);
});

function drawWorld(draw: Draw, things: number, people: number): { data: Data; names: readonly string[] } {
  const names = Array.from({ length: people }, (_, k) => `c${k}`);
  const data: Data = {
    device: Array.from({ length: things }, (_, k) => ({ device_id: k })),
    address: Array.from({ length: things }, (_, k) => ({ address_id: k })),
    customer: names.map((name) => customer(name, draw.maybe(0.3, draw.between(0, things - 1)), draw.between(0, 40))),
    login: Array.from({ length: 150 }, () =>
      login(draw.pick(names), draw.between(0, things - 1), draw.between(0, 100)),
    ),
    transfer: Array.from({ length: 80 }, () => ({
      payer: draw.pick(names),
      payee: draw.maybe(0.1, draw.pick(names)),
      sent: when(draw.between(0, 100)),
    })),
    account: Array.from({ length: 30 }, (_, k) => ({
      ...{ account_id: k, customer_id: draw.pick(names), opened: when(draw.between(0, 80)) },
    })),
    withdrawal: Array.from({ length: 60 }, () => ({
      account_id: draw.maybe(0.1, draw.between(0, 29)),
      device_id: draw.maybe(0.1, draw.between(0, things - 1)),
      made: when(draw.between(0, 100)),
    })),
    fraud: Array.from({ length: 40 }, () => report(draw.pick(names), draw.between(0, 100))),
  };
  return { data, names };
}

/** Pairs of an entity and a node it is linked to, known by that day. */
function standingBy(data: Data, days: number): [entity: string, node: string][] {
  const pairs = new Set<string>();
  const known = (moment: unknown) => Number(moment) <= when(days);
  // An entity that does not exist yet has no links.
  const there = new Set(data.customer!.filter(({ created }) => known(created)).map((row) => row.customer_id));
  for (const { customer_id, address_id } of data.customer!)
    if (there.has(customer_id!) && address_id !== null) pairs.add(`${customer_id} address${address_id}`);
  for (const row of data.login!)
    if (known(row.at) && there.has(row.customer_id!)) pairs.add(`${row.customer_id} device${row.device_id}`);
  for (const { account_id, device_id, made } of data.withdrawal!) {
    const account = data.account!.find((one) => one.account_id === account_id);
    if (account && device_id !== null && known(made) && known(account.opened) && there.has(account.customer_id!))
      pairs.add(`${account.customer_id} device${device_id}`);
  }
  data.transfer!.forEach(({ payer, payee, sent }, k) => {
    if (!known(sent)) return;
    for (const party of [payer, payee]) if (party != null && there.has(party)) pairs.add(`${party} transfer${k}`);
  });
  return [...pairs].map((pair) => pair.split(' ') as [string, string]);
}
