/** What becomes of the rows of a batch: answers, warnings and reasons for none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import {
  errorsOf,
  fetchBytes,
  resultOf,
  runBatch,
  startShop,
  type Trained,
} from '../../../tests/support/samples/batches.ts';

let service: TestService;
let client: Client;
let returns: Trained;
let late: Trained;

beforeAll(async () => {
  ({ service, client, returns, late } = await startShop());
});
afterAll(() => service.close());

type Line = Readonly<Record<string, unknown>>;

const customers = Array.from({ length: 40 }, (_, c) => `C${c}`);
const production = () => `${returns.model_id}/production`;

/** Returns the lines of a JSONL result of one file, with timestamps in the format of the real-time route. */
async function linesOf(id: string): Promise<Line[]> {
  const { download_url } = await resultOf(client, id);
  const lines = (await fetchBytes(download_url)).toString().trimEnd().split('\n');
  return lines.map((line) => {
    const told = JSON.parse(line);
    return { ...told, as_of: new Date(told.as_of).toISOString() };
  });
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
        message: expect.stringMatching(/^who.csv: 1 of 42 answered rows have a customer_id that is no CPF or CNPJ/),
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

  test('with a mistyped document are listed apart from those that were left out, by the column of their file', async () => {
    const rows = ['C3', '11.222.333/0001-80', 'C4', 'N1', '11.222.333/0001-70'].map((who) => [
      who,
      who === 'C4' ? 'soon' : '2023-09-15',
    ]);
    const file = await client.upload('typed.csv', csv('Quem,reference_date', rows));
    const asked = { files: [file], model: production(), column_mapping: { customer_id: 'Quem' } };
    const { id, batch } = await runBatch(client, asked);
    expect(batch.progress.rows).toMatchObject({ succeeded: 4, failed: 1 });
    expect(await errorsOf(client, id)).toMatchObject([{ row: 3, column: 'reference_date' }]);
    const told = { file_id: file, file: 'typed.csv', column: 'Quem', code: 'wrong_check_digits' };
    const all = [2, 5].map((row) => ({ ...told, row }));
    const first = await client.get(`/v2/api/batches/${id}/warnings?limit=1`);
    expect(first.body, first.text).toMatchObject({ data: [all[0]], has_more: true });
    const second = await client.get(`/v2/api/batches/${id}/warnings?cursor=${first.body.next_cursor}`);
    expect(second.body).toEqual({ data: [all[1]], next_cursor: null, has_more: false });
    // A batch without an error has such rows all the same.
    const fine = await client.upload('fine.csv', csv('customer_id', [['11.222.333/0001-80']]));
    const other = await runBatch(client, { files: [fine], model: production() });
    expect(await errorsOf(client, other.id)).toEqual([]);
    const { body } = await client.get(`/v2/api/batches/${other.id}/warnings`);
    expect(body.data).toEqual([{ ...told, file_id: fine, file: 'fine.csv', row: 1, column: 'customer_id' }]);
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

  test('of days before all that the model learned from are counted in a warning, as a single answer says it', async () => {
    const { body: metrics } = await client.get(
      `/v1/api/models/${returns.model_id}/versions/${returns.version_id}/metrics`,
    );
    const learned = metrics.outputs[0].learned.days.from;
    const dayFrom = (days: number) => new Date(Date.parse(learned) + days * 86_400_000).toISOString().slice(0, 10);
    const ask = async (day: string) =>
      (await client.post(`/v1/api/prediction/${production()}`, { customer_id: 'C3', reference_date: day })).body;
    const { warnings } = await ask(dayFrom(-2));
    expect(warnings.at(-1)).toEqual({
      ...{ code: 'before_learned', input: null, learned_from: learned },
      message: expect.stringContaining(`the first case that the model learned from, which is of ${learned}: `),
    });
    const codesOf = ({ warnings: told = [] }: { warnings?: { code: string }[] }) => told.map(({ code }) => code);
    expect(codesOf(await ask(learned)), 'a day is asked as of its end').not.toContain('before_learned');
    const rows = [dayFrom(-900), dayFrom(-2), learned].map((day) => ['C3', day]);
    const file = await client.upload('earlier.csv', csv('customer_id,reference_date', rows));
    const { batch } = await runBatch(client, { files: [file], model: production() });
    expect(batch.warnings.filter(({ code }: { code: string }) => code === 'before_learned')).toEqual([
      {
        ...{ code: 'before_learned', file_id: file, path: 'earlier.csv' },
        message: expect.stringContaining(`: 2 of 3 answered rows ask of a moment before ${learned}, when `),
        values: { about: learned, rows: 2, answered: 3 },
        first_rows: [1, 2],
      },
    ]);
    const ahead = await client.post(`/v1/api/prediction/${production()}`, {
      ...{ customer_id: 'C3', reference_date: new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 10) },
    });
    expect([ahead.status, ahead.body.code]).toEqual([422, 'reference_date_in_future']);
  });

  test('whose days are written in several ways are told how many in which, and a guess as one', async () => {
    const told = async (...days: readonly string[]) => {
      const rows = days.map((day, c) => [`C${c}`, day]);
      const file = await client.upload('days.csv', csv('customer_id,reference_date', rows));
      const { batch } = await runBatch(client, { files: [file], model: production() });
      expect(batch.progress.rows).toMatchObject({ succeeded: days.length, failed: 0 });
      return batch.warnings.filter(({ code }: { code: string }) => code === 'day_form');
    };
    expect(await told('2023-09-15', '2023-09-16')).toEqual([]);
    expect(await told('15/09/2023', '16/09/2023')).toMatchObject([
      { message: 'days.csv: the days of rows are read as dd/MM/yyyy', values: { form: 'dd/MM/yyyy', guessed: false } },
    ]);
    expect(await told('2023-09-15', '16/09/2023', '2023-09-17', '2023-09-18')).toMatchObject([
      {
        message: 'days.csv: of the first rows 1 has its day as dd/MM/yyyy, and 3 as ISO 8601: both are read',
        values: { form: 'dd/MM/yyyy', guessed: false, rows: 1, iso: 3 },
      },
    ]);
    expect(await told('2023-09-15', '05/09/2023', '06/09/2023')).toMatchObject([
      {
        message: expect.stringMatching(
          /2 have their days as dd.MM.yyyy, and 1 as ISO 8601.* though none tells its day/,
        ),
        values: { guessed: true, rows: 2, iso: 1 },
      },
    ]);
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
    expect(await errorsOf(client, id)).toMatchObject([
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
    expect(await errorsOf(client, id)).toMatchObject([
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
    expect(await errorsOf(client, id)).toMatchObject([
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
