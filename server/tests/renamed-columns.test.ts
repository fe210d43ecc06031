/** A column that a later file has under another name. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { shopText } from './shop.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Renamed');
});
afterAll(() => service.close());

test('a renamed reference stays a reference: the proposal says by what it was known, and takes both names', async () => {
  const { client } = tenant;
  const document = shopText('contract.yaml');
  expect((await client.post('/v1/api/contracts', { document, accept: true })).status).toBe(201);
  const take = async (table: string, bytes: string, mode = 'append') => {
    const files = [{ file_id: await client.upload(`${table}.csv`, bytes), table, mode }];
    const { body } = await client.post('/v1/api/ingestions', { files });
    return (await client.finished(`/v1/api/ingestions/${body.id}`)).body;
  };
  const orders = shopText('tables/orders.csv');
  expect(await take('customers', shopText('tables/customers.csv'))).toMatchObject({ status: 'succeeded' });
  expect(await take('orders', orders)).toMatchObject({ status: 'succeeded' });

  const renamed = orders.replace('customer_id', 'buyer').replace('amount', 'value');
  const refused = await take('orders', renamed, 'replace');
  expect(refused).toMatchObject({ status: 'refused', proposed_contract_id: expect.any(String) });
  const told = await client.get(`/v1/api/ingestions/${refused.id}/deviations`);
  expect(told.body.classification).toBe('new_contract_version');
  expect(told.body.files[0].deviations).toMatchObject(
    [
      { rule: 'renamed_column', column: 'customer_id', message: /the file has it as buyer, it seems: equal in 100 %/ },
      { rule: 'renamed_column', column: 'amount', message: /the file has it as value, it seems: equal in 100 %/ },
    ].map((one) => ({ ...one, message: expect.stringMatching(one.message) })),
  );

  const accepted = await client.post(`/v1/api/contracts/${refused.proposed_contract_id}/acceptance`);
  expect(accepted.body, accepted.text).toMatchObject({ status: 'active' });
  const same = { table: 'orders', added: 0, changed: 0, removed: 0, identical: orders.trim().split('\n').length - 1 };
  const again = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
  expect(again.body, 'the file that was refused').toMatchObject({ status: 'succeeded', report: { changes: [same] } });
  expect(await take('orders', orders, 'replace')).toMatchObject({ status: 'succeeded', report: { changes: [same] } });
});
