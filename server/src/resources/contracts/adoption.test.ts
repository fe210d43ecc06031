/** What accepting a contract does to data that are there: over HTTP, on a shop. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../../../tests/service.ts';
import { csv, customerRows, orderRows, shopTables, shopText } from '../../../tests/shop.ts';
import { take } from '../../../tests/spoilt-files.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const document = shopText('contract.yaml');
/** The shop's contract, by which amounts are texts: stored otherwise. */
const asTexts = document.replace(
  'name: amount\n        logicalType: number',
  'name: amount\n        logicalType: string',
);

type Shop = { readonly client: Client; readonly files: Readonly<Record<'customers' | 'orders', string>> };

async function shop(name: string): Promise<Shop> {
  const { client } = await service.tenant(name);
  await client.post('/v1/api/contracts', { document, accept: true });
  const files = {
    customers: await client.upload('customers.csv', shopTables.customers),
    orders: await client.upload('orders.csv', shopTables.orders),
  };
  const sent = Object.entries(files).map(([table, file_id]) => ({ file_id, table }));
  const { body } = await client.post('/v1/api/ingestions', { files: sent });
  const done = await client.finished(`/v1/api/ingestions/${body.id}`);
  expect(done.body.status, done.text).toBe('succeeded');
  return { client, files };
}

const propose = async (client: Client, text: string) => {
  const { status, body } = await client.post('/v1/api/contracts', { document: text, accept: true });
  expect(status).toBe(201);
  return body;
};

const finished = async (client: Client, id: string) => (await client.finished(`/v1/api/ingestions/${id}`)).body;

const typeOf = ({ report }: { report: { tables: { table: string; columns: { name: string; type: string }[] }[] } }) =>
  report.tables.find(({ table }) => table === 'orders')!.columns.find(({ name }) => name === 'amount')!.type;

/** Asks for an encoder, which needs no task; interrupts the run if there is one. */
async function run(client: Client) {
  const reply = await client.post('/v1/api/training-runs', { entity: 'customers' });
  if (reply.status === 202) await client.post(`/v1/api/training-runs/${reply.body.id}/interrupt`);
  return reply;
}

test('a contract that stores a table otherwise has its files read again, and runs are of the new one or not at all', async () => {
  const { client, files } = await shop('Reread');
  const changed = csv('order_id,customer_id,ordered_at,amount', [['O1', 'C1', orderRows[1][2], 7]]);
  expect((await take(client, { bytes: changed, mode: 'upsert' })).ingestion.status).toBe('succeeded');
  const before = await run(client);
  expect(before.body).toMatchObject({ status: 'queued', contract_number: 1 });

  const accepted = await propose(client, asTexts);
  expect(accepted).toMatchObject({ number: 2, status: 'active', tables_to_send_again: [] });
  const early = await run(client);
  // It may have been read again by now; if not, the refusal says who is at it.
  if (early.status !== 202)
    expect(early.body).toMatchObject({
      code: 'data_behind_contract',
      detail: expect.stringMatching(
        /^the data of orders are under contract 1 \(con_\w+\); contract 2 \(con_\w+\) is active, by which orders: amount is string, was number: ing_\w+ is bringing them under it \(.+\); ask again/,
      ),
    });

  const read = await finished(client, accepted.started_ingestion_id);
  expect(read).toMatchObject({
    status: 'succeeded',
    kind: 'reread',
    changed: true,
    contract_id: accepted.id,
    files: [
      { file_id: files.orders, table: 'orders', mode: 'append' },
      { table: 'orders', mode: 'upsert' },
    ],
    report: {
      files: [],
      changes: [],
      reread: [
        { path: 'orders.csv', added: orderRows.length, changed: 0 },
        { path: 'in/orders.csv', added: 0, changed: 1 },
      ],
    },
  });
  expect(typeOf(read)).toBe('string');
  // Of the order that was sent again the newest version counts.
  expect(read.report.tables.find(({ table }: { table: string }) => table === 'orders').rows).toBe(orderRows.length);
  const after = await run(client);
  expect(after.body).toMatchObject({ contract_id: accepted.id, contract_number: 2, snapshot_id: read.snapshot_id });
  // Events are handed on after what they tell of.
  const tellings = async () => {
    const events = await client.get('/v1/api/events?type=ingestion-lifecycle&limit=200');
    const own = events.body.data.filter(({ resource_id }: { resource_id: string }) => resource_id === read.id);
    return own.map(({ data: { status, kind } }: { data: { status: string; kind: string } }) => ({ status, kind }));
  };
  const told = ['queued', 'running', 'succeeded'].map((status) => ({ status, kind: 'reread' }));
  await expect.poll(tellings, { timeout: 120_000 }).toEqual(told);
});

test('what acts only as tables are read needs no file, and is in force all the same', async () => {
  const { client, files } = await shop('Unread');
  for (const id of Object.values(files)) await client.send('DELETE', `/v2/api/files/${id}`);
  const described = document.replace('name: amount', 'name: amount\n        description: what was paid');
  const accepted = await propose(client, described);
  expect(accepted.tables_to_send_again).toEqual([]);
  const done = await finished(client, accepted.started_ingestion_id);
  expect(done).toMatchObject({ status: 'succeeded', kind: 'reread', changed: true, files: [], report: { reread: [] } });
  expect((await run(client)).body.contract_id).toBe(accepted.id);
});

