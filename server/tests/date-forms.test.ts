/** Dates as 31/12/2024 and 20241231, and numbers as 1.234,56, from files without a contract to predictions and batches. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDuckDb } from '../src/lib/duckdb/duckdb.ts';
import { parseContract } from '../src/ml/contract/parse.ts';
import { lendingData, lendingFiles, lendingQueries } from './lending.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { resultOf, runBatch } from './support/samples/batches.ts';
import { runFolder } from './support/samples/lib-db.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
const folder = mkdtempSync(join(runFolder(), 'date-forms-'));

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const isoDay = /\d{4}-\d\d-\d\d/g;
const dayFirst = (text: string): string => text.replace(isoDay, (day) => day.split('-').reverse().join('/'));

/** Numbers of a CSV file with cents, and the file as spreadsheets of Brazil write it. */
const withCents = (text: string): string => text.replace(/(?<=,)\d{2,4}(?=[,\n])/g, '$&.25');
const commas = (text: string): string => text.replaceAll(',', ';').replace(/(\d)\.25/g, '$1,25');
const brazilian = (text: string): string => commas(dayFirst(text));

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The lender's tables as CSV, and the orders as Parquet. */
async function filesWith(write: (text: string) => string, ordered: string): Promise<Files> {
  const made = lendingFiles(lendingData());
  const csv = (table: string): string => made[`tables/${table}.csv`];
  writeFileSync(join(folder, 'order.csv'), csv('order'));
  const duckdb = await openDuckDb({ folders: [folder] });
  const rows = `select order_id, customer_id, ${ordered} as placed, amount, goods from read_csv('${folder}/order.csv')`;
  await duckdb.run(`copy (${rows}) to '${folder}/order.parquet' (format parquet)`);
  duckdb.close();
  const tables = ['customer', 'loan', 'instalment'].map((table) => [`${table}.csv`, write(withCents(csv(table)))]);
  return { ...Object.fromEntries(tables), 'order.parquet': readFileSync(join(folder, 'order.parquet')) };
}

async function ingest(client: Client, files: Files) {
  const sent = [];
  for (const [name, bytes] of Object.entries(files))
    sent.push({ file_id: await client.upload(name, bytes), table: name.split('.')[0] });
  const asked = await client.post('/v1/api/ingestions', { files: sent });
  return (await client.finished(`/v1/api/ingestions/${asked.body.id}`)).body;
}

/** Proposes a contract of first files; `accept` takes them in by it. */
async function propose(name: string, files: Files) {
  const { client } = await service.tenant(name);
  const first = await ingest(client, files);
  expect(first).toMatchObject({ status: 'refused', proposed_contract_id: expect.any(String) });
  const path = `/v1/api/contracts/${first.proposed_contract_id}`;
  const proposed = await client.get(path);
  const accept = async () => {
    const accepted = await client.post(`${path}/acceptance`);
    const taken = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
    expect(taken.body, taken.text).toMatchObject({ status: 'succeeded' });
  };
  return { client, accept, contract: parseContract(proposed.body.document, 'proposed') };
}

