/** Predictions counted over time, and found by what they are about. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenant as ofTenant } from '../src/access/transactions.ts';
import { readPage } from '../src/api/list.ts';
import { idsFrom } from '../src/lib/crypto/ids.ts';
import { predictionsFrom } from '../src/resources/predictions/filter.ts';
import { countPredictions, selectPredictions } from '../src/resources/predictions/sql.ts';
import { countedMax, spansOf } from '../src/resources/predictions/statistics.ts';
import { expectRefusal } from './problems.ts';
import type { Client, Tenant, TestService } from './service.ts';
import type { World } from './world.ts';
import { type Inhabited, startWorlds } from './worlds.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let world: World;
let other: Inhabited;

beforeAll(async () => {
  const worlds = await startWorlds();
  ({ service } = worlds);
  ({ tenant, world } = worlds.a);
  other = worlds.b;
  client = tenant.client;
  await service.owner.pool.query(`update workspaces set time_zone = 'Asia/Kolkata' where id = $1`, [
    tenant.ctx.workspaceId,
  ]);
});
afterAll(() => service.close());

const model = 'mdl_000000000000000000000000000000aa';
const path = '/v1/api/predictions/statistics';
const minuteMs = 60_000;

type Made = {
  readonly minute: number;
  readonly version: string;
  readonly band: string | null;
  readonly tenth: number | null;
  readonly channel: string;
  readonly latency: number;
  readonly key: string;
  readonly alias: string | null;
};

/** Predictions of a day long gone, one every 7 minutes. */
const begin = Date.parse('2024-05-05T12:10:00Z');
const made: readonly Made[] = Array.from({ length: 60 }, (_, i) => ({
  minute: 7 * i,
  version: `ver_${i % 3}`,
  band: i % 4 === 0 ? null : ['Low Risk', 'High Risk'][i % 2],
  tenth: i % 5 === 0 ? null : 1 + (i % 10),
  channel: i % 6 === 0 ? 'dashboard' : 'api',
  latency: 1 + ((i * 37) % 60),
  key: `K${i % 4}`,
  alias: i % 2 === 0 ? 'production' : null,
}));

async function insert(rows: readonly Made[], of: Pick<Tenant, 'ctx'> = tenant, mark = 'a'): Promise<void> {
  await service.owner.pool.query(
    `insert into predictions (id, organization_id, workspace_id, model_id, version_id, snapshot_id, alias, as_of, inputs,
        outputs, request_id, created_at, channel, latency_ms, band, tenth, entity_table, entity_key)
      select id, $1, $2, $3, version, 'snp_1', alias, at, '{}', '{}', 'req_1', at, channel, latency, band, tenth, 'shops', key
      from jsonb_to_recordset($4) as r (id text, at timestamptz, version text, alias text, channel text, latency real,
        band text, tenth smallint, key text)`,
    [
      of.ctx.organizationId,
      of.ctx.workspaceId,
      model,
      JSON.stringify(
        rows.map((row, i) => ({
          ...row,
          at: new Date(begin + minuteMs * row.minute),
          id: `${idsFrom('prd', begin + minuteMs * row.minute)}7${mark}${String(i).padStart(18, '0')}`,
        })),
      ),
    ],
  );
}

beforeAll(async () => {
  await insert(made);
  await insert(made.slice(0, 9), other.tenant, 'b');
});

const during = 'from=2024-05-05T12:00:00Z&to=2024-05-06T00:00:00Z';
type Counts = Readonly<Record<string, unknown>>[];
type Bucket = {
  readonly start: string;
  readonly end: string;
  readonly predictions: number;
  readonly latency_ms: unknown;
  readonly versions: Counts;
  readonly bands: Counts;
  readonly tenths: Counts;
  readonly channels: Counts;
};
const ask = async (query: string) => {
  const { body, status, text } = await client.get(`${path}?${query}`);
  expect(status, text).toBe(200);
  return body.data as Bucket[];
};

/** Sums by hand of what lies in a bucket. */
function countBy(bucket: Bucket, of: (row: Made) => unknown): [unknown, number][] {
  const own = made.filter(({ minute }) => {
    const at = begin + minuteMs * minute;
    return at >= Date.parse(bucket.start) && at < Date.parse(bucket.end);
  });
  return [...Map.groupBy(own, of)].map(([name, rows]): [unknown, number] => [name, rows.length]).sort();
}

