/** Files sent over HTTP to a shop that has data: what is noted, what is refused, and what leads on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from './service.ts';
import { csv, orderRows, returnsTask, shopTables, shopText } from './shop.ts';
import { take } from './spoilt-files.ts';
import { sendTables } from './take-in.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const document = shopText('contract.yaml');
const header = 'order_id,customer_id,ordered_at,amount';
/** All orders of the shop with a column more, and other values in those before the row `changed`. */
const wider = (changed = 0) =>
  csv(
    `${header},note`,
    orderRows.map((row, at) => [...row.slice(0, 3), Number(row[3]) + (at < changed ? 1 : 0), 'x']),
  );

/** A shop with its contract and data. */
async function shop(name: string): Promise<Client> {
  const { client } = await service.tenant(name);
  await client.post('/v1/api/contracts', { document, accept: true });
  const { body } = await client.post('/v1/api/ingestions', { files: await sendTables(client, shopTables) });
  const done = await client.finished(`/v1/api/ingestions/${body.id}`);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded' });
  return client;
}

/** The rules that a refused ingestion broke. */
const rulesOf = (told: { files: { deviations: { rule: string }[] }[] }) =>
  told.files.flatMap(({ deviations }) => deviations.map(({ rule }) => rule));

test('files of the format that they are called by have no warning, neither as they come nor as they are kept', async () => {
  const client = await shop('Formats');
  const more = csv(header, [['N1', 'C1', '2023-05-05', 7]]);
  const { ingestion } = await take(client, { name: 'in/orders.csv', bytes: more });
  expect(ingestion).toMatchObject({ status: 'succeeded', message: null });
  expect(ingestion.report.warnings.join()).not.toMatch(/called|Parquet/);
});

describe('files that ask for another contract', () => {
  test('are refused for their rows where these would be refused under it too', async () => {
    const client = await shop('Second fault');
    const { ingestion, told } = await take(client, { bytes: wider() });
    expect(told).toMatchObject({ classification: 'data_error', proposed_contract_id: null });
    expect(rulesOf(told)).toEqual(['unknown_column', 'duplicate_key']);
    expect(ingestion.message).toMatch(
      /^Nothing was taken in: .*orders\.csv: order_id: 480 rows: .*upsert, .*, first in row 1 \(and 1 more deviation\)\. GET \/v1\/api\/ingestions\/ing_\w+\/deviations shows what and where; correct/,
    );
    const accepting = await client.post('/v1/api/ingestions', {
      files: [{ file_id: ingestion.files[0].file_id, table: 'orders' }],
      accept_contract: true,
    });
    const { body } = await client.finished(`/v1/api/ingestions/${accepting.body.id}`);
    expect(body).toMatchObject({ status: 'refused', proposed_contract_id: null });
    const again = await client.get(`/v1/api/ingestions/${body.id}/deviations`);
    expect(again.body.classification).toBe('data_error');
    expect(rulesOf(again.body)).toEqual(['unknown_column', 'duplicate_key']);
    // Nothing is in the way of the same rows as newer versions but the contract.
    const upsert = await take(client, { bytes: wider(), mode: 'upsert' });
    expect(upsert.told.classification).toBe('new_contract_version');
    expect(rulesOf(upsert.told)).toEqual(['unknown_column']);
    expect(upsert.ingestion.message).toMatch(
      /note: the contract knows no such column.*POST \/v1\/api\/contracts\/con_\w+\/acceptance makes/,
    );
  });

  test('are refused for their rows also where they bring a table that is new', async () => {
    const client = await shop('New table');
    const files = await sendTables(client, {
      visits: csv('visit_id,customer_id', [['V1', 'C1']]),
      orders: csv(header, [['O1', 'C1', '2023-05-05', 999]]),
    });
    const asked = await client.post('/v1/api/ingestions', { files });
    const { body } = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
    const { body: told } = await client.get(`/v1/api/ingestions/${body.id}/deviations`);
    expect(rulesOf(told)).toEqual(['unknown_table', 'duplicate_key']);
    expect(body.proposed_contract_id).toBeNull();
  });

  test('that do not come in when it has been accepted leave no data behind it', async () => {
    const client = await shop('Left out');
    const fine = csv(`${header},note`, [['N1', 'C1', '2023-05-05', 7, 'x']]);
    const first = await take(client, { bytes: fine });
    const proposed = first.ingestion.proposed_contract_id;
    // Meanwhile the row comes with another amount.
    await take(client, { bytes: csv(header, [['N1', 'C1', '2023-05-05', 8]]) });
    const accepted = await client.post(`/v1/api/contracts/${proposed}/acceptance`);
    const delivery = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
    expect(delivery.body).toMatchObject({ status: 'refused', kind: 'delivery', contract_id: proposed });
    const { reread_ingestion_id: reread } = delivery.body.report;
    expect(delivery.body.message).toMatch(new RegExp(`order_id: 1 row.*${reread} brings the data under contract`));
    const done = await client.finished(`/v1/api/ingestions/${reread}`);
    expect(done.body).toMatchObject({ status: 'succeeded', kind: 'reread', contract_id: proposed });
    const run = await client.post('/v1/api/training-runs', { entity: 'customers' });
    expect(run.status, run.text).toBe(202);
    await client.post(`/v1/api/training-runs/${run.body.id}/interrupt`);
  });
});

