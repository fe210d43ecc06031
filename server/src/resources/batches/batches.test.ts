/** Batches over HTTP: files are uploaded, child processes score their rows, and results are downloaded. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import {
  askForBatch,
  keysOf,
  learnShop,
  resultOf,
  runBatch,
  type Trained,
} from '../../../tests/support/samples/batches.ts';
import { openDuckDb, quoteText } from '../../lib/duckdb/duckdb.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let returns: Trained;
let late: Trained;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Shop');
  client = tenant.client;
  ({ returns, late } = await learnShop(client));
}, 120_000);
afterAll(() => service.close());

type Line = Readonly<Record<string, unknown>>;

const customers = Array.from({ length: 40 }, (_, c) => `C${c}`);
const production = () => `${returns.model_id}/production`;

/** Fetches the bytes of an address without a key. */
async function fetchBytes(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(url, { headers });
  expect(answer.ok, `${url}: ${answer.status}`).toBe(true);
  return Buffer.from(await answer.arrayBuffer());
}

/** Returns the lines of a JSONL result of one file, with timestamps in the format of the real-time route. */
async function linesOf(id: string): Promise<Line[]> {
  const { download_url } = await resultOf(client, id);
  const lines = (await fetchBytes(download_url)).toString().trimEnd().split('\n');
  return lines.map((line) => {
    const told = JSON.parse(line);
    return { ...told, as_of: new Date(told.as_of).toISOString() };
  });
}

async function errorsOf(id: string) {
  const errors = await client.get(`/v2/api/batches/${id}/errors?limit=200`);
  expect(errors.status, errors.text).toBe(200);
  return errors.body.data;
}

/** Returns the answer of the real-time route in the format of a batch line. */
async function answered(model: string, inputs: Line): Promise<Line> {
  const { status, text, body } = await client.post(`/v1/api/prediction/${model}`, inputs);
  expect(status, text).toBe(200);
  const { prediction_id, generated_at, snapshot_id, data_age, key_factors, ...rest } = body;
  return { ...rest, key_factors: JSON.stringify(key_factors) };
}

