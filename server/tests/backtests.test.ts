/** Backtests over HTTP: what another version would have said to what was asked, and what of the log is in columns. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { backtestSchema } from '../src/resources/backtests/backtest.ts';
import { buildColumns } from '../src/resources/prediction-columns/build.ts';
import { answerShadows } from '../src/resources/shadows/answer.ts';
import { shadowSchema } from '../src/resources/shadows/shadow.ts';
import { expectRefusal } from './problems.ts';
import { type Reply, startTestService, type Tenant, type TestService } from './service.ts';
import { csv, customerRows, day, shopText } from './shop.ts';
import { sendTables, takeIn } from './take-in.ts';
import { defineTask } from './train-task.ts';

let service: TestService;
let tenant: Tenant;
let model: string;
let old: string;
let young: string;

const person = 'C3-to-be-forgotten';
const named = (key: string | number) => (key === 'C3' ? person : key);
const contract = shopText('contract.yaml').replace(
  '        value: since\n',
  '        value: since\n      - property: entityKind\n        value: individual\n',
);
const ordersOf = (rows: readonly (readonly (string | number)[])[]) =>
  csv(
    'order_id,customer_id,ordered_at,amount',
    rows.map(([order, customer, ...rest]) => [order, named(customer), ...rest]),
  );
const customers = csv(
  'customer_id,segment,since',
  customerRows.map(([key, ...rest]) => [named(key), ...rest]),
);
/** Some customers order twice as often as others; when is chance. */
const random = seedRandom(7);
const orderRows = customerRows.flatMap(([customer], c) =>
  Array.from({ length: c % 2 === 0 ? 22 : 9 }, (_, at): [string, string, string, number] => [
    ...([`O${c}-${at}`, String(customer), day(6 + Math.floor(350 * random()))] as const),
    10 + (at % 17),
  ]),
);
const learnedOf = orderRows.filter(([, , at]) => String(at) < day(200));
const asked = Array.from({ length: 16 }, (_, c) => ({
  customer_id: String(named(`C${c}`)),
  reference_date: day(210 + 5 * (c % 4)),
}));

type Asked = { readonly id: string; readonly inputs: (typeof asked)[number]; readonly prediction: number };
let log: Asked[];

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Replaying');
  const { client } = tenant;
  await takeIn(client, contract, { customers, orders: ordersOf(learnedOf) }, 'append');
  const task = await defineTask(client, {
    name: 'orders',
    definition: 'PREDICT exists(orders) WITHIN 10d FOR customers EVERY 15d',
  });
  const learn = async (alias?: string) => {
    const started = await client.post('/v1/api/training-runs', { task_id: task.id, ...(alias && { alias }) });
    const { body, text } = await client.finished(`/v1/api/training-runs/${started.body.id}`);
    expect(body.status, text).toBe('succeeded');
    return body;
  };
  ({ model_id: model, version_id: old } = await learn('production'));
  await ingest({ orders: ordersOf(orderRows.filter((row) => !learnedOf.includes(row))) });
  ({ version_id: young } = await learn());
  log = [];
  for (const inputs of asked) {
    const { body, text } = await client.post(`/v1/api/prediction/${model}/production`, inputs);
    expect(body, text).toMatchObject({ version_id: old });
    log.push({ id: body.prediction_id, inputs, prediction: body.prediction });
  }
  // Half of them as if of two and three days ago.
  log = await Promise.all(log.map((one, at) => (at % 2 === 0 ? agedBy(one, 2 + (at % 4) / 2) : one)));
});
afterAll(() => service.close());

async function ingest(tables: Record<string, string>) {
  const files = (await sendTables(tenant.client, tables)).map((file) => ({ ...file, mode: 'append' }));
  const started = await tenant.client.post('/v1/api/ingestions', { files });
  const { body, text } = await tenant.client.finished(`/v1/api/ingestions/${started.body.id}`);
  expect(body.status, text).toBe('succeeded');
}

