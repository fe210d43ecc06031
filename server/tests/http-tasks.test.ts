/** Tasks asked as queries over HTTP: defined, shown, refused, trained and answered. */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { fillQueries } from '../src/resources/tasks/fill-queries.ts';
import { takeInLending, trainAndAsk } from './lending-service.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type TestService } from './service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Lending'));
  await takeInLending(client);
}, 60_000);
afterAll(() => service.close());

const limits = { timeout: 120_000 };

test('a delinquency of a loan that is being asked for', limits, async () => {
  const loan = { customer_id: 'c3', opened: '2022-06-30', size: 604 };
  const { body, version } = await trainAndAsk(client, 'month', loan);
  expect(body.prediction).toBeGreaterThan(0);
  expect(version.inputs.map((field: { name: string }) => field.name)).toContain('opened');
});

test('the query of a task that was defined before queries were kept is written down', async () => {
  const definition = 'predict exists(loan) for customer within 30 days';
  const { body } = await client.post('/v1/api/tasks', { name: 'older', definition });
  const { app } = service.service;
  await system(app.db, 'test', (tx) =>
    sql`update tasks set query = null, query_known = false where id = ${body.id}`.execute(tx),
  );
  await fillQueries(app);
  expect(body.query).toBe('PREDICT exists(loan) WITHIN 30d FOR customer');
  expect((await client.get(`/v1/api/tasks/${body.id}`)).body.query).toBe(body.query);
});

describe('a query that cannot be asked', () => {
  const define = (definition: string) => client.post('/v1/api/tasks', { name: 'wrong', definition });

  test('is refused with its place', async () => {
    const reply = await define('PREDICT exists(order) WITHIN 30 FORR customer');
    expectRefusal(reply, 422, 'invalid_task');
    expect(reply.body.errors).toEqual([
      {
        pointer: '/definition',
        code: 'invalid_task',
        detail: 'line 1, column 33: expected WITHIN, FOR, VIA, EVERY, ONCE, FROM, UNTIL, AS or the end, found FORR',
      },
    ]);
  });

  test('is refused where it does not fit the contract', async () => {
    const reply = await define('PREDICT exists(orders) WITHIN 30d FOR customer');
    expectRefusal(reply, 422, 'invalid_task');
    expect(reply.body.detail).toContain(
      'target table orders is not in the contract, which has customer, order, loan, instalment',
    );
    expect(reply.body.errors).toMatchObject([{ pointer: '/definition' }]);
  });

  test('in a field of a definition is the only thing wrong with it', async () => {
    const reply = await define('query: PREDICT exist(order) WITHIN 30d FOR customer');
    expectRefusal(reply, 422, 'invalid_task');
    expect(reply.body.errors).toMatchObject([
      { pointer: '/definition', detail: expect.stringMatching(/^line 1, query: column 9: expected exists/) },
    ]);
  });
});

test('tasks are listed with their query, and with none where labels come in files', async () => {
  const train = await client.upload('train.csv', 'date,customer_id,label\n2022-01-01,c1,1\n');
  const definition = 'entity: customer\nkey: customer_id\nlabel: label\nkind: binary\n';
  const filed = await client.post('/v1/api/tasks', { name: 'filed', definition, labels: { train } });
  expect(filed.body, filed.text).toMatchObject({ query: null });
  const yaml = await client.post('/v1/api/tasks', {
    name: 'yaml',
    definition: 'query: predict count(order)>3 within 4w for customer\nmetric: log_loss\n',
  });
  expect(yaml.body, yaml.text).toMatchObject({ query: 'PREDICT count(order) > 3 WITHIN 28d FOR customer' });
  const { body } = await client.get('/v1/api/tasks');
  const queries = Object.fromEntries(body.data.map((one: { name: string; query: string }) => [one.name, one.query]));
  expect(queries).toMatchObject({ filed: null, yaml: 'PREDICT count(order) > 3 WITHIN 28d FOR customer' });
});
