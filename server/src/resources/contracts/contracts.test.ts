import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../../../tests/service.ts';
import { csv, orderRows, shopText } from '../../../tests/shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Ingests orders with columns that the contract lacks. Returns file, ingestion and the proposed contract. */
async function ask(
  client: Client,
  ...columns: string[]
): Promise<{ file: string; ingestion: string; proposed: string }> {
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
  return { file, ingestion: body.id, proposed: body.proposed_contract_id };
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

test('a proposal may be for the files of a refused ingestion, which come in once it is accepted', async () => {
  const client = await shop('Corrected proposal');
  const { file, ingestion, proposed } = await ask(client, 'alpha');
  const { document } = (await client.get(`/v1/api/contracts/${proposed}`)).body;
  const corrected = document.replace('name: alpha', 'name: alpha\n        businessName: first');
  const made = await client.post('/v1/api/contracts', { document: corrected, ingestion_id: ingestion });
  expect(made.body, made.text).toMatchObject({ status: 'proposed', ingestion_id: ingestion });
  const accepted = await accept(client, made.body.id);
  const { body } = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
  expect(body).toMatchObject({ status: 'succeeded', kind: 'delivery', contract_id: made.body.id });
  expect(body.files).toEqual([{ file_id: file, table: 'orders', mode: 'replace' }]);

  const refusals = [
    ['ing_none', { status: 404, code: 'not_found' }],
    [body.id, { status: 409, code: 'conflict' }],
  ] as const;
  for (const [asking, refusal] of refusals) {
    const refused = await client.post('/v1/api/contracts', { document, ingestion_id: asking });
    expect(refused.body).toMatchObject({ ...refusal, errors: [{ pointer: '/ingestion_id' }] });
  }
});
