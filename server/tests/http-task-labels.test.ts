/** Labels of a task counted over HTTP before it is trained, against counts by hand. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { lendingData } from './lending.ts';
import { takeInLending } from './lending-service.ts';
import { expectRefusal } from './problems.ts';
import { at, day } from './samples.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { defineTask } from './train-task.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Lending'));
  await takeInLending(client);
});
afterAll(() => service.close());

test('each month has who was known by its anchor, and the share of them that ordered afterwards', async () => {
  const task = await defineTask(client, {
    name: 'orders-again',
    definition: 'PREDICT exists(order) WITHIN 14d FOR customer EVERY 91d FROM 2021-07-01 UNTIL 2022-04-01',
  });
  const reply = await client.get(`/v1/api/tasks/${task.id}/labels`);
  expect(reply.status, reply.text).toBe(200);
  const { customer, order } = lendingData();
  const anchors = ['2021-07-01', '2021-09-30', '2021-12-30', '2022-03-31'].map(at);
  const byHand = anchors.map((anchor) => {
    const known = customer.filter(({ joined }) => (joined as number) <= anchor);
    // An anchor is the start of its day, and what is dated by a day has happened at the end of it.
    const came = known.filter(({ customer_id: id }) =>
      order.some(({ customer_id: by, placed }) => {
        const happened = (placed as number) + day - 1;
        return by === id && happened > anchor && happened <= anchor + 14 * day;
      }),
    );
    const month = new Date(anchor / 1000).toISOString().slice(0, 7);
    return { month, rows: known.length, mean: came.length / known.length };
  });
  expect(reply.body).toEqual({
    ...{ output: expect.any(String), rows: 4 * customer.length, months: byHand },
    ...{ warnings: [], warning_codes: [] },
  });
});

test('labels that come in files are not counted', async () => {
  const task = await defineTask(client, {
    name: 'in-files',
    definition: 'entity: customer\nkey: customer_id\ntime: date\nlabel: buys\nkind: binary\nwindow: 30d\n',
    labels: { train: 'date,customer_id,buys\n2022-01-01,c1,1\n' },
  });
  expectRefusal(await client.get(`/v1/api/tasks/${task.id}/labels`), 422, 'invalid_task');
});

test('a workspace without data has none, and another one does not see the task', async () => {
  const { client: other } = await service.tenant('Other');
  expectRefusal(await other.get('/v1/api/tasks/orders-again/labels'), 404, 'not_found');
  const bare = await other.post('/v1/api/tasks', {
    name: 'bare',
    definition: 'PREDICT exists(order) WITHIN 14d FOR customer',
  });
  expect(bare.status, bare.text).toBe(201);
  expectRefusal(await other.get('/v1/api/tasks/bare/labels'), 409, 'no_data');
});
