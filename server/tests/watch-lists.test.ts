/** Watch lists over HTTP: who moves is told once, why, and to nobody else. */
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../src/lib/crypto/ids.ts';
import { failRescoring, rescore } from '../src/resources/watch-lists/rescore.ts';
import { entrySchema, moveSchema, movesToldMax, watchListSchema } from '../src/resources/watch-lists/watch-list.ts';
import { readMetric } from './metrics.ts';
import { expectRefusal } from './problems.ts';
import { type Reply, startTestService, type Tenant, type TestService } from './service.ts';
import { csv, shopText } from './shop.ts';
import { sendTables, takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

type Body = Reply['body'];

let service: TestService;
let tenant: Tenant;
let model: string;
let old: string;
/** A copy of it. */
let young: string;

/** Names of customers are kept in the dictionary, out of which they can be erased. */
const contract = shopText('contract.yaml').replace(
  '        value: since\n',
  '        value: since\n      - property: entityKind\n        value: individual\n',
);
const customers = 26;
const dayMs = 24 * 60 * 60 * 1000;
/** The day so many days ago. */
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const person = 'C5-to-be-forgotten';
const key = (c: number) => (c === 5 ? person : `C${c}`);
/** Who orders every fortnight; the others stopped at some time, and are silent since. */
const orders = Array.from({ length: customers }, (_, c) => {
  const until = c % 2 === 0 ? 2 : 120 + 3 * ((7 * c) % 70);
  return Array.from({ length: 30 }, (_, n) => 395 - 14 * n - (c % 9))
    .filter((days) => days >= until)
    .map((days, n) => [`O${c}-${n}`, key(c), ago(days), 10 + ((c + n) % 17)]);
}).flat();
/** Who orders within 30 days of each of these days. */
function labels(days: readonly number[]): string {
  const isIn = (c: number, from: number) =>
    orders.some(([, who, at]) => who === key(c) && at > ago(from) && at <= ago(from - 30));
  const rows = days.flatMap((from) => keys.map((who, c) => [ago(from), who, isIn(c, from) ? 1 : 0]));
  return csv('date,customer_id,defaulted', rows);
}

const keys = Array.from({ length: customers }, (_, c) => key(c));

beforeAll(async () => {
  service = await startTestService({ metricsPort: 0 });
  tenant = await service.tenant('Watching');
  const since = keys.map((one, c) => [one, c % 3 ? 'retail' : 'trade', ago(400 + c)]);
  await takeIn(tenant.client, contract, {
    customers: csv('customer_id,segment,since', since),
    orders: ordersOf(orders),
  });
  const { run } = await trainTask(tenant.client, {
    name: 'defaults',
    definition: 'kind: credit\nentity: customers\nkey: customer_id\ntime: date\nlabel: defaulted\nwindow: 30d\n',
    labels: { train: labels([300, 260, 220, 180]), validation: labels([140, 100, 60]) },
  });
  ({ model_id: model, version_id: old } = run);
  young = newId('ver');
  await service.owner.pool.query(
    `insert into model_versions select (jsonb_populate_record(v, jsonb_build_object('id', $1::text, 'number', 2))).*
     from model_versions as v where id = $2`,
    [young, old],
  );
});
afterAll(() => service.close());

function ordersOf(rows: readonly (readonly (string | number)[])[]): string {
  return csv('order_id,customer_id,ordered_at,amount', rows);
}

async function ingest(tables: Record<string, string>): Promise<string> {
  const files = (await sendTables(tenant.client, tables)).map((file) => ({ ...file, mode: 'append' }));
  const started = await tenant.client.post('/v1/api/ingestions', { files });
  const { body, text } = await tenant.client.finished(`/v1/api/ingestions/${started.body.id}`);
  expect(body.status, text).toBe('succeeded');
  return body.snapshot_id;
}

async function watch(body: object): Promise<Body> {
  const made = await tenant.client.post('/v1/api/watch-lists', {
    name: 'watched',
    model: `${model}/production`,
    ...body,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** The list once it has been rescored of all that was due. */
async function rested(id: string): Promise<Body> {
  return vi.waitUntil(
    async () => {
      const { body, text } = await tenant.client.get(`/v1/api/watch-lists/${id}`);
      expect([...Compile(watchListSchema).Errors(body)], text).toEqual([]);
      expect(body.failure, text).toBeNull();
      return !body.is_due && body.as_of !== null && body;
    },
    { timeout: 120_000, interval: 100 },
  );
}

async function listed(path: string): Promise<Body[]> {
  const { body, text } = await tenant.client.get(
    `/v1/api/watch-lists/${path}${path.includes('?') ? '&' : '?'}limit=200`,
  );
  const schema = path.includes('/moves') ? moveSchema : entrySchema;
  for (const one of body.data) expect([...Compile(schema).Errors(one)], text).toEqual([]);
  return body.data;
}

/** What was told of a list, oldest first. */
async function told(id: string): Promise<Body[]> {
  const { rows } = await service.owner.pool.query(
    "select payload from events where type = 'watch-list-move' and resource_id = $1 order by id",
    [id],
  );
  return rows.map(({ payload }) => payload);
}

/** As if the list had been rescored the day before yesterday, when entries were told with other scores. */
async function fallBack(id: string, entries: readonly string[], isLeft = false): Promise<void> {
  const { pool } = service.owner;
  // Nobody takes it until all of it is so.
  await pool.query("update watch_lists set rest_until = now() + interval '1 hour' where id = $1", [id]);
  await pool.query(
    "update watch_list_entries set told_score = told_score + 1, told_band = 'Low Risk' where list_id = $1 and key = any($2)",
    [id, entries],
  );
  const rest = isLeft ? 'rest_until' : 'now()';
  await pool.query(`update watch_lists set as_of = as_of - interval '2 days', rest_until = ${rest} where id = $1`, [
    id,
  ]);
}

let list: Body;

test('entities of a list are scored as the real-time route answers, and their first scores are no moves', async () => {
  const made = await watch({ keys: [...keys, 'C-late', 'C-late'] });
  expect(made).toMatchObject({
    ...{ model_id: model, alias: 'production', table: 'customers', is_personal: false, threshold: null, field: null },
    ...{ entries: { total: customers + 1, scored: 0, unknown: 0, refused: 0, waiting: customers + 1 }, moves: 0 },
    ...{ version_id: null, as_of: null, is_due: true, failure: null },
  });
  list = await rested(made.id);
  expect(list).toMatchObject({ version_id: old, field: 'score', moves: 0, last_moved_at: null });
  expect(list.entries).toMatchObject({ total: customers + 1, scored: customers, unknown: 1, waiting: 0 });
  const entries = await listed(`${list.id}/entries`);
  for (const one of [0, 1, 2, 3, person]) {
    const name = typeof one === 'number' ? key(one) : one;
    const { body } = await tenant.client.post(`/v1/api/prediction/${model}/production`, { customer_id: name });
    const entry = entries.find((own) => own.key === name);
    expect(entry).toMatchObject({ status: 'scored', score: body.score, band: body.risk_band, as_of: list.as_of });
    expect(entry.told).toEqual({ score: body.score, band: body.risk_band, at: list.as_of });
    expect(entry.history).toEqual([{ at: list.as_of, score: body.score }]);
  }
  expect(entries.find((own) => own.key === 'C-late')).toMatchObject({ status: 'unknown', score: null, told: null });
  expect(new Set(entries.map(({ band }) => band)).size).toBeGreaterThan(2);
  expect(await told(list.id)).toEqual([]);
});

test('data of others move nobody, and who comes into the data is scored', async () => {
  const snapshot = await ingest({ customers: csv('customer_id,segment,since', [['C-late', 'retail', ago(3)]]) });
  const now = await rested(list.id);
  expect(now).toMatchObject({ snapshot_id: snapshot, moves: 0, entries: { scored: customers + 1, unknown: 0 } });
  expect(await told(list.id)).toEqual([]);
});

test('a change of the data of one entity is one move and one event, without its key', async () => {
  const [before] = await listed(`${list.id}/entries?key=C1`);
  const planted = Array.from({ length: 12 }, (_, n) => [`planted-${n}`, 'C1', ago(1 + 3 * n), 25]);
  const snapshot = await ingest({ orders: ordersOf(planted) });
  const now = await rested(list.id);
  const [after] = await listed(`${list.id}/entries?key=C1`);
  expect(after.band).not.toBe(before.band);
  expect(after.history.map(({ score }: Body) => score)).toEqual([before.score, after.score]);
  const moves = await listed(`${list.id}/moves`);
  expect(moves).toEqual([
    {
      ...{ id: expect.stringMatching(/^wlm_/), entry_id: after.id, key: 'C1', at: now.as_of, because: 'data' },
      from: { score: before.score, band: before.band },
      to: { score: after.score, band: after.band },
      ...{ from_version_id: old, version_id: old, snapshot_id: snapshot },
    },
  ]);
  expect(now).toMatchObject({ moves: 1, last_moved_at: now.as_of });
  expect(await told(list.id)).toEqual([
    {
      ...{ id: list.id, name: 'watched', model_id: model, alias: 'production', version_id: old, because: 'data' },
      ...{ as_of: now.as_of, moves: 1, entry_id: after.id, move_id: moves[0].id },
      ...{ from_band: before.band, to_band: after.band, from_score: before.score, to_score: after.score },
    },
  ]);
  const inbox = await vi.waitUntil(
    async () => {
      const person = await tenant.signedIn('developer', 'workspace');
      await fallBack(list.id, ['C2']);
      await rested(list.id);
      return vi.waitUntil(
        async () => {
          const { body } = await person.get('/v1/api/notifications');
          return body.data.find(({ type }: Body) => type === 'watch-list-move');
        },
        { timeout: 120_000 },
      );
    },
    { timeout: 120_000 },
  );
  expect(inbox.body).toContain('defaults');
  expect(inbox.link).toBe(`/watch-lists/${list.id}?tab=moves&workspace=${tenant.ctx.workspaceId}`);
  expect(JSON.stringify(inbox)).not.toContain('C2');
});

test('a day later nothing is told, unless it moved by the time alone', async () => {
  const before = (await told(list.id)).length;
  await fallBack(list.id, []);
  const still = await rested(list.id);
  expect(new Date(still.as_of).getTime()).toBeGreaterThan(Date.now() - dayMs);
  expect(await told(list.id)).toHaveLength(before);
  await fallBack(list.id, ['C4']);
  await rested(list.id);
  const [, ...rest] = (await told(list.id)).reverse();
  expect(rest).toHaveLength(before);
  expect((await listed(`${list.id}/moves`))[0]).toMatchObject({
    key: 'C4',
    because: 'time',
    from: { band: 'Low Risk' },
  });
});

test('a run that is interrupted tells nothing, and two that run at once tell each move once', async () => {
  const before = (await told(list.id)).length;
  await fallBack(list.id, ['C6', 'C8'], true);
  const job = { id: list.id, workspace_id: tenant.ctx.workspaceId };
  const { app } = service.service;
  const compute = app.compute!;
  for (const when of ['before', 'as it scores'] as const) {
    const stop = new AbortController();
    if (when === 'before') stop.abort();
    const run = compute.run.bind(compute);
    const running = vi.spyOn(compute, 'run').mockImplementation((...given) => {
      stop.abort();
      return run(...given);
    });
    await expect(rescore(app, job, stop.signal), when).rejects.toThrow();
    running.mockRestore();
    expect(stop.signal.aborted, when).toBe(true);
    expect(await told(list.id)).toHaveLength(before);
  }
  const never = new AbortController().signal;
  await Promise.all([rescore(app, job, never), rescore(app, job, never), rescore(app, job, never)]);
  await rescore(app, job, never);
  const keysMoved = (await listed(`${list.id}/moves`)).slice(0, 2).map((move) => move.key);
  expect(keysMoved.sort()).toEqual(['C6', 'C8']);
  expect(await told(list.id)).toHaveLength(before + 2);
});

test('many moves of one rescoring are one event', async () => {
  const before = (await told(list.id)).length;
  const many = keys.filter((_, c) => c > 2);
  expect(many.length).toBeGreaterThan(movesToldMax);
  await fallBack(list.id, many);
  await rested(list.id);
  const events = await told(list.id);
  expect(events).toHaveLength(before + 1);
  expect(events.at(-1)).toMatchObject({ moves: many.length, because: 'time' });
  expect(events.at(-1)).not.toHaveProperty('entry_id');
});

test('another version behind the alias tells that it is the version that changed', async () => {
  const before = (await told(list.id)).length;
  const { pool } = service.owner;
  const { rows } = await pool.query(
    "update watch_list_entries set told_band = 'Low Risk' where list_id = $1 and key in ('C0', 'C1') returning id",
    [list.id],
  );
  const path = `/v1/api/models/${model}/aliases/production`;
  const body = { version_id: young, override: { reason: 'to see what moves' } };
  expect((await tenant.client.send('PUT', path, { body })).status).toBe(200);
  expect(await rested(list.id)).toMatchObject({ version_id: young });
  const moves = (await listed(`${list.id}/moves?because=version`)).sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(moves).toMatchObject([{ key: 'C0' }, { key: 'C1' }]);
  for (const move of moves) expect(move).toMatchObject({ from_version_id: old, version_id: young });
  const events = (await told(list.id)).slice(before);
  expect(events.map(({ entry_id }) => entry_id).sort()).toEqual(rows.map(({ id }) => id).sort());
  for (const event of events) expect(event).toMatchObject({ because: 'version', version_id: young });
});

test('entries are replaced, added and removed, and those that stay keep what is known of them', async () => {
  const path = `/v1/api/watch-lists/${list.id}/entries`;
  const [kept] = await listed(`${list.id}/entries?key=C1`);
  const put = await tenant.client.send('PUT', path, { body: { keys: ['C1', 'C3', person, 'Z'] } });
  expect(put.body.entries, put.text).toEqual({ total: 4, scored: 3, unknown: 0, refused: 0, waiting: 1 });
  await rested(list.id);
  expect(await listed(`${list.id}/entries?status=unknown`)).toMatchObject([{ key: 'Z' }]);
  const added = await tenant.client.post(path, { keys: ['C1', 'C7', 'x'.repeat(1_000)] });
  expect(added.body.entries.total).toBe(6);
  const removed = await tenant.client.post(`${path}/removal`, { keys: ['Z', 'nobody'] });
  expect(removed.body.entries.total).toBe(5);
  expect((await listed(`${list.id}/entries?key=C1`))[0]).toEqual({ ...kept, as_of: expect.any(String) });
  expect((await listed(`${list.id}/moves`)).every((move) => ['C1', 'C3', person].includes(move.key))).toBe(true);
});

test('what cannot be watched is refused with what to do', async () => {
  const ask = (body: object) => tenant.client.post('/v1/api/watch-lists', { name: 'x', ...body });
  expectRefusal(await ask({ model: `${model}/${old}` }), 422, 'invalid', '/model');
  expectRefusal(await ask({ model: `${model}/elsewhere` }), 404, 'not_found', '/model');
  expectRefusal(await ask({ model: 'nothing/production' }), 404, 'not_found', '/model');
  const path = `/v1/api/watch-lists/${list.id}`;
  expectRefusal(await tenant.client.send('PATCH', path, { body: { alias: 'elsewhere' } }), 404, 'not_found', '/alias');
  const renamed = await tenant.client.send('PATCH', path, { body: { name: 'renamed', threshold: { share: 0.5 } } });
  expect(renamed.body, renamed.text).toMatchObject({ name: 'renamed', threshold: { share: 0.5 }, alias: 'production' });
});

test('another tenant sees no list, and changes none', async () => {
  const other = await service.tenant('Elsewhere');
  expect((await other.client.get('/v1/api/watch-lists')).body.data).toEqual([]);
  for (const path of ['', '/entries', '/moves'])
    expectRefusal(await other.client.get(`/v1/api/watch-lists/${list.id}${path}`), 404, 'not_found');
  const body = { keys: ['C1'] };
  expectRefusal(await other.client.send('PUT', `/v1/api/watch-lists/${list.id}/entries`, { body }), 404, 'not_found');
  expectRefusal(await other.client.send('DELETE', `/v1/api/watch-lists/${list.id}`), 404, 'not_found');
});

test('who is erased is on no list any more, nor among its moves', async () => {
  await fallBack(list.id, [person]);
  await service.owner.pool.query('update watch_list_entries set told_score = 1 where list_id = $1 and key = $2', [
    list.id,
    person,
  ]);
  await rested(list.id);
  const [entry] = await listed(`${list.id}/entries?key=${person}`);
  expect(await listed(`${list.id}/moves?entry_id=${entry.id}`)).not.toEqual([]);
  const asked = await tenant.client.post('/v1/api/erasures', { identifier: person });
  const { body, text } = await tenant.client.finished(`/v1/api/erasures/${asked.body.id}`);
  expect(body.status, text).toBe('succeeded');
  await rested(list.id);
  expect(await listed(`${list.id}/entries?key=${person}`)).toEqual([]);
  expect(await listed(`${list.id}/moves?entry_id=${entry.id}`)).toEqual([]);
  const { rows } = await service.owner.pool.query(
    'select 1 from watch_list_entries where key = $1 union all select 1 from events where payload::text like $2',
    [person, `%${person}%`],
  );
  expect(rows).toEqual([]);
});

test('a list that cannot be scored says why, is counted for the operator, and is well after the next rescoring', async () => {
  const failed = () => readMetric(service.service.metricsPort!, 'lastro_watch_lists_failed');
  expect(await failed()).toBe(0);
  const failure = { code: 'internal', detail: 'A fault of the service' };
  await failRescoring(service.service.app, { id: list.id, workspace_id: tenant.ctx.workspaceId }, failure);
  expect((await tenant.client.get(`/v1/api/watch-lists/${list.id}`)).body.failure).toMatchObject(failure);
  expect(await failed()).toBe(1);
  await service.owner.pool.query(
    "update watch_lists set rest_until = now(), as_of = as_of - interval '2 days' where id = $1",
    [list.id],
  );
  await expect.poll(failed).toBe(0);
});

test('a list that is deleted is gone with all of it', async () => {
  expect((await tenant.client.send('DELETE', `/v1/api/watch-lists/${list.id}`)).status).toBe(204);
  expectRefusal(await tenant.client.get(`/v1/api/watch-lists/${list.id}`), 404, 'not_found');
  const { rows } = await service.owner.pool.query(
    'select 1 from watch_list_entries where list_id = $1 union all select 1 from watch_list_moves where list_id = $1',
    [list.id],
  );
  expect(rows).toEqual([]);
});