describe('rows', () => {
  test('are answered in order with the bits of the real-time route, each as of its own day', async () => {
    const days = ['2023-06-30', '', '2023-11-02'];
    const rows = customers.map((id, c) => [id, days[c % 3], `ref-${c}`]);
    const file = await client.upload('2026/customers.csv', csv('customer_id,reference_date,correlation_id', rows));
    const { id, batch } = await runBatch(client, {
      files: [file],
      model: production(),
      reference_date: '2023-09-15',
      output_format: 'jsonl',
      metadata: { run: 7 },
    });
    expect(batch).toMatchObject({
      status: 'succeeded',
      model: { ...returns, alias: 'production' },
      reference_date: '2023-09-15',
      // The end of that day in São Paulo.
      as_of: '2023-09-16T02:59:59.999Z',
      metadata: { run: 7 },
      progress: { rows: { total: 40, processed: 40, succeeded: 40, failed: 0 }, fraction: 1 },
      files: [{ file_id: file, path: '2026/customers.csv', output_path: '2026/customers.jsonl' }],
      warnings: [],
      failure: null,
    });
    const lines = await linesOf(id);
    expect(lines).toHaveLength(40);
    for (const [c, line] of lines.entries()) {
      const day = days[c % 3] || '2023-09-15';
      const { customer_id, reference_id, ...told } = line;
      expect({ customer_id, reference_id }).toEqual({ customer_id: `C${c}`, reference_id: null });
      const inputs = { customer_id: `C${c}`, reference_date: day, correlation_id: `ref-${c}` };
      expect(told).toEqual(await answered(production(), inputs));
    }
  });

  test('that name somebody who is not in the data are answered and counted in a warning, as a single answer says it', async () => {
    const file = await client.upload(
      'who.csv',
      csv(
        'customer_id',
        [...customers, 'N1', '11.222.333/0001-80'].map((id) => [id]),
      ),
    );
    const at = { reference_date: '2023-09-15' };
    const { batch } = await runBatch(client, { files: [file], model: production(), ...at });
    expect(batch).toMatchObject({ status: 'succeeded', progress: { rows: { succeeded: 42 } } });
    expect(batch.warnings).toEqual([
      {
        ...{ code: 'unknown_entities', file_id: file, path: 'who.csv' },
        message:
          'who.csv: 2 of 42 answered rows have a customer_id that is not in the data as of their moment: nothing was known of it',
        values: { about: 'customer_id', rows: 2, answered: 42 },
        first_rows: [41, 42],
      },
      {
        ...{ code: 'wrong_check_digits', file_id: file, path: 'who.csv' },
        message: expect.stringMatching(/^who.csv: 1 of 42 answered rows have a customer_id that is written as a CPF/),
        values: { about: 'customer_id', rows: 1, answered: 42 },
        first_rows: [42],
      },
    ]);
    const ask = (customer_id: string) => client.post(`/v1/api/prediction/${production()}`, { customer_id, ...at });
    const known = (await ask('C3')).body;
    expect(known).not.toHaveProperty('warnings');
    expect(known).not.toHaveProperty('unknown');
    const unknown = await ask('N1');
    expect(unknown.status).toBe(200);
    expect(unknown.body.warnings).toEqual([
      {
        code: 'unknown_entity',
        input: 'customer_id',
        message: expect.stringContaining('what customer_id names is not in the data'),
      },
    ]);
    const { body: mistyped } = await ask('11.222.333/0001-80');
    expect(mistyped.warnings).toMatchObject([
      { code: 'unknown_entity' },
      { code: 'wrong_check_digits', input: 'customer_id' },
    ]);
  });

  test('of days that the data do not reach are counted in a warning, as a single answer says it', async () => {
    const rows = [
      ['C3', '2023-09-15'],
      ['C4', ''],
      ['C5', ''],
    ];
    const file = await client.upload('later.csv', csv('customer_id,reference_date', rows));
    const { batch } = await runBatch(client, { files: [file], model: production() });
    expect(batch.warnings).toEqual([
      {
        ...{ code: 'stale_data', file_id: file, path: 'later.csv' },
        message: expect.stringMatching(/^later.csv: 2 of 3 answered rows ask of a moment more than \d+ days? after /),
        values: { about: expect.stringMatching(/^\d+$/), rows: 2, answered: 3 },
        first_rows: [2, 3],
      },
    ]);
    const ask = async (day: object) =>
      (await client.post(`/v1/api/prediction/${production()}`, { customer_id: 'C3', ...day })).body;
    expect(await ask({ reference_date: '2023-09-15' })).not.toHaveProperty('warnings');
    expect((await ask({})).warnings).toMatchObject([{ code: 'stale_data', input: null }]);
  });

  test('say in their own column what there is to say of them, in the form of each format', async () => {
    const [who, order] = [production(), `${late.model_id}/${late.version_id}`];
    const rows = [
      [who, 'C3', '2023-09-15', '', ''],
      [order, 'N1', '2023-09-15', '2023-09-14', '25.5'],
      [who, '', '2023-09-15', '', ''],
      [who, '11.222.333/0001-80', '2023-09-15', '', ''],
      [who, 'N2', '', '', ''],
      [who, 'C5', '', '', ''],
    ];
    const text = csv('endpoint,customer_id,reference_date,ordered_at,amount', rows);
    const files = [await client.upload('said.csv', text)];
    const asked = { files, model: who, include: ['row', 'warnings'] };
    const { id, batch } = await runBatch(client, { ...asked, output_format: 'jsonl' });
    expect(batch.include).toEqual(['row', 'warnings']);
    const said = [null, ['unknown_entities'], ['unknown_entities', 'wrong_check_digits']];
    const stale = [['unknown_entities', 'stale_data'], ['stale_data']];
    expect((await linesOf(id)).map(({ row, warnings }) => [row, warnings && JSON.parse(warnings as string)])).toEqual(
      [...said, ...stale].map((codes, at) => [[1, 2, 4, 5, 6][at], codes]),
    );
    expect(batch.warnings).toMatchObject([
      { code: 'unknown_entities', first_rows: [2, 4, 5] },
      { code: 'wrong_check_digits', first_rows: [4] },
      { code: 'stale_data', first_rows: [5, 6] },
    ]);
    const { id: inCsv } = await runBatch(client, { ...asked, output_format: 'csv' });
    const lines = (await fetchBytes((await resultOf(client, inCsv)).download_url)).toString().trimEnd().split('\n');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual([
      'warnings',
      ...[...said, ...stale].map((codes) => codes?.join(';') ?? ''),
    ]);
  });

  test('of new rows that refer to somebody who is not in the data, or to nobody as nearly no row of it does, are counted', async () => {
    const rows = ['C3', 'N1', ''].map((who) => [who, '2023-10-05', '25.5']);
    const file = await client.upload('new.csv', csv('customer_id,ordered_at,amount', rows));
    const { batch } = await runBatch(client, { files: [file], model: `${late.model_id}/${late.version_id}` });
    expect(batch.progress.rows.succeeded, JSON.stringify(batch)).toBeGreaterThanOrEqual(2);
    expect(batch.warnings).toMatchObject([
      {
        code: 'unknown_entities',
        message: expect.stringMatching(/^new.csv: 1 of 3 answered rows have a customer_id /),
      },
      {
        code: 'unnamed_entities',
        message: expect.stringMatching(/^new.csv: 1 of 3 answered rows have no customer_id, which nearly all rows/),
        values: { about: 'customer_id', rows: 1, answered: 3 },
        first_rows: [3],
      },
    ]);
  });

  test('may ask several models, and what cannot be answered is left out and told', async () => {
    const [who, order] = [production(), `${late.model_id}/${late.version_id}`];
    const rows = [
      [who, 'C3', '', '', 'a'],
      [order, 'C3', '2023-10-05', '25.5', 'b'],
      ['mdl_unknown/production', 'C3', '', '', 'c'],
      ['', 'C4', '', '', 'd'],
      [order, 'C5', '2023-10-05', 'much', 'e'],
      [who, '', '', '', 'f'],
      [who, 'C6', 'no day', 'what this model never reads', 'g'],
      [order, 'C9', '2023-11-05', '80', 'h'],
    ];
    const file = await client.upload('mixed.csv', csv('endpoint,customer_id,ordered_at,amount,my_ref', rows));
    const { id, batch } = await runBatch(client, {
      files: [file],
      model: { model_id: returns.model_id, version_id: returns.version_id },
      reference_date: '2023-12-01',
      output_format: 'jsonl',
      reference_column: 'my_ref',
      include: ['row'],
    });
    expect(batch).toMatchObject({
      status: 'succeeded',
      reference_column: 'my_ref',
      warnings: [],
      progress: { rows: { total: 8, processed: 8, succeeded: 5, failed: 3 }, fraction: 1 },
    });
    expect(await errorsOf(id)).toMatchObject([
      { file: 'mixed.csv', file_id: file, row: 3, column: 'endpoint', code: 'unknown_endpoint' },
      { row: 5, column: 'amount', code: 'invalid_input', message: 'expected a number, found "much"' },
      { row: 6, column: 'customer_id', code: 'missing_input' },
    ]);
    const lines = await linesOf(id);
    expect(lines.map(({ reference_id }) => reference_id)).toEqual(['a', 'b', 'd', 'g', 'h']);
    expect(lines.map(({ row }) => row)).toEqual([1, 2, 4, 7, 8]);
    const at = { reference_date: '2023-12-01' };
    for (const [line, target, inputs] of [
      [lines[0], who, { customer_id: 'C3', reference_id: 'a' }],
      [lines[1], order, { customer_id: 'C3', ordered_at: '2023-10-05', amount: 25.5, reference_id: 'b' }],
      [lines[2], who, { customer_id: 'C4', reference_id: 'd' }],
      [lines[4], order, { customer_id: 'C9', ordered_at: '2023-11-05', amount: 80, reference_id: 'h' }],
    ] as const)
      expect(line).toMatchObject(await answered(target, { ...inputs, ...at }));
  });

  test('are not asked about what is still to come', async () => {
    const rows = [
      ['C2', '2999-01-01'],
      ['C3', '2023-13-01'],
      ['C1', '2023-09-15'],
    ];
    const file = await client.upload('days.csv', csv('customer_id,reference_date', rows));
    const { id, batch } = await runBatch(client, {
      ...{ files: [file], model: production(), output_format: 'jsonl', include: ['row'] },
    });
    expect(batch.progress.rows).toEqual({ total: 3, processed: 3, succeeded: 1, failed: 2 });
    expect(await errorsOf(id)).toMatchObject([
      { row: 1, column: 'reference_date', code: 'reference_date_in_future' },
      { row: 2, column: 'reference_date', code: 'invalid_input' },
    ]);
    expect(await linesOf(id)).toMatchObject([{ customer_id: 'C1', as_of: '2023-09-16T02:59:59.999Z', row: 3 }]);
  });

  test('have inputs in columns of other names where the batch says so, and are answered alike', async () => {
    const rows = customers.slice(0, 6).map((id, c) => [id, c % 2 ? '2023-06-30' : '', 'unread', `ref-${c}`]);
    const own = await client.upload('own.csv', csv('customer_id,reference_date,note,my_ref', rows));
    const text = csv('CNPJ,Data Ref,customer_id,my_ref', rows).replaceAll(',', ';');
    const other = await client.upload('other.csv', text);
    const asked = { model: production(), output_format: 'jsonl', reference_column: 'my_ref' };
    const plain = await runBatch(client, { ...asked, files: [own] });
    const column_mapping = { customer_id: 'cnpj', reference_date: 'Data Ref' };
    const { id, batch } = await runBatch(client, { ...asked, files: [other], column_mapping });
    expect(batch).toMatchObject({ status: 'succeeded', column_mapping });
    expect(plain.batch.column_mapping).toEqual({});
    expect(batch.warnings).toMatchObject([
      { code: 'unknown_columns', values: { columns: ['customer_id'] } },
      { code: 'stale_data' },
    ]);
    const withoutMoment = (lines: Line[]) => lines.map((line, at) => ({ ...line, as_of: at % 2 ? line.as_of : null }));
    expect(withoutMoment(await linesOf(id))).toEqual(withoutMoment(await linesOf(plain.id)));
  });

  test('are told of by the column that the file has where they cannot be answered', async () => {
    const rows = [
      ['C3', '2023-10-05', 'much', ''],
      ['', '2023-10-05', '20.5', '2999-01-01'],
      ['C5', '2023-10-05', '20.5', 'no day'],
    ];
    const file = await client.upload('called.csv', csv('Quem,Quando,Valor,Base', rows));
    const { id, batch } = await runBatch(client, {
      ...{ files: [file], model: `${late.model_id}/${late.version_id}` },
      column_mapping: { customer_id: 'Quem', ordered_at: 'Quando', amount: 'Valor', reference_date: 'Base' },
    });
    expect(batch.progress.rows.failed, JSON.stringify(batch)).toBe(3);
    expect(await errorsOf(id)).toMatchObject([
      { row: 1, column: 'Valor', code: 'invalid_input' },
      { row: 2, column: 'Base', code: 'reference_date_in_future' },
      { row: 3, column: 'Base', code: 'invalid_input' },
    ]);
  });

  test('are mapped only from inputs that there are to columns that mean nothing else', async () => {
    const file = await client.upload('mapped.csv', csv('CNPJ,note', [['C1', 'x']]));
    const mapped = (column_mapping: object) =>
      client.post('/v2/api/batches', { files: [file], model: production(), column_mapping });
    const refused = await mapped({ 'cust/omer': 'CNPJ', customer_id: 'Endpoint' });
    expect(refused.status, refused.text).toBe(422);
    expect(refused.body).toMatchObject({
      code: 'invalid',
      errors: [
        { pointer: '/column_mapping/cust~1omer', detail: expect.stringMatching(/takes customer_id, reference_date$/) },
        { pointer: '/column_mapping/customer_id', detail: expect.stringContaining('a meaning of its own') },
      ],
    });
    const twice = await mapped({ customer_id: 'CNPJ', reference_date: 'cnpj' });
    expect(twice.body.errors).toMatchObject([
      { pointer: '/column_mapping/reference_date', detail: expect.stringContaining('the column of customer_id') },
    ]);
    const { batch } = await runBatch(client, {
      ...{ files: [file], model: production(), column_mapping: { customer_id: 'CPF' } },
    });
    expect(batch.failure).toMatchObject({
      code: 'missing_column',
      detail: expect.stringContaining('mapped.csv lacks CPF (for customer_id)'),
    });
  });

  test('bring a reference only by a column that they have and that nothing else reads', async () => {
    const file = await client.upload('own.csv', csv('customer_id', [['C1']]));
    const asked = { files: [file], model: production() };
    const reserved = await client.post('/v2/api/batches', { ...asked, reference_column: 'Correlation_id' });
    expect(reserved.body).toMatchObject({ code: 'invalid', errors: [{ pointer: '/reference_column' }] });
    const lacking = await runBatch(client, { ...asked, reference_column: 'my_ref' });
    expect(lacking.batch.failure).toMatchObject({ code: 'missing_column', detail: expect.stringContaining('my_ref') });
    const input = await runBatch(client, { ...asked, reference_column: 'customer_id' });
    expect(input.batch.failure.detail).toContain('customer_id is read by a model of the batch');
  });
});

