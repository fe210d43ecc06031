/** What came of new rows, by the keys that they were given: said over HTTP, and told by the tables that they came into. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { observeVersion } from '../src/resources/monitors/observe.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { csv, customerRows, day, orderRows, shopTables, shopText } from './shop.ts';
import { sendTables, takeIn } from './take-in.ts';
import { defineTask } from './train-task.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let model: { readonly model_id: string; readonly version_id: string };

const refundsTable = `  - name: refunds
    customProperties:
      - property: eventTime
        value: refunded_at
    properties:
      - name: refund_id
        logicalType: string
        primaryKey: true
        required: true
        unique: true
      - name: order_id
        logicalType: string
        relationships:
          - to: orders.order_id
      - name: refunded_at
        logicalType: date
`;
const contract = `${shopText('contract.yaml')}${refundsTable}`;
const later = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const refundsOf = (rows: readonly (readonly (string | number)[])[]) => csv('refund_id,order_id,refunded_at', rows);
/** Small orders come back within days. */
const refunds = orderRows
  .filter(([, , , amount], i) => Number(amount) < 40 && i % 5 !== 0)
  .map(([order, , at], i) => [`R${i}`, String(order), later(String(at), 3 + (i % 7))]);
const windowDays = 20;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Applying');
  client = tenant.client;
  await takeIn(client, contract, { ...shopTables, refunds: refundsOf(refunds) }, 'append');
  const definition = `PREDICT exists(refunds) WITHIN ${windowDays}d FOR orders ONCE`;
  const task = await defineTask(client, { name: 'refunded', definition });
  const started = await client.post('/v1/api/training-runs', { task_id: task.id, alias: 'production' });
  const { body, text } = await client.finished(`/v1/api/training-runs/${started.body.id}`);
  expect(body.status, text).toBe('succeeded');
  model = body;
});
afterAll(() => service.close());

const path = '/v1/api/outcomes';
const say = (...outcomes: object[]) => client.post(path, { outcomes });

async function apply(order: string | null, customer: string, at: string): Promise<string> {
  const inputs = { ...(order !== null && { order_id: order }), customer_id: customer, ordered_at: at, amount: 20 };
  const reply = await client.post(`/v1/api/prediction/${model.model_id}/production`, inputs);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.prediction_id;
}

async function ingest(tables: Record<string, string>): Promise<void> {
  const files = (await sendTables(client, tables)).map((file) => ({ ...file, mode: 'append' }));
  const started = await client.post('/v1/api/ingestions', { files });
  const { body, text } = await client.finished(`/v1/api/ingestions/${started.body.id}`);
  expect(body.status, text).toBe('succeeded');
}

async function toldOf(id: string) {
  return (await client.get(`${path}?prediction_id=${id}`)).body.data;
}

const newest = refunds.reduce((last, row) => (String(row[2]) > last ? String(row[2]) : last), '');

test('an outcome told by task, key of the new row and day finds its predictions, and no others', async () => {
  const at = day(200);
  const own = [await apply('N1', 'C1', at), await apply('N1', 'C1', at)];
  const [another, sameCustomer, otherDay] = [
    await apply('N2', 'C2', at),
    await apply('N3', 'C1', at),
    await apply('N1', 'C1', day(201)),
  ];
  const told = { entity: { table: 'orders', key: 'N1' }, as_of: at, value: 1, observed_at: `${day(230)}T12:00:00Z` };
  const { body, status, text } = await say({ ...told, task: 'refunded' });
  expect(status, text).toBe(200);
  expect(body.data.map((one: { prediction_id: string }) => one.prediction_id).sort()).toEqual([...own].sort());
  expect(body.data[0]).toMatchObject({ output: 'prediction', value: 1, is_decided: true, source: 'api' });
  expect((await say({ ...told, model: model.model_id })).body).toMatchObject({ created: 0, unchanged: 2 });
  for (const id of [another, sameCustomer, otherDay]) expect(await toldOf(id)).toEqual([]);
  // By whom they are about, all of the day are found.
  const { body: about } = await say({ ...told, entity: { table: 'customers', key: 'C2' }, model: 'refunded' });
  expect(about.data.map((one: { prediction_id: string }) => one.prediction_id)).toEqual([another]);
  expectRefusal(await say({ ...told, task: 'nothing' }), 404, 'not_found', '/outcomes/0/entity');
  expectRefusal(await say({ ...told, task: 'refunded', model: 'refunded' }), 422, 'schema_mismatch', '/outcomes/0');
  expectRefusal(await say(told), 422, 'schema_mismatch', '/outcomes/0');
});

test('rows that come into their table by the key are labelled there, once their windows have closed', async () => {
  const early = later(newest, -60);
  const open = later(newest, -5);
  const asked = new Map(
    await Promise.all(
      ['good', 'bad', 'late', 'absent', 'open'].map(
        async (name) => [name, await apply(`X-${name}`, 'C5', name === 'open' ? open : early)] as const,
      ),
    ),
  );
  const unnamed = await apply(null, 'C5', early);
  const job = { version_id: model.version_id, workspace_id: tenant.ctx.workspaceId };
  const observe = () => observeVersion(service.service.app, job, AbortSignal.timeout(300_000));
  await observe();
  for (const id of asked.values()) expect(await toldOf(id), 'they are in no table yet').toEqual([]);
  const came = ['good', 'bad', 'late', 'open'].map((name) => [`X-${name}`, 'C5', name === 'open' ? open : early, 20]);
  await ingest({
    orders: csv('order_id,customer_id,ordered_at,amount', came),
    refunds: refundsOf([
      ['XR1', 'X-bad', later(early, 4)],
      // After the window, and in one that has not closed.
      ['XR2', 'X-late', later(early, windowDays + 3)],
      ['XR3', 'X-open', later(open, 2)],
    ]),
  });
  await observe();
  const found = Object.fromEntries(
    await Promise.all(Array.from(asked, async ([name, id]) => [name, await toldOf(id)] as const)),
  );
  expect(found.good).toMatchObject([{ value: 0, is_decided: true, source: 'tables' }]);
  expect(found.bad).toMatchObject([{ value: 1, is_decided: true, source: 'tables' }]);
  expect(found.late).toMatchObject([{ value: 0, is_decided: true, source: 'tables' }]);
  expect(found.absent).toEqual([]);
  expect(found.open).toEqual([]);
  expect(await toldOf(unnamed)).toEqual([]);
  // Planted later, beyond what has closed: nothing moves.
  await ingest({ refunds: refundsOf([['XR4', 'X-good', later(early, windowDays + 5)]]) });
  await observe();
  expect(await toldOf(asked.get('good')!)).toEqual(found.good);
  expect(customerRows.some(([key]) => key === 'C5')).toBe(true);
});

test('an erasure takes the key of a new row with the rest', async () => {
  const id = await apply('N-gone', 'C7', day(200));
  const rowOf = async () =>
    (await service.owner.pool.query('select row_table, row_key from predictions where id = $1', [id])).rows[0];
  expect(await rowOf()).toEqual({ row_table: 'orders', row_key: 'N-gone' });
  const started = await client.post('/v1/api/erasures', { identifier: 'N-gone' });
  expect((await client.finished(`/v1/api/erasures/${started.body.id}`)).body.status).toBe('succeeded');
  expect(await rowOf()).toEqual({ row_table: null, row_key: null });
});
