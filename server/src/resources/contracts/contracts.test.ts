import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../../../tests/service.ts';
import { csv, orderRows, shopText } from '../../../tests/shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Ingests orders with columns that the contract lacks. Returns the file and the proposed contract. */
async function ask(client: Client, ...columns: string[]): Promise<{ file: string; proposed: string }> {
  const rows = csv(
    `order_id,customer_id,ordered_at,amount,${columns.join()}`,
    orderRows.map((row, at) => [...row, ...columns.map((column) => `${column} ${at % 3}`)]),
  );
  const file = await client.upload('orders.csv', rows);
  const asked = await client.post('/v1/api/ingestions', {
    files: [{ file_id: file, table: 'orders', mode: 'replace' }],
  });
  const { body, text } = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(body.status, text).toBe('refused');
  return { file, proposed: body.proposed_contract_id };
}

async function shop(name: string): Promise<Client> {
  const { client } = await service.tenant(name);
  await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  return client;
}

const accept = (client: Client, id: string) => client.post(`/v1/api/contracts/${id}/acceptance`);

test('of two proposals upon one contract only one can be accepted, also at once', async () => {
  const client = await shop('Two proposals');
  const proposed = [(await ask(client, 'alpha')).proposed, (await ask(client, 'beta')).proposed];
  const answers = await Promise.all(proposed.map((id) => accept(client, id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  expect(refused.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('send the files again') });

  // The same files, sent again, lead to a proposal based on the contract that is active now.
  const { proposed: next } = await ask(client, 'alpha', 'beta');
  const { body } = await accept(client, next);
  expect(body).toMatchObject({
    status: 'active',
    base_id: proposed[answers.findIndex(({ status }) => status === 200)],
  });
});

test('a contract whose files have been deleted can be accepted, and ingests nothing', async () => {
  const client = await shop('Deleted files');
  const { file, proposed } = await ask(client, 'alpha');
  await client.send('DELETE', `/v2/api/files/${file}`);
  const accepted = await accept(client, proposed);
  expect(accepted.status, accepted.text).toBe(200);
  expect(accepted.body).toMatchObject({ status: 'active', started_ingestion_id: null });
});
