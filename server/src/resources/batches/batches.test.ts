/** Batches over HTTP, from the request to the end; what becomes of rows and results is tested beside. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Tenant, TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import {
  askForBatch,
  errorsOf,
  fetchBytes,
  learnReturns,
  resultOf,
  runBatch,
  startShop,
  type Trained,
} from '../../../tests/support/samples/batches.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let returns: Trained;

beforeAll(async () => {
  ({ service, tenant, client, returns } = await startShop());
});
afterAll(() => service.close());

const production = () => `${returns.model_id}/production`;

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
  expect(await errorsOf(client, id)).toMatchObject([
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

test('a batch of corrected rows and the one that had left them out say so of each other', async () => {
  const send = async (days: readonly string[], more: object = {}) => {
    const rows = csv(
      'customer_id,reference_date',
      days.map((day, at) => [`C${at}`, day]),
    );
    return runBatch(client, { files: [await client.upload('corrected.csv', rows)], model: production(), ...more });
  };
  const { id, batch } = await send(['2023-09-15', 'soon', '2023-09-15', 'later']);
  expect(batch).toMatchObject({ progress: { rows: { failed: 2 } }, corrects: null, corrected_by: [] });
  const first = await send(['2023-09-15', 'later'], { corrects: id });
  const second = await send(['2023-09-15'], { corrects: id });
  expect(first.batch).toMatchObject({ corrects: id, corrected_by: [] });
  const correctedBy = [
    { id: second.id, status: 'succeeded', rows: { total: 1, succeeded: 1 } },
    { id: first.id, status: 'succeeded', rows: { total: 2, succeeded: 1 } },
  ];
  expect((await client.get(`/v2/api/batches/${id}`)).body.corrected_by).toEqual(correctedBy);
  const { data } = (await client.get('/v2/api/batches')).body;
  expect(data.find((one: { id: string }) => one.id === id).corrected_by).toEqual(correctedBy);
  const stranger = await service.tenant('Other corrections');
  const foreign = await learnReturns(stranger.client);
  const file = await stranger.client.upload('a.csv', csv('customer_id', [['C1']]));
  for (const corrects of [id, 'bat_none']) {
    const asked = { files: [file], model: `${foreign.model_id}/production`, corrects };
    const refused = await stranger.client.post('/v2/api/batches', asked);
    expect(refused.status, refused.text).toBe(422);
    expect(refused.body).toMatchObject({ code: 'invalid', errors: [{ pointer: '/corrects' }] });
  }
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