async function agedBy(one: Asked, days: number): Promise<Asked> {
  const ms = Number.parseInt(one.id.slice(4, 16), 16) - days * 24 * 60 * 60 * 1000;
  const id = `prd_${ms.toString(16).padStart(12, '0')}${one.id.slice(16)}`;
  await service.owner.pool.query('update predictions set id = $2 where id = $1', [one.id, id]);
  return { ...one, id };
}

async function backtest(body: object): Promise<Reply['body']> {
  const started = await tenant.client.post('/v1/api/backtests', body);
  expect(started.status, started.text).toBe(202);
  expect(started.body).toMatchObject({ status: 'queued', result: null, as_of: 'then' });
  const done = await tenant.client.finished(`/v1/api/backtests/${started.body.id}`);
  expect(done.body.status, done.text).toBe('succeeded');
  expect([...Compile(backtestSchema).Errors(done.body)]).toEqual([]);
  return done.body;
}

async function columnsOf(): Promise<Buffer[]> {
  const { storage } = service.service.app;
  const found: Buffer[] = [];
  for await (const { key } of storage.list('')) {
    if (!key.includes('/prediction-columns/') || key.split('/')[1] !== tenant.ctx.workspaceId) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(await storage.localPath(key, null))) chunks.push(chunk as Buffer);
    found.push(Buffer.concat(chunks));
  }
  return found;
}

let first: Reply['body'];

/** Whether the customer ordered within ten days of the day. */
function came({ customer_id, reference_date }: Asked['inputs']): boolean {
  const end = new Date(Date.parse(reference_date) + 10 * 86_400_000).toISOString().slice(0, 10);
  return orderRows.some(([, customer, at]) => named(customer) === customer_id && at > reference_date && at <= end);
}

test('a backtest says what the version says to each question as of its moment, and what came true', async () => {
  const cutoff = { probability: 0.5 };
  first = (await backtest({ model: `${model}/${young}`, cutoff })).result;
  const direct = new Map<string, number>();
  for (const { id, inputs } of log) {
    const { body, text } = await tenant.client.post(`/v1/api/prediction/${model}/${young}`, inputs);
    expect(body.version_id, text).toBe(young);
    direct.set(id, body.prediction);
  }
  // What the young version was asked just now is in its log too, by no younger prediction than its own.
  const moved = log.filter(({ id, prediction }) => direct.get(id) !== prediction);
  expect(moved.length).toBeGreaterThan(4);
  const told = first.moved_most.map((one: { prediction_id: string }) => one.prediction_id).sort();
  expect(told).toEqual(moved.map(({ id }) => id).sort());
  for (const { prediction_id, before, after } of first.moved_most) {
    expect(before).toBe(log.find(({ id }) => id === prediction_id)!.prediction);
    expect(after).toBe(direct.get(prediction_id));
  }
  expect(first.rows).toEqual({ logged: 16, compared: 16, refused: [] });
  expect(first.versions).toEqual([{ version_id: old, rows: 16 }]);
  expect(first.field).toBe('prediction');
  const cameTrue = log.map(({ inputs }) => came(inputs));
  expect(first.labelled).toMatchObject({ rows: 16, observed: cameTrue.filter(Boolean).length / 16 });
  const { timeZone } = tenant.ctx;
  const monthOf = (id: string) => new Date(Number.parseInt(id.slice(4, 16), 16)).toLocaleDateString('sv', { timeZone });
  const months = Map.groupBy(log, ({ id }) => monthOf(id).slice(0, 7));
  const byMonth = first.by_month.map(({ name, rows }: { name: string; rows: number }) => [name, rows]);
  expect(byMonth).toEqual(Array.from(months, ([name, { length }]) => [name, length]).sort());
  const isIn = (at: number) => log[at].prediction < 0.5 && direct.get(log[at].id)! >= 0.5;
  const swapped = [...log.keys()].filter(isIn);
  expect(first.decisions.swapped_in.rows).toBe(swapped.length);
  const swappedBy = (parts: { swapped_in: number }[]) => parts.reduce((sum, part) => sum + part.swapped_in, 0);
  expect([first.by_group, first.by_month].map(swappedBy)).toEqual([swapped.length, swapped.length]);
  if (swapped.length > 0)
    expect(first.decisions.swapped_in.observed).toBe(swapped.filter((at) => cameTrue[at]).length / swapped.length);
});