describe('results', () => {
  test('say the same in every format, and come as one archive where there are several', async () => {
    const parquet = join(service.folder, 'rows.parquet');
    const names = customers.map((id) => `('${id}')`).join(', ');
    const duckdb = await openDuckDb({ folders: [service.folder] });
    await duckdb.run(`copy (select * from (values ${names}) t(customer_id)) to ${quoteText(parquet)} (format parquet)`);
    const files = [
      await client.upload(
        'in/rows.csv',
        csv(
          'customer_id',
          customers.map((id) => [id]),
        ),
      ),
      await client.upload('in/rows.parquet', readFileSync(parquet)),
      await client.upload(
        '../rows.csv',
        csv(
          'CUSTOMER_ID,note',
          customers.map((id) => [id, 'x']),
        ),
      ),
    ];
    const { id, batch } = await runBatch(client, { files, model: production(), reference_date: '2023-09-15' });
    expect(batch).toMatchObject({ status: 'succeeded', progress: { rows: { total: 120, succeeded: 120 } } });
    expect(batch.files.map((file: { output_path: string }) => file.output_path)).toEqual([
      'in/rows.csv',
      'in/rows.parquet',
      'rows.csv',
    ]);
    expect(batch.warnings).toMatchObject([
      { code: 'unknown_columns', file_id: files[2], path: '../rows.csv', values: { columns: ['note'] } },
    ]);
    const result = await resultOf(client, id);
    const archive = join(service.folder, 'result.zip');
    writeFileSync(archive, await fetchBytes(result.download_url));
    execFileSync('unzip', ['-q', '-o', archive, '-d', join(service.folder, 'result')]);
    for (const { path, sha256, bytes, download_url, rows } of result.files) {
      expect(rows).toBe(40);
      const unpacked = readFileSync(join(service.folder, 'result', path));
      expect(unpacked.equals(await fetchBytes(download_url))).toBe(true);
      expect(unpacked.length).toBe(bytes);
      expect(createHash('sha256').update(unpacked).digest('hex')).toBe(sha256);
    }
    const [asCsv, asParquet] = ['csv', 'parquet'].map((ending) => {
      const path = quoteText(join(service.folder, 'result', 'in', `rows.${ending}`));
      return ending === 'csv' ? `read_csv(${path}, all_varchar = true)` : `read_parquet(${path})`;
    });
    const texts = 'customer_id, prediction::double, key_factors, data_coverage, as_of::timestamptz, version_id';
    const [{ n }] = await duckdb.rows(
      `select count(*)::double as n from (select ${texts} from ${asCsv} intersect select ${texts} from ${asParquet})`,
    );
    duckdb.close();
    expect(n).toBe(40);
  });

  test('in CSV hold nothing that a spreadsheet runs, unless they are asked for raw', async () => {
    const said = ['=1+1', '@SUM(A1)', '-5', 'plain'];
    const lines = said.map((text, i) => [`C${i}`, text]);
    const file = await client.upload('formulas.csv', csv('customer_id,correlation_id', lines));
    const saidIn = async (asked: object) => {
      const { id, batch } = await runBatch(client, { files: [file], model: production(), ...asked });
      const bytes = await fetchBytes((await resultOf(client, id)).files[0].download_url);
      const [header, ...rows] = bytes.toString().trimEnd().split('\n');
      const column = header.split(',').indexOf('correlation_id');
      return [batch.csv_formulas, ...rows.map((row) => row.split(',')[column])];
    };
    expect(await saidIn({})).toEqual(['escape', "'=1+1", "'@SUM(A1)", '-5', 'plain']);
    expect(await saidIn({ csv_formulas: 'raw' })).toEqual(['raw', ...said]);
    const refused = await client.post('/v2/api/batches', { files: [file], csv_formulas: 'odd' });
    expect([refused.status, refused.body.code]).toEqual([422, 'schema_mismatch']);
  });

  test('in CSV are as Excel opens them in Portuguese where that is asked for', async () => {
    const file = await client.upload(
      'excel.csv',
      csv(
        'customer_id,correlation_id',
        customers.map((id) => [id, '1.5']),
      ),
    );
    const of = async (csv_dialect?: string) => {
      const asked = { files: [file], model: production(), reference_date: '2023-09-15' };
      const { id, batch } = await runBatch(client, { ...asked, ...(csv_dialect && { csv_dialect }) });
      const text = (await fetchBytes((await resultOf(client, id)).files[0].download_url)).toString();
      return { text, told: batch.csv_dialect };
    };
    const [plain, excel] = [await of(), await of('excel_semicolon')];
    expect([plain.told, excel.told]).toEqual(['standard', 'excel_semicolon']);
    const [header] = excel.text.split('\n');
    expect(header).toMatch(/^\ufeffcustomer_id;correlation_id;/);
    const paths = [join(service.folder, 'plain.csv'), join(service.folder, 'excel.csv')];
    for (const [at, { text }] of [plain, excel].entries()) writeFileSync(paths[at], text);
    const duckdb = await openDuckDb({ folders: [service.folder] });
    const rows = (path: string, options: string) =>
      duckdb.rows(
        `select customer_id, correlation_id::varchar as ref, prediction::double as p, version_id from read_csv(${quoteText(path)}, header = true, types = {'correlation_id': 'VARCHAR'}, ${options})`,
      );
    const read = await rows(paths[1], "delim = ';', decimal_separator = ','");
    expect(read).toEqual(await rows(paths[0], "delim = ','"));
    duckdb.close();
    expect(read).toHaveLength(40);
    expect(read[0]).toMatchObject({ customer_id: 'C0', ref: '1.5', p: expect.any(Number) });
  });

  test('do not repeat a long text for every row of a small file', async () => {
    const path = join(service.folder, 'echoes.parquet');
    const duckdb = await openDuckDb({ folders: [service.folder] });
    await duckdb.run(
      `copy (select 'C1' as customer_id, case when i > 0 then t else 'short' end as correlation_id from range(300) r(i), (select repeat('x', 1000000) t)) to ${quoteText(path)} (format parquet, compression zstd)`,
    );
    duckdb.close();
    const file = await client.upload('echoes.parquet', readFileSync(path));
    const { id, batch } = await runBatch(client, { files: [file], model: production() });
    expect(batch.progress.rows).toMatchObject({ total: 300, succeeded: 1, failed: 299 });
    expect((await resultOf(client, id)).files[0].bytes).toBeLessThan(20_000);
    const [error] = await errorsOf(id);
    expect(error).toMatchObject({ row: 2, column: 'correlation_id', code: 'invalid_input' });
    expect(error.message).toContain('longer than 1,000 characters');
  });

  test('of a large file are made of the parts of its units', async () => {
    const rows = 410_000;
    const path = join(service.folder, 'large.parquet');
    const duckdb = await openDuckDb({ folders: [service.folder] });
    // Nearly all rows lack a required input, which is fast to report.
    const values = `case when i % 1000 = 999 then 'C' || (i % 45) end as customer_id, i::varchar as reference_id`;
    await duckdb.run(
      `copy (select ${values} from range(${rows}) t(i)) to ${quoteText(path)} (format parquet, row_group_size 122880)`,
    );
    const files = [await client.upload('large.parquet', readFileSync(path))];
    for (const output_format of ['parquet', 'csv'] as const) {
      const { id, batch } = await runBatch(client, { files, model: production(), output_format });
      expect(batch).toMatchObject({
        status: 'succeeded',
        progress: { rows: { total: rows, processed: rows, succeeded: rows / 1000 }, fraction: 1 },
        // 1000 k + 999 leaves 44 by 45 for every ninth k from 8 on, and there is no C44.
        warnings: [
          { code: 'large_row_groups' },
          { message: expect.stringContaining(': 45 of 410 answered rows ') },
          { code: 'stale_data', message: expect.stringContaining(': 410 of 410 answered rows ') },
        ],
      });
      const units = await service.owner.pool.query('select from batch_units where batch_id = $1', [id]);
      expect(units.rowCount).toBe(2);
      const out = join(service.folder, `large-result.${output_format}`);
      writeFileSync(out, await fetchBytes((await resultOf(client, id)).download_url));
      const read = output_format === 'csv' ? 'read_csv' : 'read_parquet';
      const found = await duckdb.rows(`select reference_id::integer as id from ${read}(${quoteText(out)})`);
      expect(found).toEqual(Array.from({ length: rows / 1000 }, (_, at) => ({ id: 1000 * at + 999 })));
      // The parts of the result are removed once it is assembled.
      const left = ['parts/0-0-1.errors', 'parts/0-1-1.errors', 'results/0'];
      await expect.poll(() => keysOf(service, tenant, id), { timeout: 10_000 }).toEqual(left);
    }
    duckdb.close();
  });

  test('are fetched in pieces by whoever has the address, and leave one trail each', async () => {
    const file = await client.upload('one.csv', csv('customer_id', [['C1']]));
    const { id } = await runBatch(client, { files: [file], model: production() });
    const { download_url, expires_at, files } = await resultOf(client, id);
    expect(files[0].download_url).toBe(download_url);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60 * 1000);
    const whole = await fetchBytes(download_url);
    const piece = await fetch(download_url, { headers: { range: 'bytes=10-19' } });
    expect(piece.status).toBe(206);
    expect(Buffer.from(await piece.arrayBuffer()).equals(whole.subarray(10, 20))).toBe(true);
    expect(piece.headers.get('etag')).toBe(`"${files[0].sha256}"`);
    expect((await service.anonymous.get(download_url.replace('files/0', 'files/1'))).status).toBe(403);
    expect(await trail(id)).toEqual([
      'batch-request',
      'batch-lifecycle queued',
      'batch-lifecycle running',
      'batch-lifecycle succeeded',
      'batch-result-download',
    ]);
  });

  test('are gone once deleted', async () => {
    const file = await client.upload('gone.csv', csv('customer_id', [['C1']]));
    const { id } = await runBatch(client, { files: [file], model: production() });
    const { download_url } = await resultOf(client, id);
    const deleted = await client.send('DELETE', `/v2/api/batches/${id}/result`);
    expect(deleted.status, deleted.text).toBe(200);
    expect(deleted.body.result_deleted_at).not.toBeNull();
    for (const path of [`/v2/api/batches/${id}/result`, `/v2/api/batches/${id}/errors`, download_url]) {
      const reply = await client.get(path);
      expect({ status: reply.status, code: reply.body.code }).toEqual({ status: 410, code: 'result_deleted' });
    }
    expect(await keysOf(service, tenant, id)).toEqual([]);
    expect((await trail(id)).at(-1)).toBe('batch-result-deletion');
  });
});