test('of rows that were changed the newest are described, and what dates them is told nowhere', async () => {
  const client = await shop('Upserted');
  const { ingestion } = await take(client, { bytes: wider(480), mode: 'upsert' });
  const { body } = await client.post(`/v1/api/contracts/${ingestion.proposed_contract_id}/acceptance`);
  const done = await client.finished(`/v1/api/ingestions/${body.started_ingestion_id}`);
  expect(done.body.report.changes).toMatchObject([{ changed: 480, after: 480 }]);
  const orders = done.body.report.tables.find(({ table }: { table: string }) => table === 'orders');
  expect(orders.rows).toBe(480);
  const note = orders.columns.find(({ name }: { name: string }) => name === 'note');
  expect(note).toMatchObject({ present: 1, distinct: 1 });
  expect(orders.dropped).toEqual([{ column: 'note', reason: 'constant' }]);
  const trained = await trainTask(client, returnsTask);
  expect(JSON.stringify([done.body, trained])).not.toContain('_known_at');
});

test('values, days and names of a contract that are wrong are told what would be right', async () => {
  const client = await shop('Hints');
  const limited = document.replace(
    'name: segment\n        logicalType: string',
    'name: segment\n        logicalType: string\n        quality: [{metric: invalidValues, arguments: {validValues: [retail, trade]}, mustBe: 0}]',
  );
  const { body } = await client.post('/v1/api/contracts', { document: limited, accept: true });
  await client.finished(`/v1/api/ingestions/${body.started_ingestion_id}`);
  const other = csv('customer_id,segment,since', [['C99', 'Retail', '2023-01-02']]);
  expect((await take(client, { table: 'customers', bytes: other })).ingestion.message).toContain(
    "the contract allows retail, trade; if these are right, add them to the column's validValues in a new contract",
  );
  const grown = csv('customer_id,segment,since', [['C99', 'public', '2023-01-02']]);
  const { ingestion, told } = await take(client, { table: 'customers', bytes: grown });
  expect(ingestion.message).toContain('segment: 1 row has a value that the contract does not list, first in row 1');
  expect(ingestion.message).not.toContain('public');
  expect(told.files[0].deviations[0].samples).toEqual([{ row: 1, value: 'public' }]);
  expect(told).toMatchObject({ classification: 'new_contract_version', proposed_contract_id: expect.any(String) });
  const accepting = await client.post('/v1/api/ingestions', {
    files: [{ file_id: ingestion.files[0].file_id, table: 'customers' }],
    accept_contract: true,
  });
  const taken = await client.finished(`/v1/api/ingestions/${accepting.body.id}`);
  expect(taken.body, taken.text).toMatchObject({ status: 'succeeded', changed: true });
  const active = await client.get(`/v1/api/contracts/${taken.body.contract_id}`);
  expect(active.body.document).toMatch(/- retail\s+- trade\s+- public/);
  const day = csv(header, [['N1', 'C1', '31/07/2017', 7]]);
  expect((await take(client, { bytes: day })).ingestion.message).toContain(
    'ordered_at: is date in the contract and reads as date (dd/MM/yyyy) in the file; values such as 2024-01-31 are expected',
  );
  const detailOf = async (from: string, to: string) =>
    (await client.post('/v1/api/contracts', { document: document.replace(from, to) })).body.detail;
  expect(await detailOf('value: ordered_at', 'value: orderd_at')).toContain('; did you mean ordered_at?');
  expect(await detailOf('property: eventTime', 'property: evntTime')).toContain('; did you mean eventTime?');
});

test('the acceptance of a version that is not proposed says how to go back to it', async () => {
  const client = await shop('Back');
  const next = document.replace('name: amount', 'name: amount\n        description: paid');
  const { body } = await client.post('/v1/api/contracts', { document: next, accept: true });
  await client.finished(`/v1/api/ingestions/${body.started_ingestion_id}`);
  const active = await client.post(`/v1/api/contracts/${body.id}/acceptance`);
  expect(active.body.detail).toMatch(/is the active one\. Data that there are, are under it/);
  const back = await client.post(`/v1/api/contracts/${body.base_id}/acceptance`);
  expect(back.status).toBe(409);
  expect(back.body.detail).toMatch(/superseded.*propose its document again: POST \/v1\/api\/contracts/);
});