const told = (list: Counts, name: string) => list.map((one): [unknown, unknown] => [one[name], one.predictions]).sort();

test.each(['hour', 'day', 'all'])(
  'what is counted by %s is what is there, each kind of count for itself',
  async (by) => {
    const data = await ask(`bucket=${by}&${during}`);
    for (const bucket of data) {
      expect(told(bucket.versions, 'version_id')).toEqual(countBy(bucket, ({ version }) => version));
      expect(told(bucket.bands, 'band')).toEqual(countBy(bucket, ({ band }) => band));
      expect(told(bucket.tenths, 'tenth')).toEqual(countBy(bucket, ({ tenth }) => tenth));
      expect(told(bucket.channels, 'channel')).toEqual(countBy(bucket, ({ channel }) => channel));
      expect(bucket.predictions).toBe(countBy(bucket, () => 1)[0]?.[1] ?? 0);
    }
    expect(data.reduce((sum, { predictions }) => sum + predictions, 0)).toBe(made.length);
  },
);

test('hours and days are those of the workspace, and each begins where the one before ends', async () => {
  const hours = await ask(`bucket=hour&${during}`);
  expect(hours.slice(0, 3).map(({ start }) => start)).toEqual([
    '2024-05-05T12:00:00.000Z',
    '2024-05-05T12:30:00.000Z',
    '2024-05-05T13:30:00.000Z',
  ]);
  hours.slice(1).forEach(({ start }, i) => {
    expect(start).toBe(hours[i].end);
  });
  expect(hours.at(-1)).toMatchObject({ end: '2024-05-06T00:00:00.000Z', predictions: 0, latency_ms: null });
  // Midnight in Kolkata.
  const days = await ask(`bucket=day&${during}`);
  expect(days.map(({ start }) => start)).toEqual(['2024-05-05T12:00:00.000Z', '2024-05-05T18:30:00.000Z']);
});

test('latencies are told by their quantiles', async () => {
  const [{ latency_ms }] = await ask(`bucket=all&${during}`);
  const sorted = made.map(({ latency }) => latency).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  expect(latency_ms).toEqual({ p50: at(0.5), p95: at(0.95), p99: at(0.99) });
});