test('errors are paged in the order of files and rows', async () => {
  const bad = (rows: number) =>
    csv(
      'customer_id,reference_date',
      Array.from({ length: rows }, (_, row) => [`C${row}`, row % 2 ? 'x' : '2023-09-15']),
    );
  const files = [await client.upload('a.csv', bad(30)), await client.upload('b.csv', bad(20))];
  const { id, batch } = await runBatch(client, { files, model: production() });
  expect(batch.progress.rows).toEqual({ total: 50, processed: 50, succeeded: 25, failed: 25 });
  const found: [string, number][] = [];
  let cursor = '';
  do {
    const page = await client.get(`/v2/api/batches/${id}/errors?limit=5${cursor && `&cursor=${cursor}`}`);
    expect(page.body.data).toHaveLength(5);
    for (const { file, row } of page.body.data) found.push([file, row]);
    cursor = page.body.next_cursor;
    expect(page.body.has_more).toBe(cursor !== null);
  } while (cursor);
  const even = (rows: number) => Array.from({ length: rows / 2 }, (_, at) => 2 * at + 2);
  expect(found).toEqual([...even(30).map((row) => ['a.csv', row]), ...even(20).map((row) => ['b.csv', row])]);
});

test('a file that cannot be scored fails the batch, and the others keep their results', async () => {
  const files = [
    await client.upload('broken.parquet', 'PAR1 and nothing more', 'application/vnd.apache.parquet'),
    await client.upload('good.jsonl', '{"customer_id":"C1"}\n'),
    await client.upload('other.csv', csv('name', [['Ana']])),
  ];
  const { id, batch } = await runBatch(client, { files, model: production() });
  expect(batch).toMatchObject({ status: 'failed', failure: { code: 'file_unreadable' } });
  expect(batch.failure.detail).toContain('broken.parquet');
  expect(batch.files.map((file: { failure: { code: string } | null }) => file.failure?.code ?? null)).toEqual([
    'file_unreadable',
    null,
    'missing_column',
  ]);
  const { files: results } = await resultOf(client, id);
  expect(results).toMatchObject([{ path: 'good.jsonl', rows: 1 }]);
  expect(batch.warnings).toMatchObject([
    { code: 'jsonl_deprecated', path: 'good.jsonl' },
    { code: 'stale_data', path: 'good.jsonl' },
  ]);
  expect(await errorsOf(id)).toMatchObject([
    { file: 'broken.parquet', row: null, code: 'file_unreadable' },
    { file: 'other.csv', row: null, code: 'missing_column' },
  ]);
});

