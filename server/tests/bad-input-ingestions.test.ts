/** Spoilt files sent over HTTP to ingestions under a contract. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from './service.ts';
import { csv, day, orderRows, ordersParquet, shopTables, shopText } from './shop.ts';
import { type Sent, take } from './spoilt-files.ts';
import { takeIn } from './take-in.ts';

let service: TestService;
/** With tables, and the shop's contract. */
let client: Client;
let parquet: Uint8Array;
let before: { snapshot: string; contract: string };

const customers = shopText('tables/customers.csv');
const orders = shopText('tables/orders.csv');

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Shop'));
  await takeIn(client, shopText('contract.yaml'), shopTables);
  parquet = await ordersParquet();
  before = await stateOf(client);
});
afterAll(() => service.close());

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
      {
        rule: 'unreadable_row',
        column: null,
        count: 2,
        samples: [{ row: 3, value: 'N3,C1' }, { row: 4 }],
        rows: [3, 4],
      },
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
    expect(proposed.body).toMatchObject({
      code: 'invalid_contract',
      errors: [{ pointer: '/document', detail: expect.stringMatching(/^orders._Known_At: /) }],
    });
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

/** Lines of orders that are not in the tables. */
function many(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `M${i},C${i % 40},2023-05-05,${i}`);
}
