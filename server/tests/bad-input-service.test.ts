/** Spoilt files sent over HTTP: to ingestions with and without a contract, to batches, and as labels. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { learnShop, type Trained } from '../src/resources/batches/samples.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { csv, day, orderRows, ordersParquet, shopText } from './shop.ts';

let service: TestService;
/** With tables, two models, and the shop's contract. */
let shop: Tenant;
let client: Client;
let late: Trained;
let returns: Trained;
let parquet: Uint8Array;
let before: { snapshot: string; contract: string };

const customers = shopText('tables/customers.csv');
const orders = shopText('tables/orders.csv');

beforeAll(async () => {
  service = await startTestService();
  shop = await service.tenant('Shop');
  client = shop.client;
  ({ late, returns } = await learnShop(client));
  parquet = await ordersParquet();
  before = await stateOf(client);
});
afterAll(() => service.close());

type Sent = {
  readonly name?: string;
  readonly bytes: string | Uint8Array;
  readonly table?: string;
  readonly mode?: string;
};

const octets = /\.(csv|jsonl|parquet)$/;

/** Sends one file, asks for its ingestion, and says what became of it. */
async function take(by: Client, { name = 'in/orders.csv', bytes, table = 'orders', mode = 'append' }: Sent) {
  const id = await by.upload(name, bytes, octets.test(name) ? undefined : 'application/octet-stream');
  const asked = await by.post('/v1/api/ingestions', { files: [{ file_id: id, table, mode }] });
  expect(asked.status, asked.text).toBe(202);
  const { body } = await by.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(body.failure, JSON.stringify(body.failure)).toBeNull();
  const told = await by.get(`/v1/api/ingestions/${asked.body.id}/deviations`);
  expect(told.status).toBe(200);
  return { id, ingestion: body, told: told.body };
}

async function stateOf(by: Client) {
  const { body } = await by.get('/v1/api/ingestions?limit=200');
  const taken = body.data.find(
    ({ status, changed }: { status: string; changed: boolean }) => status === 'succeeded' && changed,
  );
  const { body: contracts } = await by.get('/v1/api/contracts?limit=200');
  const active = contracts.data.find(({ status }: { status: string }) => status === 'active');
  return { snapshot: taken.snapshot_id, contract: active.id };
}

/** Orders that are not in the tables, as lines of CSV, some of which are spoilt. */
const header = 'order_id,customer_id,ordered_at,amount';
const fine = ['N1,C1,2023-05-05,7', 'N2,C2,2023-05-06,8'];
const lines = (...more: string[]) => `${[header, ...fine, ...more].join('\n')}\n`;

