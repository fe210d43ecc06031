/** Spoilt files sent over HTTP to batches of a model, and as the labels of its training runs. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { orderRows, ordersParquet, shopText, taskBody } from './shop.ts';
import { type Sent, send } from './spoilt-files.ts';
import { startShop, type Trained } from './support/samples/batches.ts';

let service: TestService;
let client: Client;
let late: Trained;
let returns: Trained;
let parquet: Uint8Array;

beforeAll(async () => {
  ({ service, client, late, returns } = await startShop());
  parquet = await ordersParquet();
});
afterAll(() => service.close());

describe('a batch', () => {
  const score = async (files: readonly Sent[], model: Trained) => {
    const ids = [];
    for (const file of files) ids.push(await send(client, file, 'rows.csv'));
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
      warnings: [{ code: 'unknown_columns', message: expect.stringContaining('remark') }, { code: 'stale_data' }],
    });
    expect(
      batch.warnings.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`).join(),
    ).toMatch(/called \.csv but is Parquet/);
  });
});

const train = shopText('tasks/returns/train.csv');

describe('a task', () => {
  const labels = { path: 'labels of/year 2023.csv', name: 'year_2023.csv' };
  const renamed = train.replace('customer_id', 'client').replace('date', 'day');
  const has = 'it has date, customer_id, returns';
  const define = async (bytes: string | Uint8Array, definition: string, validation?: string) =>
    client.post('/v1/api/tasks', {
      name: 'spoilt',
      definition,
      labels: {
        train: await client.upload(labels.path, bytes),
        ...(validation === undefined ? {} : { validation: await client.upload('later.csv', validation) }),
      },
    });
  const cases: readonly (readonly [string, string | Uint8Array, string, string])[] = [
    ['an empty label file', '', '', ': the file is empty. Expected Parquet, CSV with a header, or JSONL.'],
    [
      'labels without key and time',
      renamed,
      '',
      ' lacks the key column customer_id and the time column date; it has day, client, returns',
    ],
    [
      'labels that are zipped',
      gzipSync(renamed),
      '',
      ' lacks the key column customer_id and the time column date; it has day, client, returns',
    ],
    [
      'labels without the moment that they are known from',
      train,
      'known: settled\n',
      ` lacks the known column settled; ${has}`,
    ],
  ];
  test.each(cases)('with %s is refused and says where', async (_, bytes, more, message) => {
    const reply = await define(bytes, `${shopText('tasks/returns/task.yaml')}${more}`);
    expectRefusal(reply, 422, 'invalid_task', '/labels/train');
    expect(reply.body.detail).toBe(`${labels.name}${message}`);
  });

  test('names each of its files that is not as it should be, and what was meant', async () => {
    const other = train.replace('returns', 'return');
    const reply = await define(other, shopText('tasks/returns/task.yaml'), other);
    expectRefusal(reply, 422, 'invalid_task', '/labels/train', '/labels/validation');
    const lacks = 'lacks the label column returns (did you mean return?); it has date, customer_id, return';
    expect(reply.body.errors).toEqual([
      { pointer: '/labels/train', code: 'invalid_task', detail: `${labels.name} ${lacks}` },
      { pointer: '/labels/validation', code: 'invalid_task', detail: `later.csv ${lacks}` },
    ]);
  });

  test('is made where its files have the columns in another case', async () => {
    const upper = await define(train.replace('returns', 'RETURNS'), shopText('tasks/returns/task.yaml'));
    expect(upper.status, upper.text).toBe(201);
  });
});

test('a task is made without a look at its files where no process of the service may read them', async () => {
  const alone = await startTestService({ logLevel: 'silent' }, 'api');
  try {
    const { client } = await alone.tenant('Shop');
    const labels = { train: await client.upload('train.csv', '') };
    const reply = await client.post('/v1/api/tasks', taskBody({ labels }));
    expect(reply.status, reply.text).toBe(201);
  } finally {
    await alone.close();
  }
});

describe('a training run', () => {
  const cases: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
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