test('an interrupted batch ends within seconds and keeps what it has scored', async () => {
  const rows = Array.from({ length: 1_500_000 }, (_, row) => `C${row % 40}`);
  const file = await client.upload('many.csv', `customer_id\n${rows.join('\n')}\n`);
  const id = await askForBatch(client, { files: [file], model: production(), output_format: 'csv' });
  const waiting = await askForBatch(client, { files: [file], model: production(), priority: -1 });
  const seen: number[] = [];
  for (;;) {
    const { body } = await client.get(`/v2/api/batches/${id}`);
    expect(body.status, JSON.stringify(body)).not.toBe('succeeded');
    seen.push(body.progress.rows.processed);
    if (body.progress.rows.processed > 0) break;
    await sleep(50);
  }
  const early = await client.get(`/v2/api/batches/${id}/result`);
  expect({ status: early.status, code: early.body.code }).toEqual({ status: 409, code: 'batch_not_finished' });
  for (const one of [id, waiting])
    expect((await client.post(`/v2/api/batches/${one}/interrupt`)).body.interrupt_requested_at).not.toBeNull();
  const { body: batch } = await client.finished(`/v2/api/batches/${id}`);
  expect(batch).toMatchObject({ status: 'failed', failure: { code: 'interrupted' } });
  const { succeeded } = batch.progress.rows;
  expect(succeeded).toBeGreaterThanOrEqual(Math.max(...seen));
  expect(succeeded).toBeLessThan(1_500_000);
  const { download_url, files } = await resultOf(client, id);
  expect(files[0].rows).toBe(succeeded);
  const lines = (await fetchBytes(download_url)).toString().trimEnd().split('\n').slice(1);
  expect(lines).toHaveLength(succeeded);
  expect(lines.every((line, row) => line.startsWith(`C${row % 40},`))).toBe(true);
  const again = await client.post(`/v2/api/batches/${id}/interrupt`);
  expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: 'already_finished' });
  const { body: other } = await client.finished(`/v2/api/batches/${waiting}`);
  expect(other).toMatchObject({ status: 'failed', failure: { code: 'interrupted' } });
});