test('where files are gone, acceptance says for which tables, and runs and ingestions say so until they are sent', async () => {
  const { client, files } = await shop('Gone');
  await client.send('DELETE', `/v2/api/files/${files.orders}`);
  const accepted = await propose(client, asTexts);
  expect(accepted).toMatchObject({ status: 'active', started_ingestion_id: null, tables_to_send_again: ['orders'] });
  const refused = await run(client);
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'data_behind_contract',
      detail: expect.stringMatching(/files that they came from are gone; send all rows of orders again with mode repl/),
    },
  });
  const more = await client.upload(
    'more.csv',
    csv('customer_id,segment,since', [['C99', 'trade', customerRows[0][2]]]),
  );
  const asked = await client.post('/v1/api/ingestions', { files: [{ file_id: more, table: 'customers' }] });
  expect(await finished(client, asked.body.id)).toMatchObject({
    status: 'failed',
    failure: {
      code: 'data_behind_contract',
      detail: expect.stringMatching(/send all rows of orders with mode replace, in one ingestion$/),
    },
  });
  const sent = await take(client, { bytes: shopTables.orders, mode: 'replace' });
  expect(sent.ingestion).toMatchObject({ status: 'succeeded', kind: 'delivery' });
  expect(typeOf(sent.ingestion)).toBe('string');
  expect((await run(client)).body.contract_number).toBe(2);
});

test('files that do not keep the accepted contract are refused, and so are runs, until it is corrected', async () => {
  const { client } = await shop('Deviating');
  const wrong = document.replace(
    'name: segment\n        logicalType: string',
    'name: segment\n        logicalType: integer',
  );
  const accepted = await propose(client, wrong);
  const done = await finished(client, accepted.started_ingestion_id);
  expect(done).toMatchObject({ status: 'refused', kind: 'reread', proposed_contract_id: null, snapshot_id: null });
  const told = await client.get(`/v1/api/ingestions/${done.id}/deviations`);
  expect(told.body).toMatchObject({
    classification: 'data_error',
    files: [{ path: 'customers.csv', table: 'customers', deviations: [{ rule: 'changed_type', column: 'segment' }] }],
  });
  const refused = await run(client);
  expect(refused.body.detail).toMatch(new RegExp(`${done.id} was to read their files again and was refused`));
  // Asked for again, it is read again; and is refused again.
  const again = await client.post(`/v1/api/contracts/${accepted.id}/acceptance`);
  expect(again.body.started_ingestion_id).not.toBe(done.id);
  expect((await finished(client, again.body.started_ingestion_id)).status).toBe('refused');
  const corrected = await propose(client, document);
  // It says what the contract says that the data are under.
  expect(corrected.started_ingestion_id).toBeNull();
  expect((await run(client)).body.contract_number).toBe(3);
  const once = await client.post(`/v1/api/contracts/${corrected.id}/acceptance`);
  expect(once).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

test('files that asked for a contract are taken in, and what it stores otherwise is read again, by one ingestion', async () => {
  const { client } = await shop('Both');
  const wider = csv(
    'order_id,customer_id,ordered_at,amount,note',
    orderRows.map((row, at) => [`N${at}`, row[1], row[2], 'about ten', 'x']),
  );
  const asked = await take(client, { bytes: wider });
  const proposed = asked.ingestion.proposed_contract_id;
  const accepted = await client.post(`/v1/api/contracts/${proposed}/acceptance`);
  const done = await finished(client, accepted.body.started_ingestion_id);
  expect(done).toMatchObject({
    status: 'succeeded',
    kind: 'delivery',
    report: {
      files: [{ path: 'in/orders.csv', added: orderRows.length }],
      reread: [{ path: 'orders.csv', added: orderRows.length }],
      changes: [{ table: 'orders', before: orderRows.length, after: 2 * orderRows.length, added: orderRows.length }],
    },
  });
  expect((await run(client)).body.contract_id).toBe(proposed);
});

test('a replacement and a short append say over HTTP what they did to the rows', async () => {
  const { client } = await shop('Counted');
  const fewer = csv('order_id,customer_id,ordered_at,amount', orderRows.slice(0, 400));
  const appended = await take(client, { bytes: fewer });
  expect(appended.ingestion).toMatchObject({
    changed: false,
    report: {
      changes: [{ identical: 400, removed: 0, notes: [expect.stringMatching(/80 of the 480 rows of orders/)] }],
    },
  });
  expect(appended.ingestion.report.tables).toHaveLength(2);
  const replaced = await take(client, { bytes: fewer, mode: 'replace' });
  expect(replaced.ingestion.report).toMatchObject({
    files: [{ rows: 400, added: 0, changed: 0, identical: 400 }],
    changes: [
      { table: 'orders', before: 480, after: 400, added: 0, changed: 0, removed: 80, identical: 400, notes: [] },
    ],
  });
});
