/** Moments of the world (…Z, -03:00, Unix time) are read on the workspace's clocks, from files to predictions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseContract } from '../src/ml/contract/parse.ts';
import { lendingData, lendingFiles, lendingQueries } from './lending.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
let clocks: Awaited<ReturnType<typeof lender>>;
let inSaoPaulo: Awaited<ReturnType<typeof lender>>;

beforeAll(async () => {
  service = await startTestService();
  clocks = await lender(
    'Clocks',
    orders((moment) => moment),
  );
  inSaoPaulo = await lender('Instants', orders(instants));
});
afterAll(() => service.close());

const made = lendingFiles(lendingData());
const csv = (table: string): string => made[`tables/${table}.csv`];

/** The orders with a time of day, by the clocks of São Paulo, which were 3 hours behind UTC in all of these years. */
function orders(write: (clocks: string, order: number) => string): string {
  const [header, ...rows] = csv('order').trimEnd().split('\n');
  const at = header.split(',').indexOf('placed');
  const timed = rows.map((row, i) => {
    const cells = row.split(',');
    const clocks = `${cells[at]}T${String((7 * i) % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:00`;
    return cells.with(at, write(clocks, i)).join(',');
  });
  return `${[header, ...timed].join('\n')}\n`;
}

const asInstant = (clocks: string, offset: number): Date => new Date(Date.parse(`${clocks}Z`) - offset * 3_600_000);

/** The same moments in the ways in which programs write them. */
const instants = (clocks: string, order: number): string => {
  const moment = asInstant(clocks, -3);
  const inParis = new Date(moment.getTime() + 2 * 3_600_000).toISOString().slice(0, 19);
  return [moment.toISOString(), `${clocks}-03:00`, `${inParis}+02:00`, clocks][order % 4];
};

async function send(client: Client, files: Readonly<Record<string, string>>) {
  const sent = [];
  for (const [name, text] of Object.entries(files))
    sent.push({ file_id: await client.upload(name, text), table: name.split('.')[0] });
  const asked = await client.post('/v1/api/ingestions', { files: sent });
  return (await client.finished(`/v1/api/ingestions/${asked.body.id}`)).body;
}

async function lender(name: string, orderFile: string, timeZone?: string) {
  const { client } = await service.tenant(name, timeZone === undefined ? {} : { timeZone });
  const tables = { 'customer.csv': csv('customer'), 'order.csv': orderFile };
  const first = await send(client, tables);
  const path = `/v1/api/contracts/${first.proposed_contract_id}`;
  const { document } = (await client.get(path)).body;
  const accepted = await client.post(`${path}/acceptance`);
  const taken = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
  expect(taken.body, taken.text).toMatchObject({ status: 'succeeded' });
  return { client, document, contract: parseContract(document, 'proposed') };
}

test('the same orders as instants and as clocks of the workspace are learned and answered alike', {
  timeout: 300_000,
}, async () => {
  expect(inSaoPaulo.contract).toMatchObject({ timeZone: 'America/Sao_Paulo' });
  expect(inSaoPaulo.contract.tables.map(({ timeZone }) => timeZone)).toEqual(Array(2).fill('America/Sao_Paulo'));
  expect(inSaoPaulo.contract.tables).toEqual(clocks.contract.tables);
  const answers = async ({ client }: typeof inSaoPaulo) => {
    const { run } = await trainTask(client, { name: 'spends', definition: lendingQueries.spends });
    const asked = ['c0', 'c1', 'c2', 'c3'].map((customer_id) =>
      client.post(`/v1/api/prediction/${run.model_id}/${run.version_id}`, {
        customer_id,
        reference_date: '2021-11-20',
      }),
    );
    return (await Promise.all(asked)).map(({ body }) => [body.prediction, body.as_of]);
  };
  const answered = await answers(inSaoPaulo);
  expect(answered[0][0]).toEqual(expect.any(Number));
  expect(answered).toEqual(await answers(clocks));
});

test('an instant belongs to the day of the workspace, and nothing of the day after is read, wherever it is', async () => {
  const inBerlin = await lender('Berlin', orders(instants), 'Europe/Berlin');
  const inUtc = await lender('Utc', orders(instants), 'UTC');
  expect(inUtc.document).not.toContain('timeZone');
  const known = async ({ client }: typeof inUtc, id: string, reference_date: string) =>
    (await client.get(`/v1/api/entities/order/${id}?reference_date=${reference_date}`)).status;
  // Half past midnight of 16 June in Berlin, and half past eight of the 15th in the evening in São Paulo.
  const late = 'order_id,customer_id,placed,amount,goods\nlate,c3,2022-06-15T22:30:00Z,50,bread\n';
  for (const one of [inBerlin, inSaoPaulo, inUtc])
    expect(await send(one.client, { 'order.csv': late })).toMatchObject({ status: 'succeeded' });
  // The snapshot of before may answer for a moment.
  const arrived = (one: typeof inUtc, id: string) => expect.poll(() => known(one, id, '2022-06-17')).toBe(200);
  for (const one of [inBerlin, inSaoPaulo, inUtc]) await arrived(one, 'late');
  const days = ['2022-06-14', '2022-06-15', '2022-06-16'];
  const told = (one: typeof inUtc) => Promise.all(days.map((day) => known(one, 'late', day)));
  expect(await told(inBerlin)).toEqual([404, 404, 200]);
  expect(await told(inSaoPaulo)).toEqual([404, 200, 200]);
  expect(await told(inUtc)).toEqual([404, 200, 200]);

  // The 16th in UTC is still the 15th in São Paulo.
  const night = late.replace('late', 'night').replace('15T22:30:00Z', '16T01:30:00Z');
  expect(await send(inSaoPaulo.client, { 'order.csv': night })).toMatchObject({ status: 'succeeded' });
  await arrived(inSaoPaulo, 'night');
  expect(await known(inSaoPaulo, 'night', '2022-06-15')).toBe(200);

  // Another zone of the contract is a change that reads the files again.
  const { client, document } = inSaoPaulo;
  const other = document
    .replace('America/Sao_Paulo', 'Pacific/Auckland')
    .replace(/version: \d+\.\d+\.\d+/, 'version: 2.0.0');
  const proposed = await client.post('/v1/api/contracts', { document: other });
  expect(proposed.body.changes, proposed.text).toEqual([
    ...[{ path: 'timeZone', kind: 'changed', before: 'America/Sao_Paulo', after: 'Pacific/Auckland', breaking: true }],
  ]);
  const accepted = await client.post(`/v1/api/contracts/${proposed.body.id}/acceptance`);
  const { body } = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
  expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded', report: { reread: expect.any(Array) } });
  await expect.poll(() => known(inSaoPaulo, 'night', '2022-06-15')).toBe(404);
  const wrong = await client.post('/v1/api/contracts', { document: other.replace('Pacific/Auckland', 'Brazil time') });
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Brazil time is no time zone')]);
});