test.each<[string, (row: Made) => boolean]>([
  ['version_id=ver_1', ({ version }) => version === 'ver_1'],
  [`model_id=${model}`, () => true],
  ['alias=production', ({ alias }) => alias === 'production'],
  ['band=Low%20Risk', ({ band }) => band === 'Low Risk'],
  ['channel=dashboard', ({ channel }) => channel === 'dashboard'],
  ['entity=shops&key=K2', ({ key }) => key === 'K2'],
  ['key=K2', ({ key }) => key === 'K2'],
  ['entity=others&key=K2', () => false],
  ['key=K2&version_id=ver_1', ({ key, version }) => key === 'K2' && version === 'ver_1'],
])('%s narrows the list and the counts alike', async (query, isWanted) => {
  const wanted = made.filter(isWanted).length;
  const [{ predictions }] = await ask(`bucket=all&${during}&${query}`);
  expect(predictions).toBe(wanted);
  const ids = new Set<string>();
  for (let cursor = ''; ; ) {
    const { body, text } = await client.get(`/v1/api/predictions?limit=7&${during}&${query}${cursor}`);
    for (const { id } of body.data) ids.add(id);
    if (!body.has_more) break;
    expect(body.data, text).toHaveLength(7);
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  expect(ids.size).toBe(wanted);
});

test('from is included and to is not', async () => {
  const at = (minute: number) => new Date(begin + minuteMs * minute).toISOString();
  const { body } = await client.get(`/v1/api/predictions?from=${at(7)}&to=${at(21)}`);
  expect(body.data.map(({ created_at }: { created_at: string }) => created_at)).toEqual([at(14), at(7)]);
  const [{ predictions }] = await ask(`bucket=all&from=${at(7)}&to=${at(21)}`);
  expect(predictions).toBe(2);
});

test('a cursor is of its filters alone', async () => {
  const { body } = await client.get(`/v1/api/predictions?limit=1&${during}&band=Low%20Risk`);
  const cursor = encodeURIComponent(body.next_cursor);
  const moved = await client.get(`/v1/api/predictions?limit=1&${during}&band=High%20Risk&cursor=${cursor}`);
  expectRefusal(moved, 400, 'invalid_cursor');
});

test('an answered prediction says whom it is about, how it came in and how long it took, and is counted', async () => {
  const customer = `${world.canary}C1`;
  const since = new Date().toISOString();
  const { body } = await client.post(`/v1/api/prediction/${world.model}/${world.alias}`, { customer_id: customer });
  const kept = await client.get(`/v1/api/predictions/${body.prediction_id}`);
  expect(kept.body, kept.text).toMatchObject({
    entity: { table: 'customers', key: customer },
    band: null,
    channel: 'api',
    latency_ms: expect.any(Number),
  });
  expect(kept.body.latency_ms).toBeGreaterThan(0);
  const [{ predictions, tenths, versions }] = await ask(`bucket=all&from=${since}&entity=customers&key=${customer}`);
  const tenth = Math.min(Math.floor(10 * body.prediction) + 1, 10);
  expect({ predictions, tenths, versions }).toEqual({
    predictions: 1,
    tenths: [{ tenth, predictions: 1 }],
    versions: [{ model_id: world.model, version_id: body.version_id, predictions: 1 }],
  });
});

test('a filter looks at so many predictions for a page, which then may be empty, and goes on by its cursor', async () => {
  const { app } = service.service;
  const [from, until] = [0, 24 * 60].map((minute) => predictionsFrom(begin + minute * minuteMs));
  const filter = { filters: { version_id: 'ver_1' }, from, until };
  const read = (cursor: string | null) =>
    readPage(
      app.keys.cursors,
      ['predictions of a version'],
      { limit: 3, count: true, ...(cursor !== null && { cursor }) },
      (before, most) => ofTenant(app.db, tenant.ctx, (tx) => selectPredictions(tx, filter, before, most, 2)),
      ({ id }) => id,
      (most) => ofTenant(app.db, tenant.ctx, (tx) => countPredictions(tx, filter, most, 30)),
    );
  const pages = [await read(null)];
  while (pages.at(-1)!.has_more) pages.push(await read(pages.at(-1)!.next_cursor));
  const ids = (await client.get(`/v1/api/predictions?version_id=ver_1&${during}`)).body.data.map(
    ({ id }: { id: string }) => id,
  );
  expect(ids).toHaveLength(20);
  expect(pages.flatMap(({ data }) => data)).toEqual(ids);
  expect(pages.some(({ data, has_more }) => data.length === 0 && has_more)).toBe(true);
  expect(pages[0].total).toEqual({ count: 10, has_more: true });
});

test('the neighbour sees its own alone', async () => {
  const { body } = await other.tenant.client.get(`${path}?bucket=all&${during}`);
  expect(body.data[0].predictions).toBe(9);
});

test('what is not understood is refused by its name', async () => {
  for (const [query, pointer] of [
    ['bucket=week', '/query/bucket'],
    ['from=yesterday', '/query/from'],
    ['to=2024-05-05', '/query/to'],
    ['from=2024-05-05T12:00:00Z&to=2024-05-05T12:00:00Z', '/query/from'],
    ['entity=shops', '/query/entity'],
    ['channel=sftp', '/query/channel'],
  ])
    expectRefusal(await client.get(`${path}?${query}`), 400, 'invalid_parameter', pointer);
});

test.each(Object.entries(spansOf))('by %s no longer time than its limit is counted', async (bucket, { daysMax }) => {
  const to = new Date(begin + daysMax * 24 * 60 * minuteMs).toISOString();
  const within = await client.get(`${path}?bucket=${bucket}&from=${new Date(begin).toISOString()}&to=${to}`);
  expect(within.status, within.text).toBe(200);
  const beyond = await client.get(`${path}?bucket=${bucket}&from=${new Date(begin - 1).toISOString()}&to=${to}`);
  expectRefusal(beyond, 400, 'invalid_parameter', '/query/from');
});

test('more predictions than are counted at once are refused by their limit', () => {
  // Measured with a million rows; here only what is documented.
  expect(countedMax).toBe(1_000_000);
});
