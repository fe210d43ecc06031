/** Rows that name somebody by what the contract says is a document. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../../../tests/service.ts';
import { csv, returnsTask, shopTables, shopText } from '../../../tests/shop.ts';
import { errorsOf, runBatch } from '../../../tests/support/samples/batches.ts';
import { takeIn } from '../../../tests/take-in.ts';
import { trainTask } from '../../../tests/train-task.ts';
import { cnpjFrom } from '../../lib/brazil-documents.ts';

let service: TestService;
let client: Client;

const documentOf = (customer: number): string => cnpjFrom(String(10_000_000 + customer));
/** A text of the shop whose customers are companies. */
const ofCompanies = (text: string): string => text.replace(/\bC(\d+)\b/g, (_, c) => documentOf(Number(c)));
const plainContract = shopText('contract.yaml');
const contract = plainContract.replace(
  '        unique: true\n',
  '$&        logicalTypeOptions:\n          format: cnpj\n',
);

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Companies'));
  const { customers, orders } = shopTables;
  await takeIn(client, contract, { customers: ofCompanies(customers), orders: ofCompanies(orders) });
  const { train, validation } = returnsTask.labels;
  await trainTask(client, {
    ...returnsTask,
    labels: { train: ofCompanies(train), validation: ofCompanies(validation) },
  });
});
afterAll(() => service.close());

const model = 'returns/production';
const at = { reference_date: '2023-09-15' };
const ask = (customer_id: string) => client.post(`/v1/api/prediction/${model}`, { customer_id, ...at });
const because = { code: 'wrong_format', format: 'cnpj' };
const message = 'must be a CNPJ with right check digits';

test('what is no such document is refused, in a batch as in a single question, and one that is unknown is answered', async () => {
  const known = documentOf(3);
  const unknown = cnpjFrom('99999999');
  const wrong = ['abc', `${known.slice(0, -1)}${(Number(known.at(-1)) + 1) % 10}`, '529.982.247-25'];
  const who = [known, wrong[0], unknown, wrong[1], known.replace(/\D/g, ''), wrong[2]];
  const file = await client.upload(
    'who.csv',
    csv(
      'Quem',
      who.map((one) => [one]),
    ),
  );
  const asked = { files: [file], model, ...at, column_mapping: { customer_id: 'Quem' } };
  const { id, batch } = await runBatch(client, asked);
  expect(batch).toMatchObject({ status: 'succeeded', progress: { rows: { succeeded: 3, failed: 3 } } });
  const told = { file_id: file, column: 'Quem', code: 'invalid_input', message, because };
  expect(await errorsOf(client, id)).toMatchObject([2, 4, 6].map((row) => ({ ...told, row })));
  expect((await client.get(`/v2/api/batches/${id}/warnings`)).body.data).toEqual([]);
  for (const one of wrong) {
    const { status, body } = await ask(one);
    expect([one, status, body.code]).toEqual([one, 422, 'invalid_input']);
    expect(body.errors).toMatchObject([{ pointer: '/customer_id', detail: message, because }]);
  }
  expect((await ask(known)).body).not.toHaveProperty('warnings');
  expect((await ask(unknown)).body.warnings).toMatchObject([{ code: 'unknown_entity' }]);
});

test('where the data alone say that keys are documents, what is none is answered, and told as one that is mistyped', async () => {
  const other = (await service.tenant('Undeclared')).client;
  const { customers, orders } = shopTables;
  await takeIn(other, plainContract, { customers: ofCompanies(customers), orders: ofCompanies(orders) });
  const { train, validation } = returnsTask.labels;
  const labels = { train: ofCompanies(train), validation: ofCompanies(validation) };
  await trainTask(other, { ...returnsTask, labels });
  const unknown = cnpjFrom('99999999');
  const file = await other.upload('who.csv', csv('customer_id', [[documentOf(3)], ['abc'], [unknown]]));
  const { id, batch } = await runBatch(other, { files: [file], model, ...at });
  expect(batch).toMatchObject({ progress: { rows: { succeeded: 3, failed: 0 } } });
  expect((await other.get(`/v2/api/batches/${id}/warnings`)).body.data).toMatchObject([
    { row: 2, column: 'customer_id', code: 'wrong_check_digits' },
  ]);
  const codesOf = async (customer_id: string) =>
    (await other.post(`/v1/api/prediction/${model}`, { customer_id, ...at })).body.warnings.map(
      ({ code }: { code: string }) => code,
    );
  expect(await codesOf('abc')).toEqual(['unknown_entity', 'wrong_check_digits']);
  expect(await codesOf(unknown)).toEqual(['unknown_entity']);
});

test('who is in the data by a contract that asks for no document any more is answered, also by a version before it', async () => {
  await takeIn(client, plainContract, { customers: 'customer_id,segment,since\nabc,retail,2023-01-02\n' }, 'append');
  const { status, body, text } = await ask('abc');
  expect(status, text).toBe(200);
  expect(body).not.toHaveProperty('warnings');
});
