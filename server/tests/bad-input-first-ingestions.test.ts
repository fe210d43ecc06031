/** Spoilt files sent over HTTP to first ingestions, for which there is no contract yet. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from './service.ts';
import { orderRows, ordersParquet, shopText } from './shop.ts';
import { type Sent, send, take } from './spoilt-files.ts';

let service: TestService;
let parquet: Uint8Array;

const customers = shopText('tables/customers.csv');
const orders = shopText('tables/orders.csv');

beforeAll(async () => {
  service = await startTestService();
  parquet = await ordersParquet();
});
afterAll(() => service.close());

describe('the first ingestion, without a contract,', () => {
  let attempts = 0;
  const first = async (files: readonly Sent[]) => {
    const { client } = await service.tenant(`First ${attempts++}`);
    const sent = [];
    for (const file of files)
      sent.push({ file_id: await send(client, file, 'orders.csv'), table: file.table ?? 'orders' });
    const asked = await client.post('/v1/api/ingestions', { files: sent });
    const { body } = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'refused', failure: null });
    const told = await client.get(`/v1/api/ingestions/${body.id}/deviations`);
    return { client, ingestion: body, told: told.body };
  };

  test('names each file that cannot be read', async () => {
    const { told } = await first([
      { name: 'a/customers.csv', bytes: customers, table: 'customers' },
      { name: 'a/orders.parquet', bytes: parquet.subarray(0, parquet.length * 0.6) },
      { name: 'a/visits.csv', bytes: '', table: 'visits' },
      { name: 'a/names.csv', bytes: 'id,_known_at\n1,2023-05-05\n', table: 'names' },
    ]);
    expect(told).toMatchObject({ classification: 'data_error', proposed_contract_id: null });
    expect(told.files).toMatchObject([
      {
        path: 'a/orders.parquet',
        deviations: [{ message: expect.stringMatching(/^a\/orders\.parquet: the Parquet data/) }],
      },
      { path: 'a/visits.csv', deviations: [{ message: expect.stringMatching(/^a\/visits\.csv: the file is empty/) }] },
    ]);
  });

  test('tells with the contract that it proposes which rows still break it', async () => {
    const { client, ingestion, told } = await first([
      { name: 'customers.csv', bytes: customers, table: 'customers' },
      { bytes: `${orders}X1,C1\nX2,C1,2023-05-05,\0\nX3,C1,2093-01-01,5\n` },
    ]);
    expect(told).toMatchObject({
      classification: 'new_contract_version',
      proposed_contract_id: ingestion.proposed_contract_id,
    });
    const [file, ...others] = told.files;
    expect(others).toEqual([]);
    expect(file).toMatchObject({ path: 'orders.csv', rows: orderRows.length + 1 });
    expect(file.deviations.map(({ rule, count }: { rule: string; count: number }) => `${rule} ${count}`)).toEqual([
      'unreadable_row 2',
      'in_future 1',
    ]);
    const accepted = await client.post(`/v1/api/contracts/${ingestion.proposed_contract_id}/acceptance`);
    const { body: again } = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
    expect(again).toMatchObject({ status: 'refused', proposed_contract_id: null });
    expect((await client.get(`/v1/api/ingestions/${again.id}/deviations`)).body.files).toMatchObject([
      { deviations: file.deviations },
    ]);
  });

  test('takes a table in several files, of any format, and under a name of several words', async () => {
    const half = orders.split('\n');
    const { client, ingestion } = await first([
      { name: 'one.csv', bytes: `${half.slice(0, 200).join('\n')}\n`, table: 'ordens de São João' },
      { name: 'two.csv', bytes: `${[half[0], ...half.slice(200)].join('\n')}`, table: 'ordens de São João' },
      { name: 'three.csv', bytes: customers, table: 'customers' },
    ]);
    const accepted = await client.post(`/v1/api/contracts/${ingestion.proposed_contract_id}/acceptance`);
    const { body } = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
    expect(body).toMatchObject({
      status: 'succeeded',
      report: { files: [{ added: 199 }, { added: 281 }, { added: 40 }] },
    });
  });

  test('takes a table under the name that a contract gives it, which is no file name', async () => {
    const { client } = await service.tenant('No file name');
    const table = '../orders of ¶ & co';
    const document = shopText('contract.yaml').replace('name: orders', `name: "${table}"`);
    expect((await client.post('/v1/api/contracts', { document, accept: true })).status).toBe(201);
    await take(client, { name: 'customers.csv', bytes: customers, table: 'customers' });
    const { ingestion } = await take(client, { bytes: orders, table });
    expect(ingestion).toMatchObject({ status: 'succeeded', report: { files: [{ table, added: 480 }] } });
  });
});