describe('what cannot be', () => {
  test.each([
    ['a file of nobody', { files: ['file_none'] }, 404, 'not_found'],
    ['a path without a file', { files: [{ path: 'nowhere.csv' }] }, 404, 'not_found'],
    ['no file', { files: [] }, 422, 'schema_mismatch'],
    ['an unknown model', { model: 'mdl_none/production' }, 404, 'not_found'],
    ['a model without an alias', { model: 'production' }, 422, 'invalid'],
    ['an alias and a version', { model: { model_id: 'm', alias: 'a', version_id: 'v' } }, 422, 'invalid'],
    ['a day to come', { reference_date: '2999-01-01' }, 422, 'reference_date_in_future'],
    ['a day that is none', { reference_date: '2023-02-30' }, 422, 'invalid_input'],
    ['a format of another kind', { output_format: 'xml' }, 422, 'schema_mismatch'],
  ])('%s is refused', async (_, wrong, status, code) => {
    const file = await client.upload('fine.csv', csv('customer_id', [['C1']]));
    const reply = await client.post('/v2/api/batches', { files: [file], model: production(), ...wrong });
    expect({ status: reply.status, code: reply.body.code }, reply.text).toEqual({ status, code });
  });

  test('a file without bytes, one deleted, an inactive version and a workspace without data are refused', async () => {
    const md5 = createHash('md5').update('').digest('base64');
    const declared = await client.post('/v2/api/files/upload', {
      files: [{ path: 'later.csv', content_type: 'text/csv', md5 }],
    });
    const deleted = await client.upload('deleted.csv', csv('customer_id', [['C1']]));
    await client.send('DELETE', `/v2/api/files/${deleted}`);
    for (const [file, code] of [
      [declared.body.files[0].id, 'file_not_uploaded'],
      [deleted, 'file_deleted'],
    ]) {
      const reply = await client.post('/v2/api/batches', { files: [file], model: production() });
      expect({ status: reply.status, code: reply.body.code }).toEqual({ status: 409, code });
    }
    const stranger = await service.tenant('Stranger');
    const file = await stranger.client.upload('a.csv', csv('customer_id', [['C1']]));
    const foreign = await stranger.client.post('/v2/api/batches', { files: [file], model: production() });
    expect(foreign.status).toBe(404);
    const batch = await askForBatch(client, {
      files: [await client.upload('b.csv', csv('customer_id', [['C1']]))],
      model: production(),
    });
    expect((await stranger.client.get(`/v2/api/batches/${batch}`)).status).toBe(404);
  });
});