test('files with dates as 31/12/2024 and 20241231 and numbers as 1.234,56 are read, learned and answered as those with ISO 8601', {
  timeout: 300_000,
}, async () => {
  const iso = await propose('Iso', await filesWith((text) => text, 'placed'));
  const own = await propose('Own', await filesWith(brazilian, "strftime(placed, '%Y%m%d')::int"));
  const { client } = own;
  const formsOf = ({ contract }: typeof own) =>
    Object.fromEntries(
      contract.tables.map(({ name, columns }) => [name, columns.flatMap(({ dateForm }) => dateForm ?? [])]),
    );
  expect(formsOf(iso)).toEqual({ customer: [], loan: [], instalment: [], order: [] });
  expect(formsOf(own)).toEqual({
    ...{ customer: ['dd/MM/yyyy'], order: ['yyyyMMdd'] },
    ...{ loan: ['dd/MM/yyyy', 'dd/MM/yyyy'], instalment: ['dd/MM/yyyy', 'dd/MM/yyyy'] },
  });
  const separators = own.contract.tables.flatMap(({ columns }) =>
    columns.flatMap(({ name, decimalSeparator }) => (decimalSeparator ? [name] : [])),
  );
  expect(separators.sort()).toEqual(['amount', 'days_late', 'size', 'wealth']);
  const withoutForms = own.contract.tables.map((table) => ({
    ...table,
    columns: table.columns.map(({ dateForm: _, decimalSeparator: _comma, ...column }) => column),
  }));
  expect(withoutForms).toEqual(iso.contract.tables);

  await own.accept();
  const { run } = await trainTask(client, { name: 'month', definition: lendingQueries.month });
  const address = `/v1/api/prediction/${run.model_id}/${run.version_id}`;
  const ask = async (loan: object): Promise<number> => {
    const reply = await client.post(address, loan);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.prediction;
  };
  const loan = { customer_id: 'c3', size: 604.25 };
  const known = await ask({ ...loan, opened: '2022-06-15' });
  expect(await ask({ ...loan, opened: '15/06/2022' })).toBe(known);
  expect(await ask({ ...loan, size: '604,25', opened: '15/06/2022' })).toBe(known);
  const wrong = await client.post(address, { ...loan, opened: '31/02/2022' });
  const detail = 'expected a date such as 31/12/2024 or 2024-12-31, found "31/02/2022"';
  const because = expect.objectContaining({ code: 'not_of_type', type: 'date', found: '31/02/2022' });
  const refused = [{ pointer: '/opened', code: 'invalid_input', detail, because }];
  expect([wrong.status, wrong.body.errors]).toEqual([422, refused]);
  const version = await client.get(`/v1/api/models/${run.model_id}/versions/${run.version_id}`);
  expect(version.body.inputs).toContainEqual(expect.objectContaining({ name: 'opened', format: 'dd/MM/yyyy' }));
  expect(version.body.inputs).toContainEqual(expect.objectContaining({ name: 'size', decimal_separator: ',' }));
  const pointed = await client.post(address, { ...loan, size: '604.25', opened: '15/06/2022' });
  expect(pointed.body.errors).toMatchObject([
    { pointer: '/size', code: 'invalid_input', detail: 'expected a number such as 1.234,56, found "604.25"' },
  ]);

  const days = ['2022-06-15', '2022-03-02', '2021-12-31', '2022-02-28'];
  const rows = days.map((day, i) => `c${3 * i};${i % 2 ? day : dayFirst(day)};60${i},25`);
  const file = await client.upload('rows.csv', `customer_id;opened;size\n${rows.join('\n')}\nc1;31/02/2022;600\n`);
  const { id, batch } = await runBatch(client, { files: [file], model: `${run.model_id}/production` });
  expect(batch).toMatchObject({
    ...{ status: 'succeeded', progress: { rows: { succeeded: days.length, failed: 1 } } },
  });
  const { download_url } = await resultOf(client, id);
  const [header, ...lines] = (await (await fetch(download_url)).text()).trim().split('\n');
  const scores = lines.map((line) => Number(line.split(',')[header.split(',').indexOf('prediction')]));
  const singles = [];
  for (const [i, day] of days.entries())
    singles.push(await ask({ customer_id: `c${3 * i}`, size: 600.25 + i, opened: day }));
  expect(scores).toEqual(singles);

  const outcomes = rows.map((row, i) => `${row};${i % 2}`);
  const measured = await client.upload(
    'labelled.csv',
    `customer_id;opened;size;label\n${outcomes.join('\n')}\nc1;31/02/2022;600;1\n`,
  );
  const asked = await client.post('/v1/api/evaluations', { file: measured, model: `${run.model_id}/production` });
  const { body: evaluation } = await client.finished(`/v1/api/evaluations/${asked.body.id}`);
  expect(evaluation, JSON.stringify(evaluation)).toMatchObject({
    result: {
      rows: { read: days.length + 1, unreadable: 1 },
      errors: [{ column: 'opened', message: 'expected a date such as 31/12/2024 or 2024-12-31' }],
    },
  });

  // On 2 July, which is after 15 June, and would be before it as 7 February.
  const planted = Array.from({ length: 5 }, (_, i) => `p${i};c3;02/07/2022;9.999,25;`);
  const added = await ingest(client, {
    'loan.csv': `loan_id;customer_id;opened;size;charged_off\n${planted.join('\n')}\n`,
  });
  expect(added).toMatchObject({ status: 'succeeded' });
  expect(await ask({ ...loan, opened: '15/06/2022' })).toBe(known);
  const knownBy = async (day: string) => (await client.get(`/v1/api/entities/loan/p0?reference_date=${day}`)).status;
  expect([await knownBy('2022-06-15'), await knownBy('2022-07-20')], 'by then they are read').toEqual([404, 200]);
});