describe('an ingestion under a contract', () => {
  const whole: readonly (readonly [string, Sent, RegExp])[] = [
    ['an empty file', { bytes: '' }, /^in\/orders\.csv: the file is empty/],
    ['a column named twice', { bytes: lines().replace('amount', 'customer_id') }, /columns 2 and 4 are both called/],
    ['a column without a name', { bytes: lines().replace('amount', '') }, /column 4 of 4 has no name/],
    ['NUL bytes throughout', { bytes: new Uint8Array(5_000) }, /the file holds NUL bytes/],
    ['UTF-16', { bytes: Buffer.from(`\ufeff${lines()}`, 'utf16le') }, /the text is UTF-16/],
    ['a CSV file called Parquet', { name: 'in/o.parquet', bytes: lines() }, /^in\/o\.parquet: called \.parquet but/],
    [
      'gzip cut short',
      { name: 'in/o.csv.gz', bytes: gzipSync(orders).subarray(0, 900) },
      /^in\/o\.csv\.gz: the gzip data is/,
    ],
    ['a JSON array', { name: 'in/o.json', bytes: '[{"order_id":"N1"}]' }, /^in\/o\.json: a JSON array/],
    ['objects without keys', { name: 'in/o.jsonl', bytes: '{}\n{}\n' }, /the objects of the first lines are empty/],
  ];
  test.each(whole)('refuses %s as a file that cannot be read', async (_, sent, message) => {
    const { id, ingestion, told } = await take(client, sent);
    expect(ingestion).toMatchObject({ status: 'refused', proposed_contract_id: null, changed: null });
    expect(told).toMatchObject({
      classification: 'data_error',
      files: [
        { file_id: id, path: sent.name ?? 'in/orders.csv', table: 'orders', deviations: [{ rule: 'unreadable_file' }] },
      ],
    });
    expect(told.files[0].deviations[0].message).toMatch(message);
  });

  test.each([
    ['cut short', (bytes: Uint8Array) => bytes.subarray(0, bytes.length * 0.6)],
    ['with other bytes within', (bytes: Uint8Array) => Buffer.from(bytes).fill(0xff, 100, 600)],
  ])('refuses Parquet %s', async (_, spoil) => {
    const { told } = await take(client, { name: 'in/o.parquet', bytes: spoil(parquet) });
    expect(told).toMatchObject({
      classification: 'data_error',
      files: [{ deviations: [{ rule: 'unreadable_file' }] }],
    });
    expect(told.files[0].deviations[0].message).toMatch(/^in\/o\.parquet: the Parquet data is damaged or cut short/);
  });

  const rows: readonly (readonly [string, string, object])[] = [
    [
      'of too few and too many fields',
      lines('N3,C1', 'N4,C1,2023-05-05,1,2'),
      { rule: 'unreadable_row', column: null, count: 2, samples: [{ row: 3, value: 'N3,C1' }, { row: 4 }] },
    ],
    [
      'with a NUL byte',
      lines(...many(40), 'N3,C1,2023-05-05,\0'),
      { rule: 'unreadable_row', count: 1, samples: [{ row: 43, value: 'N3,C1,2023-05-05,\u2400' }] },
    ],
    [
      'of eleven megabytes',
      lines(`N3,C1,2023-05-05,${'9'.repeat(11e6)}`),
      { rule: 'unreadable_row', count: 1, message: expect.stringContaining('longer than 10 MB') },
    ],
    [
      'with a value of another type',
      lines(...many(40), 'N3,C1,8/5/2023,1'),
      { rule: 'wrong_type', column: 'ordered_at', count: 1, samples: [{ row: 43, value: '8/5/2023' }] },
    ],
    [
      'whose value is cut amid a character',
      lines(...many(40), `N3,C1,2023-05-05,${'x'.repeat(79)}😀`),
      { rule: 'wrong_type', column: 'amount', samples: [{ row: 43, value: 'x'.repeat(79) }] },
    ],
    [
      'without a key',
      lines(',C1,2023-05-05,3'),
      { rule: 'missing_value', column: 'order_id', count: 1, samples: [{ row: 3, value: null }] },
    ],
    [
      'of one key',
      lines('N1,C1,2023-05-05,3'),
      { rule: 'duplicate_key', column: 'order_id', count: 1, samples: [{ row: 3, value: 'N1' }] },
    ],
    [
      'that change what is there',
      lines(`O1,C1,${day(8)},1`),
      {
        rule: 'duplicate_key',
        column: 'order_id',
        samples: [{ row: 3, value: 'O1' }],
        message: expect.stringContaining('send changed rows with mode upsert'),
      },
    ],
    [
      'of days to come',
      lines('N3,C1,2093-05-05,1'),
      { rule: 'in_future', column: 'ordered_at', count: 1, samples: [{ row: 3, value: '2093-05-05' }] },
    ],
    ['dated before 1900', lines('N3,C1,1820-05-05,1'), { rule: 'before_1900', column: 'ordered_at', count: 1 }],
    [
      'of which all refer to nobody',
      csv(
        header,
        many(100).map((line) => [line.replace(',C', ',D')]),
      ),
      { rule: 'dangling_reference', column: 'customer_id', count: 100 },
    ],
  ];
  test.each(rows)('refuses rows %s', async (_, bytes, deviation) => {
    const { id, ingestion, told } = await take(client, { bytes });
    expect(ingestion).toMatchObject({ status: 'refused', proposed_contract_id: null });
    expect(told).toMatchObject({
      classification: 'data_error',
      files: [{ file_id: id, path: 'in/orders.csv', deviations: [deviation] }],
    });
  });

  test('refuses a line that is no JSON, and a text with NUL in one that is', async () => {
    const bytes = '{"order_id":"N1","customer_id":"C\\u0000"}\n{"order_id":\n';
    const { told } = await take(client, { name: 'in/o.jsonl', bytes });
    expect(told.files[0].deviations).toMatchObject([
      { kind: 'structure', rule: 'missing_column', column: 'ordered_at' },
      { kind: 'structure', rule: 'missing_column', column: 'amount' },
      { rule: 'wrong_type', column: 'customer_id', samples: [{ row: 1, value: 'C\u2400' }] },
      { rule: 'unreadable_row', samples: [{ row: 2, value: '{"order_id":' }] },
    ]);
  });

  test('refuses a file without the key or the date of its rows, for which no contract can be proposed', async () => {
    for (const [column, other] of [
      ['order_id', 'number'],
      ['ordered_at', 'moment'],
    ]) {
      const { ingestion, told } = await take(client, { bytes: lines().replace(column, other) });
      expect(ingestion).toMatchObject({ status: 'refused', proposed_contract_id: null });
      expect(told).toMatchObject({
        classification: 'data_error',
        files: [
          {
            deviations: [
              { rule: 'missing_column', column },
              { rule: 'unknown_column', column: other },
            ],
          },
        ],
      });
    }
  });

  test('refuses a column of a reserved name, and the contract that would have one', async () => {
    const { told } = await take(client, {
      bytes: lines().replaceAll(/\n/g, ',2023-05-05\n').replace('2023-05-05\n', '_known_at\n'),
    });
    expect(told.files[0].deviations).toMatchObject([
      { column: '_known_at', message: expect.stringContaining('reserved') },
    ]);
    const document = shopText('contract.yaml').replace('name: amount', 'name: _Known_At');
    const proposed = await client.post('/v1/api/contracts', { document });
    expect(proposed.body).toMatchObject({ code: 'invalid_contract', errors: [{ pointer: 'orders._Known_At' }] });
  });

  test.each([
    ['a column it does not know', lines().replaceAll('\n', ',x\n').replace(',x\n', ',note\n'), ['orders.note added']],
    [
      'another name for a reference',
      lines().replace('customer_id', 'buyer'),
      ['orders.customer_id removed', 'orders.buyer added'],
    ],
    ['another type throughout', lines().replaceAll(/,(\d+)\n/g, ',about $1\n'), ['orders.amount.type changed']],
  ])('proposes a version of the contract for %s', async (_, bytes, changes) => {
    const { ingestion, told } = await take(client, { bytes });
    expect(ingestion.status).toBe('refused');
    expect(told).toMatchObject({
      classification: 'new_contract_version',
      proposed_contract_id: ingestion.proposed_contract_id,
    });
    const { body } = await client.get(`/v1/api/contracts/${ingestion.proposed_contract_id}`);
    expect(body).toMatchObject({ status: 'proposed', ingestion_id: ingestion.id });
    expect(body.changes.map(({ path, kind }: { path: string; kind: string }) => `${path} ${kind}`)).toEqual(changes);
    await client.post(`/v1/api/contracts/${body.id}/rejection`);
  });

  test('left everything as it was', async () => {
    expect(await stateOf(client)).toEqual(before);
  });

  test('names what it noticed and took in all the same', async () => {
    const { client } = await service.tenant('Lenient');
    await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
    await take(client, { name: 'customers.csv', bytes: customers, table: 'customers' });
    const { ingestion } = await take(client, { name: 'called.csv', bytes: parquet });
    expect(ingestion).toMatchObject({ status: 'succeeded', changed: true });
    expect(ingestion.report.files).toMatchObject([
      {
        path: 'called.csv',
        added: orderRows.length,
        notes: ['called.csv: called .csv but is Parquet, and was read as Parquet'],
      },
    ]);
    const stray = await take(client, { bytes: lines('N3,C999,2023-05-05,1').replace('amount', 'AMOUNT') });
    expect(stray.ingestion.report.files).toMatchObject([
      {
        added: 3,
        warnings: [
          { rule: 'dangling_reference', column: 'customer_id', count: 1, samples: [{ row: 3, value: 'C999' }] },
        ],
        notes: ['in/orders.csv: column "AMOUNT" was read as "amount"'],
      },
    ]);
    const none = await take(client, { bytes: `${header}\n`, mode: 'replace' });
    expect(none.ingestion.report.warnings).toContain('table orders: no rows');
  });

  test('asks for a version with the table that it lacks, and takes its files in once that is accepted', async () => {
    const { client } = await service.tenant('Growing');
    await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
    await take(client, { name: 'customers.csv', bytes: customers, table: 'customers' });
    const bytes = csv(
      'invoice_id,customer_id,issued,total',
      Array.from({ length: 200 }, (_, i) => [`I${i}`, `C${i % 40}`, day(i), `${i}.5`]),
    );
    const { ingestion, told } = await take(client, { name: 'invoices.csv', bytes, table: 'invoices' });
    expect(told).toMatchObject({
      classification: 'new_contract_version',
      files: [{ path: 'invoices.csv', deviations: [{ rule: 'unknown_table' }] }],
    });
    const { body: proposed } = await client.get(`/v1/api/contracts/${ingestion.proposed_contract_id}`);
    expect(proposed.changes).toMatchObject([{ path: 'invoices', kind: 'added' }]);
    expect(proposed.document).toMatch(/customers\.customer_id[\s\S]*customers\.customer_id/);
    const accepted = await client.post(`/v1/api/contracts/${proposed.id}/acceptance`);
    const { body: done } = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
    expect(done).toMatchObject({ status: 'succeeded', report: { files: [{ path: 'invoices.csv', added: 200 }] } });
  });
});

