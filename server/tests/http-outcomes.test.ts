/** What came of predictions: said over HTTP, corrected, and found in the tables once windows have closed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { observeVersion } from '../src/resources/monitors/observe.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { customerRows, orderRows, shopTables, shopText } from './shop.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let model: { readonly model_id: string; readonly version_id: string };

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Shop');
  client = tenant.client;
  // Names of companies stand in a dictionary, from which they can be erased.
  const contract = shopText('contract.yaml').replace(
    '- name: customers\n    customProperties:\n',
    '$&      - property: entityKind\n        value: company\n',
  );
  await takeIn(client, contract, shopTables);
  ({ run: model } = await trainTask(client, {
    name: 'orders-again',
    // Orders come each month to the day, which the newest order tells all but for certain.
    definition:
      'query: PREDICT exists(orders) WITHIN 14d FOR customers EVERY 10d FROM 2023-03-01 UNTIL 2023-10-01\ntrust: [orders]\n',
  }));
});
afterAll(() => service.close());

const path = '/v1/api/outcomes';

async function predict(customer: string, day: string): Promise<string> {
  const reply = await client.post('/v1/api/prediction/orders-again/production', {
    customer_id: customer,
    reference_date: day,
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.prediction_id;
}

const say = (...outcomes: object[]) => client.post(path, { outcomes });

async function said(...outcomes: object[]) {
  const reply = await say(...outcomes);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

test('an outcome is decided once its window has closed, or when what was predicted has happened', async () => {
  const [early, late, happened] = await Promise.all([1, 2, 3].map((c) => predict(`C${c}`, '2023-06-01')));
  const { data, ...counts } = await said(
    { prediction_id: early, value: 0, observed_at: '2023-06-10T12:00:00Z' },
    { prediction_id: late, value: false, observed_at: '2023-06-17T12:00:00Z' },
    { prediction_id: happened, value: true, observed_at: '2023-06-05T12:00:00Z' },
  );
  expect(counts).toEqual({ created: 3, corrected: 0, unchanged: 0 });
  const decided = Object.fromEntries(data.map((one: { prediction_id: string }) => [one.prediction_id, one]));
  expect(decided[early]).toMatchObject({ value: 0, is_decided: false, output: 'prediction', source: 'api' });
  expect(decided[late]).toMatchObject({ value: 0, is_decided: true });
  expect(decided[happened]).toMatchObject({ value: 1, is_decided: true });
  // The end of June 1st in São Paulo, and 14 days.
  expect(decided[early].closes_at).toBe('2023-06-16T02:59:59.999Z');
});

test('what is sent again changes nothing, and a correction keeps what was said before', async () => {
  const id = await predict('C4', '2023-06-01');
  const first = { prediction_id: id, value: 0, observed_at: '2023-06-20T12:00:00Z' };
  expect(await said(first)).toMatchObject({ created: 1, corrected: 0 });
  expect(await said(first, first)).toMatchObject({ created: 0, corrected: 0, unchanged: 1 });
  const later = { ...first, value: 1, observed_at: '2023-06-21T12:00:00Z' };
  const { data, corrected } = await said(later);
  expect(corrected).toBe(1);
  expect(data[0]).toMatchObject({ value: 1, revision: 2, corrections: [{ value: 0, source: 'api' }] });
  const listed = await client.get(`${path}?prediction_id=${id}`);
  expect(listed.body.data).toEqual([data[0]]);
  expect((await client.get(`${path}/${data[0].id}`)).body).toEqual(data[0]);
  const { rows } = await service.owner.pool.query(
    `select data from audit_entries where action = 'outcome-receipt' and workspace_id = $1 order by id desc limit 1`,
    [tenant.ctx.workspaceId],
  );
  expect(rows[0].data).toEqual({ created: 0, corrected: 1 });
});

test('outcomes are of all predictions about an entity as of a day', async () => {
  const ids = await Promise.all([predict('C6', '2023-07-01'), predict('C6', '2023-07-01')]);
  await predict('C6', '2023-07-02');
  const about = { model: 'orders-again', entity: { table: 'customers', key: 'C6' }, as_of: '2023-07-01' };
  const { data } = await said({ ...about, value: 1, observed_at: '2023-07-20T00:00:00Z' });
  expect(data.map((one: { prediction_id: string }) => one.prediction_id).sort()).toEqual([...ids].sort());
  const moment = await client.get(`/v1/api/predictions/${ids[0]}`);
  const same = { ...about, as_of: moment.body.as_of, value: 1, observed_at: '2023-07-20T00:00:00Z' };
  expect(await said(same)).toMatchObject({ created: 0, corrected: 0 });
});

test('nonsense is refused with its place, and nothing of the request is taken in', async () => {
  const id = await predict('C7', '2023-06-01');
  const good = { prediction_id: id, value: 1, observed_at: '2023-06-20T12:00:00Z' };
  for (const [bad, code, at] of [
    [{ ...good, value: 0.5 }, 'invalid', '/outcomes/1/value'],
    [{ ...good, value: 'yes' }, 'invalid', '/outcomes/1/value'],
    [{ ...good, output: 'score' }, 'invalid', '/outcomes/1/output'],
    [{ ...good, observed_at: '2023-05-01T00:00:00Z' }, 'invalid', '/outcomes/1/observed_at'],
    [{ ...good, observed_at: '2999-05-01T00:00:00Z' }, 'invalid', '/outcomes/1/observed_at'],
    [{ ...good, observed_at: 'soon' }, 'schema_mismatch', '/outcomes/1/observed_at'],
    [{ ...good, value: 0 }, 'invalid', '/outcomes/1'],
    [{ ...good, prediction_id: 'prd_none' }, 'not_found', '/outcomes/1/prediction_id'],
    [{ value: 1, observed_at: good.observed_at }, 'schema_mismatch', '/outcomes/1'],
    [
      { model: 'orders-again', entity: { key: 'C7' }, as_of: '2022-01-01', value: 1, observed_at: good.observed_at },
      'not_found',
      '/outcomes/1/entity',
    ],
  ] as const) {
    const reply = await say(good, bad);
    expectRefusal(reply, code === 'not_found' ? 404 : 422, code, at);
  }
  expect((await client.get(`${path}?prediction_id=${id}`)).body.data).toEqual([]);
  expectRefusal(await say(...Array.from({ length: 1_001 }, () => good)), 422, 'schema_mismatch', '/outcomes');
});

test('the tables tell what came of predictions whose windows have closed, and of no others', async () => {
  const days = ['2023-05-03', '2023-06-15', '2023-08-20', '2023-12-01', '2023-12-15', '2023-12-22'];
  const asked = new Map<string, { customer: string; day: string }>();
  for (const day of days)
    for (const c of [0, 1, 8, 19]) asked.set(await predict(`C${c}`, day), { customer: `C${c}`, day });
  const told = await predict('C9', '2023-06-15');
  await said({ prediction_id: told, value: 0, observed_at: '2023-07-20T00:00:00Z' });
  const job = { version_id: model.version_id, workspace_id: tenant.ctx.workspaceId };
  await observeVersion(service.service.app, job, AbortSignal.timeout(300_000));
  const listed = await client.get(`${path}?source=tables&limit=100`);
  const found = new Map<string, { value: number; is_decided: boolean; closes_at: string }>(
    listed.body.data.map((one: { prediction_id: string }) => [one.prediction_id, one]),
  );
  // What somebody has said stays.
  expect(found.has(told)).toBe(false);
  const newest = orderRows.reduce((last, row) => (String(row[2]) > last ? String(row[2]) : last), '');
  expect(newest).toBe('2023-12-23');
  const after = (day: string, more: number) => new Date(Date.parse(day) + more * 86_400_000).toISOString().slice(0, 10);
  for (const [id, { customer, day }] of asked) {
    const closes = after(day, 14);
    const came = orderRows.some((row) => row[1] === customer && String(row[2]) > day && String(row[2]) <= closes);
    if (closes > newest) expect(found.has(id), `${customer} ${day} is open`).toBe(false);
    else expect(found.get(id), `${customer} ${day}`).toMatchObject({ value: Number(came), is_decided: true });
  }
  expect([...found.values()].some(({ value }) => value === 0)).toBe(true);
  expect(customerRows.length).toBeGreaterThan(19);
  // Once more finds the same, and corrects nothing.
  await observeVersion(service.service.app, job, AbortSignal.timeout(300_000));
  expect((await client.get(`${path}?source=tables&limit=100`)).body.data).toEqual(listed.body.data);
});

test('what came of whom is erased goes with them', async () => {
  const id = await predict('C10', '2023-06-01');
  await said({ prediction_id: id, value: 1, observed_at: '2023-06-20T12:00:00Z' });
  const { body } = await client.post('/v1/api/erasures', { identifier: 'C10' });
  expect((await client.finished(`/v1/api/erasures/${body.id}`)).body).toMatchObject({ status: 'succeeded' });
  expect((await client.get(`${path}?prediction_id=${id}`)).body.data).toEqual([]);
  expectRefusal(await say({ prediction_id: id, value: 1, observed_at: '2023-06-20T12:00:00Z' }), 410, 'entity_erased');
});