test('days that have ended are put in columns once, and a backtest of these says the same', async () => {
  const { app } = service.service;
  const until = `${new Date(Number.parseInt(log.at(-1)!.id.slice(4, 16), 16) + 1).toISOString()}`;
  const before = await backtest({ model: `${model}/${young}`, until, cutoff: { probability: 0.5 } });
  expect(before.result).toEqual(first);
  expect(await buildColumns(app)).toBe(2);
  expect(await buildColumns(app)).toBe(0);
  const objects = await columnsOf();
  expect(objects).toHaveLength(2);
  const after = await backtest({ model: `${model}/${young}`, until, cutoff: { probability: 0.5 } });
  expect(after.result).toEqual(first);
  // A span that begins within a day that is in columns.
  const sorted = log.map(({ id }) => id).sort();
  const from = new Date(Number.parseInt(sorted[1].slice(4, 16), 16)).toISOString();
  const later = sorted.filter((id) => id.slice(4, 16) >= sorted[1].slice(4, 16));
  const part = await backtest({ model: `${model}/${young}`, from, until });
  expect(part.result.rows.logged).toBe(later.length);
});

test('what was told of a prediction goes before what the tables say of it', async () => {
  const { client } = tenant;
  const until = new Date(Number.parseInt(log.at(-1)!.id.slice(4, 16), 16) + 1).toISOString();
  const { observed } = first.labelled;
  const value = observed < 0.5 ? 1 : 0;
  const otherwise = log.filter(({ inputs }) => Number(came(inputs)) !== value).slice(0, 3);
  const outcomes = otherwise.map(({ id, inputs: { reference_date } }, at) => {
    // The last one is told before its window has closed and settles nothing: it is not decided.
    const days = at === otherwise.length - 1 && value === 0 ? 2 : 12;
    const observed_at = new Date(Date.parse(reference_date) + days * 86_400_000).toISOString();
    return { prediction_id: id, value, observed_at };
  });
  const told = await client.post('/v1/api/outcomes', { outcomes });
  expect(told.body, told.text).toMatchObject({ created: outcomes.length });
  const changed = told.body.data.filter(({ is_decided }: { is_decided: boolean }) => is_decided).length;
  expect(changed).toBeGreaterThan(0);
  const { result } = await backtest({ model: `${model}/${young}`, until });
  expect(result.labelled.rows).toBe(16);
  expect(result.labelled.observed).toBeCloseTo(observed + ((value === 1 ? 1 : -1) * changed) / 16, 12);
  await service.owner.pool.query('delete from outcomes where workspace_id = $1', [tenant.ctx.workspaceId]);
});

test('what happens after the moments changes nothing that is answered, and two versions are compared', async () => {
  const until = new Date(Number.parseInt(log.at(-1)!.id.slice(4, 16), 16) + 1).toISOString();
  const planted = asked.map(({ customer_id }, at) => [`P${at}`, customer_id, day(240), 9_999]);
  await ingest({ orders: ordersOf(planted) });
  const again = await backtest({ model: `${model}/${young}`, until });
  expect(again.result.moved_most).toEqual(first.moved_most);
  expect(again.result).toMatchObject({ psi: first.psi, ks: first.ks, mean: first.mean, decisions: null });
  const pair = await backtest({ model: `${model}/${young}`, compare_with: `${model}/production`, until });
  expect(pair).toMatchObject({ compare_with: { alias: 'production', version_id: old } });
  expect(pair.result.moved_most).toEqual(first.moved_most);
});