test('the addresses of v1 answer as those of v2 do, and say that they are deprecated', async () => {
  const file = await client.upload('v1.csv', csv('customer_id', [['C1']]));
  const asked = await client.post('/v1/api/batches', { files: [{ path: 'v1.csv' }], model: production() });
  expect(asked.status, asked.text).toBe(202);
  expect(asked.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(asked.headers.get('link')).toContain('/v2/api/batches');
  await client.finished(`/v1/api/batches/${asked.body.id}`);
  const [result, inputs] = [
    await client.get(`/v1/api/batches/${asked.body.id}/result`),
    await client.get(`/v1/api/batch-inputs/${file}`),
  ];
  expect(result.body.files).toMatchObject([{ path: 'v1.csv', rows: 1 }]);
  expect(inputs.body).toMatchObject({ id: file, path: 'v1.csv' });
  expect(inputs.headers.get('link')).toContain('/v2/api/files');
});

test('batches are listed newest first, to those who may see them', async () => {
  const list = await client.get('/v2/api/batches?limit=2');
  expect(list.body.data).toHaveLength(2);
  expect(list.body.data[0].id > list.body.data[1].id).toBe(true);
  expect(list.body.has_more).toBe(true);
  const failed = await client.get('/v2/api/batches?status=failed');
  expect(new Set(failed.body.data.map(({ status }: { status: string }) => status))).toEqual(new Set(['failed']));
  const analyst = await tenant.as('analyst');
  expect((await analyst.get('/v2/api/batches')).status).toBe(200);
  const id = list.body.data[0].id;
  const body = { files: ['file_none'], model: production() };
  for (const reply of [
    await analyst.get(`/v2/api/batches/${id}/result`),
    await analyst.get(`/v2/api/batches/${id}/errors`),
    await analyst.post('/v2/api/batches', body),
    await analyst.post(`/v2/api/batches/${id}/interrupt`),
    await analyst.send('DELETE', `/v2/api/batches/${id}/result`),
  ])
    expect(reply.body.code).toBe('permission_denied');
});

test('the same request again is one batch', async () => {
  const files = [await client.upload('twice.csv', csv('customer_id', [['C1']]))];
  const headers = { 'idempotency-key': 'once' };
  const first = await client.post('/v2/api/batches', { files, model: production() }, headers);
  const again = await client.post('/v2/api/batches', { files, model: production() }, headers);
  expect(again.body.id).toBe(first.body.id);
});

/** Returns the audit entries of a batch. */
async function trail(id: string): Promise<string[]> {
  const { rows } = await service.owner.pool.query(
    'select action, data from audit_entries where target_id = $1 order by recorded_at, id',
    [id],
  );
  return rows.map(({ action, data }) => (data.status ? `${action} ${data.status}` : action));
}