describe('the first ingestion, without a contract,', () => {
  let attempts = 0;
  const first = async (files: readonly Sent[]) => {
    const { client } = await service.tenant(`First ${attempts++}`);
    const sent = [];
    for (const { name = 'orders.csv', bytes, table = 'orders' } of files)
      sent.push({
        file_id: await client.upload(name, bytes, octets.test(name) ? undefined : 'application/octet-stream'),
        table,
      });
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

describe('a batch', () => {
  const score = async (files: readonly Sent[], model: Trained) => {
    const ids = [];
    for (const { name = 'rows.csv', bytes } of files)
      ids.push(await client.upload(name, bytes, octets.test(name) ? undefined : 'application/octet-stream'));
    const asked = await client.post('/v2/api/batches', { files: ids, model });
    expect(asked.status, asked.text).toBe(202);
    const { body } = await client.finished(`/v2/api/batches/${asked.body.id}`);
    expect(body.failure?.code).not.toBe('internal');
    const { body: errors } = await client.get(`/v2/api/batches/${body.id}/errors?limit=200`);
    return { batch: body, errors: errors.data };
  };

  const unreadable: readonly (readonly [string, Sent, string, RegExp])[] = [
    ['an empty file', { bytes: '' }, 'file_unreadable', /^rows\.csv: the file is empty/],
    [
      'a column named twice',
      { bytes: 'customer_id,a,A\nC1,1,1\n' },
      'file_unreadable',
      /columns 2 and 3 are both called/,
    ],
    ['NUL bytes throughout', { bytes: new Uint8Array(5_000) }, 'file_unreadable', /NUL bytes/],
    [
      'gzip cut short',
      { name: 'rows.csv.gz', bytes: gzipSync(`customer_id\n${'C1\n'.repeat(9_000)}`).subarray(0, 40) },
      'file_unreadable',
      /^rows\.csv\.gz: the gzip data/,
    ],
    [
      'a CSV file called Parquet',
      { name: 'rows.parquet', bytes: 'customer_id\nC1\n' },
      'file_unreadable',
      /called \.parquet but does not start/,
    ],
    ['a JSON array', { name: 'rows.json', bytes: '[{"customer_id":"C1"}]' }, 'file_unreadable', /a JSON array/],
    ['a missing key column', { bytes: 'client\nC1\n' }, 'missing_column', /customer_id/],
  ];
  test.each(unreadable)('of %s fails and names the file', async (_, sent, code, message) => {
    const { batch, errors } = await score([sent], returns);
    expect(batch).toMatchObject({ status: 'failed', failure: { code } });
    expect(batch.failure.detail).toMatch(message);
    expect(batch.failure.detail).toContain(sent.name ?? 'rows.csv');
    expect(errors).toMatchObject([{ file: sent.name ?? 'rows.csv', row: null, code }]);
  });

  test('of a Parquet file that is cut short or damaged fails and names it', async () => {
    for (const spoilt of [parquet.subarray(0, parquet.length * 0.6), Buffer.from(parquet).fill(0xff, 100, 600)]) {
      const { batch } = await score([{ name: 'rows.parquet', bytes: spoilt }], late);
      expect(batch).toMatchObject({ status: 'failed', failure: { code: 'file_unreadable' } });
      expect(batch.failure.detail).toMatch(/^rows\.parquet: the Parquet data is damaged or cut short/);
    }
  });

  test('of bad rows lists each with its row and column, and scores the others', async () => {
    const bytes = [
      'customer_id,reference_date',
      'C1,2023-06-01',
      'C2',
      ',2023-06-01',
      'C3,2093-01-01',
      'C4,soon',
      'C5,2023-06-01,1',
      'C6,\0',
      `C7,${'9'.repeat(11e6)}`,
      'C8,2023-06-01',
      'unknown,2023-06-01',
    ].join('\n');
    const { batch, errors } = await score([{ bytes: `${bytes}\n` }], returns);
    expect(batch).toMatchObject({ status: 'succeeded', progress: { rows: { succeeded: 3, failed: 7 } } });
    expect(
      errors.map(({ row, column, code }: { row: number; column: string; code: string }) => [row, column, code]),
    ).toEqual([
      [2, null, 'unreadable_row'],
      [3, 'customer_id', 'missing_input'],
      [4, 'reference_date', 'reference_date_in_future'],
      [5, 'reference_date', 'invalid_input'],
      [6, null, 'unreadable_row'],
      [7, null, 'unreadable_row'],
      [8, null, 'unreadable_row'],
    ]);
  });

  test('of Parquet called CSV, of a header alone, and with columns nobody reads is scored and says so', async () => {
    const { batch } = await score(
      [
        { name: 'called.csv', bytes: parquet },
        { name: 'none.csv', bytes: 'order_id,customer_id,ordered_at,amount\n' },
      ],
      late,
    );
    expect(batch).toMatchObject({
      status: 'succeeded',
      progress: { rows: { succeeded: orderRows.length, failed: 0 } },
    });
    const other = await score([{ bytes: 'customer_id,remark\nC1,x\n' }], returns);
    expect(other.batch).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'unknown_columns', message: expect.stringContaining('remark') }],
    });
    expect(
      batch.warnings.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`).join(),
    ).toMatch(/called \.csv but is Parquet/);
  });
});

describe('a training run', () => {
  const train = shopText('tasks/returns/train.csv');
  const cases: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['an empty label file', '', /^year_2023\.csv: the file is empty/],
    ['labels without the key', train.replace('customer_id', 'client'), /the required column "customer_id" is absent/],
    [
      'a label of another kind',
      train.replace(/,C1,./, ',C1,maybe'),
      /row 2, column returns: expected 0 or 1, found "maybe"/,
    ],
    ['labels of other keys', train.replaceAll(',C', ',D'), /only 0 of 160 values of customer_id are keys/],
    ['labels all alike', train.replace(/,1\n/g, ',0\n'), /all 160 labels of prediction are 0/],
    ['a row cut short', `${train}2023-04-11,C1\n`, /row 161: expected 3 fields, found 2/],
  ];
  let tasks = 0;
  test.each(cases)('with %s fails and says where', async (_, bytes, message) => {
    const file = await client.upload('labels of/year 2023.csv', bytes);
    const made = await client.post('/v1/api/tasks', {
      name: `spoilt-${tasks++}`,
      definition: shopText('tasks/returns/task.yaml'),
      labels: { train: file },
    });
    expect(made.status, made.text).toBe(201);
    const asked = await client.post('/v1/api/training-runs', { task_id: made.body.id });
    const { body } = await client.finished(`/v1/api/training-runs/${asked.body.id}`);
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'invalid' } });
    expect(body.failure.detail).toMatch(message);
    expect(body.failure.detail).not.toContain(service.folder);
  });
});

/** Lines of orders that are not in the tables. */
function many(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `M${i},C${i % 40},2023-05-05,${i}`);
}