test('a version lists its own backtests by cursor, and one that is deleted is gone', async () => {
  const { client } = tenant;
  const of = (version: string) => `/v1/api/models/${model}/versions/${version}/backtests`;
  expect((await client.get(of(old))).body.data).toEqual([]);
  const all = (await client.get('/v1/api/backtests')).body.data.map(({ id }: { id: string }) => id);
  const page = (await client.get(`${of(young)}?limit=2`)).body;
  const rest = (await client.get(`${of(young)}?cursor=${page.next_cursor}`)).body;
  expect([...page.data, ...rest.data].map(({ id }) => id)).toEqual(all);
  const [id] = all;
  expect((await client.send('DELETE', `/v1/api/backtests/${id}`)).status).toBe(204);
  expect((await client.get(`/v1/api/backtests/${id}`)).status).toBe(404);
  expect((await client.send('DELETE', `/v1/api/backtests/${id}`)).status).toBe(404);
  expect((await client.get(of(young))).body.data).toHaveLength(all.length - 1);
});

test('what cannot be replayed is refused with what to do', async () => {
  const { client } = tenant;
  const of = { model: `${model}/${young}` };
  for (const [body, status, code, at, message] of [
    [{ ...of, cutoff: { score: 600 } }, 422, 'invalid', '/cutoff/score', 'have no score'],
    [
      { ...of, from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' },
      ...([422, 'invalid', '/from', 'before until'] as const),
    ],
    [{ ...of, from: '2020-01-01T00:00:00Z' }, 422, 'invalid', '/from', 'within 366 days'],
    [{ ...of, from: 'yesterday' }, 422, 'schema_mismatch', '/from', 'must be a moment'],
    [{ model: `${model}/nobody` }, 404, 'not_found', '/model', 'no version nobody'],
  ] as const) {
    const reply = await client.post('/v1/api/backtests', body);
    expectRefusal(reply, status, code, at);
    expect(reply.text).toContain(message);
  }
  const none = await backtest({ ...of, from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' });
  expect(none.result).toMatchObject({ rows: { logged: 0, compared: 0, refused: [] }, moved_most: [] });
});

test('a version in the shadow answers what an alias is asked, each once, as it would answer itself', async () => {
  const { client } = tenant;
  const { app } = service.service;
  const path = `/v1/api/models/${model}/shadows/${young}`;
  const { pool } = service.owner;
  expect((await client.get(path)).status).toBe(404);
  const put = await client.send('PUT', path, { body: { alias: 'production', share: 1, cutoff: { probability: 0.5 } } });
  expect(put.body, put.text).toMatchObject({ alias: 'production', share: 1, answered: 0, comparison: null });
  const questions = asked.slice(4);
  const answered = new Map<string, { before: number; inputs: (typeof asked)[number] }>();
  for (const inputs of questions) {
    const { body } = await client.post(`/v1/api/prediction/${model}/production`, inputs);
    answered.set(body.prediction_id, { before: body.prediction, inputs });
  }
  await client.post(`/v1/api/prediction/${model}/${young}`, questions[0]);
  const shadowed = async () => {
    await vi.waitUntil(
      async () => {
        await answerShadows(app);
        return (await client.get(path)).body.answered >= answered.size;
      },
      { timeout: 120_000, interval: 200 },
    );
    return (await pool.query('select prediction_id, before, after from shadow_predictions order by 1')).rows;
  };
  const rows = await shadowed();
  expect(rows.map((row) => row.prediction_id)).toEqual([...answered.keys()].sort());
  for (const { prediction_id, before, after } of rows) {
    const one = answered.get(prediction_id)!;
    const { body } = await client.post(`/v1/api/prediction/${model}/${young}`, one.inputs);
    expect([before, after]).toEqual([one.before, body.prediction]);
  }
  const { body } = await client.get(path);
  const { comparison, ...listed } = body;
  // Meanwhile it may have looked once more.
  const all = (await client.get(`/v1/api/models/${model}/shadows`)).body.data;
  expect(all).toEqual([{ ...listed, seen_until: expect.any(String) }]);
  expect(comparison.by_group.reduce((sum: number, part: { rows: number }) => sum + part.rows, 0)).toBe(answered.size);
  expect([...Compile(shadowSchema).Errors(body)]).toEqual([]);
  const equal = rows.filter((row) => row.before === row.after).length / rows.length;
  expect(body.comparison).toMatchObject({ rows: answered.size, field: 'prediction', equal });
  expect(body.comparison.decisions.accepted.after).toBe(rows.filter((row) => row.after >= 0.5).length);
  // As after a worker that died before it wrote how far it was, with part of the answers kept.
  const [lost] = rows;
  await pool.query('delete from shadow_predictions where prediction_id = $1', [lost.prediction_id]);
  await pool.query(`update shadows set position = 'prd_', seen = 'prd_', created_at = now(), lease_until = now()`);
  const again = await shadowed();
  const ours = again.filter((row) => answered.has(row.prediction_id));
  expect(ours).toEqual(rows);
  expect(new Set(again.map((row) => row.prediction_id)).size).toBe(again.length);
});

test('a share of a shadow is of those whose hash lies below it, and what it said goes with it', async () => {
  const { client } = tenant;
  const { app } = service.service;
  const path = `/v1/api/models/${model}/shadows/${young}`;
  expect((await client.send('DELETE', path)).status).toBe(204);
  expect((await service.owner.pool.query('select from shadow_predictions')).rows).toEqual([]);
  await client.send('PUT', path, { body: { alias: 'production', share: 0.5 } });
  const within: string[] = [];
  for (const inputs of asked) {
    const { body } = await client.post(`/v1/api/prediction/${model}/production`, inputs);
    const hash = createHash('md5').update(`customers ${inputs.customer_id}`).digest('hex');
    if (Number.parseInt(hash.slice(0, 8), 16) < 0.5 * 2 ** 32) within.push(body.prediction_id);
  }
  expect(within.length).toBeGreaterThan(2);
  expect(within.length).toBeLessThan(14);
  await vi.waitUntil(
    async () => {
      await answerShadows(app);
      return (await client.get(path)).body.answered >= within.length;
    },
    { timeout: 120_000, interval: 200 },
  );
  const { rows } = await service.owner.pool.query('select prediction_id from shadow_predictions order by 1');
  expect(rows.map((row) => row.prediction_id)).toEqual(within.sort());
  const refused = await client.send('PUT', path, { body: { alias: 'nobody', share: 1 } });
  expect(refused.status, refused.text).toBe(404);
});

test('an erasure takes whom it names out of the columns, and the rest are put in columns anew', async () => {
  const { client } = tenant;
  expect((await columnsOf()).some((bytes) => bytes.includes('prd_'))).toBe(true);
  const naming = log.find(({ inputs }) => inputs.customer_id === person)!;
  const aged = await agedBy(naming, 2);
  const { app } = service.service;
  // As if it had been asked on a day that was put in columns with it.
  await service.owner.pool.query('delete from prediction_columns');
  expect(await buildColumns(app)).toBe(2);
  const started = await client.post('/v1/api/erasures', { identifier: person });
  const done = await client.finished(`/v1/api/erasures/${started.body.id}`);
  expect(done.body.status, done.text).toBe('succeeded');
  const { rows } = await service.owner.pool.query('select day from prediction_columns');
  expect(rows).toHaveLength(1);
  expect(await buildColumns(app)).toBe(1);
  const again = await backtest({ model: `${model}/${young}` });
  const told = again.result.moved_most.map((one: { prediction_id: string }) => one.prediction_id);
  expect(told).not.toContain(aged.id);
  const { rows: left } = await service.owner.pool.query('select sum(rows)::int as rows from prediction_columns');
  expect(left[0].rows).toBe(8);
  const shadows =
    'select from shadow_predictions as s join predictions as p on p.id = s.prediction_id where p.erased_at is not null';
  expect((await service.owner.pool.query(shadows)).rows).toEqual([]);
});
