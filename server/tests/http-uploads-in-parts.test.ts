/** Files sent in parts to their signed address: whatever breaks off in between, what has arrived is not sent again. */
import { randomBytes } from 'node:crypto';
import { request as ask } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system, tenant as tenantOf } from '../src/access/transactions.ts';
import { sweep } from '../src/resources/maintenance/sweep.ts';
import { filesPerObject, md5Of, stored } from './declared-files.ts';
import { expectRefusal } from './problems.ts';
import { startSecondProcess } from './second-process.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
  tenant = await service.tenant('Shop');
  client = tenant.client;
});
afterAll(() => service.close());

const mebibyte = 1024 * 1024;

type Declared = { id: string; upload_url: string };

async function declare(bytes: Uint8Array, of: object = { bytes: bytes.length }): Promise<Declared> {
  const files = [{ path: 'orders.csv', content_type: 'text/csv', md5: md5Of(bytes), ...of }];
  const reply = await client.post('/v2/api/files/upload', { files });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.files[0];
}

const partHeaders = (offset: number) => ({
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offset),
});
const patch = (url: string, offset: number, raw: Uint8Array, headers: Record<string, string> = {}) =>
  service.anonymous.send('PATCH', url, { raw, headers: { ...partHeaders(offset), ...headers } });
const arrived = async (url: string): Promise<number> =>
  Number((await fetch(url, { method: 'HEAD' })).headers.get('upload-offset'));

async function expectWhole({ id }: Declared, bytes: Uint8Array): Promise<void> {
  expect((await client.get(`/v2/api/files/${id}`)).body).toMatchObject({ status: 'uploaded', bytes: bytes.length });
  const headers = { authorization: `Bearer ${client.key}` };
  const back = await fetch(`${service.url}/v2/api/files/${id}/content`, { headers });
  expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true);
}

/** Sends a part and hangs up when the service has `until` bytes of the file, or more. */
async function breakOff(url: string, offset: number, bytes: Uint8Array, until: number): Promise<void> {
  const sending = ask(url, { method: 'PATCH', headers: { ...partHeaders(offset), 'content-length': bytes.length } });
  const gone = new Promise((resolve) => sending.once('error', resolve));
  sending.write(bytes.subarray(0, bytes.length - 1));
  while ((await arrived(url)) < until) await sleep(10);
  sending.destroy();
  await gone;
}

test('a client of tus sends a file, and leaves nothing but the file', async () => {
  const before = stored(service);
  const bytes = randomBytes(20 * mebibyte + 7);
  const file = await declare(bytes);
  const told: number[] = [];
  await new Promise<void>((resolve, reject) => {
    new Upload(bytes, {
      uploadUrl: file.upload_url,
      chunkSize: 9 * mebibyte,
      onChunkComplete: (_, accepted) => told.push(accepted),
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
  expect(told).toEqual([9 * mebibyte, 18 * mebibyte, bytes.length]);
  expect(stored(service).length).toBe(before.length + filesPerObject);
  const trail = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').select('action').where('target_id', '=', file.id).execute(),
  );
  expect(trail).toEqual([{ action: 'batch-input-upload' }]);
  await expectWhole(file, bytes);
});

test('what arrives before the line breaks is kept, to the last byte', async () => {
  const bytes = randomBytes(20 * mebibyte);
  const file = await declare(bytes);
  expect(await arrived(file.upload_url)).toBe(0);
  await breakOff(file.upload_url, 0, bytes, 8 * mebibyte);
  // What was under way when the line broke is stored a moment later, so that to go on may be too early.
  for (;;) {
    const state = (await (await fetch(file.upload_url)).json()) as { offset: number };
    const { offset, ...rest } = state;
    expect(rest).toEqual({ id: file.id, status: 'awaiting_upload', bytes: bytes.length });
    expect(offset).toBeGreaterThanOrEqual(8 * mebibyte);
    expect(offset).toBeLessThan(bytes.length);
    const reply = await patch(file.upload_url, offset, bytes.subarray(offset));
    if (reply.status === 204) break;
    expectRefusal(reply, 409, 'offset_mismatch');
  }
  await expectWhole(file, bytes);
  expect(await (await fetch(file.upload_url)).json()).toMatchObject({ status: 'uploaded', offset: bytes.length });
});

test('a process that is killed in the middle is gone on from by another', async () => {
  const bytes = randomBytes(24 * mebibyte);
  const file = await declare(bytes);
  const other = await startSecondProcess(service);
  const { pathname, search } = new URL(file.upload_url);
  const sending = fetch(`${other.url}${pathname}${search}`, {
    method: 'PATCH',
    headers: partHeaders(0),
    // The last bytes never come.
    body: new ReadableStream({ start: (into) => into.enqueue(bytes.subarray(0, 23 * mebibyte)) }),
    duplex: 'half',
  } as RequestInit);
  sending.catch(() => {});
  while ((await arrived(file.upload_url)) < 16 * mebibyte) await sleep(10);
  await other.kill();
  await expect(sending).rejects.toThrow();
  const offset = await arrived(file.upload_url);
  expect(offset).toBe(16 * mebibyte);
  expect((await patch(file.upload_url, offset, bytes.subarray(offset))).status).toBe(204);
  await expectWhole(file, bytes);
});

test('of two clients that go on at the same place, one does', async () => {
  const bytes = randomBytes(3 * mebibyte);
  const file = await declare(bytes);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => patch(file.upload_url, 0, bytes.subarray(0, mebibyte))),
  );
  expect(replies.filter(({ status }) => status === 204).length).toBe(1);
  for (const reply of replies) if (reply.status !== 204) expectRefusal(reply, 409, 'offset_mismatch');
  const late = await patch(file.upload_url, 0, bytes.subarray(0, mebibyte));
  expect(late.headers.get('upload-offset')).toBe(String(mebibyte));
  const last = await Promise.all(
    Array.from({ length: 8 }, () => patch(file.upload_url, mebibyte, bytes.subarray(mebibyte))),
  );
  expect(last.filter(({ status }) => status === 204).length).toBe(1);
  for (const reply of last)
    if (reply.status !== 204) expect(['offset_mismatch', 'file_already_uploaded']).toContain(reply.body.code);
  await expectWhole(file, bytes);
});

test('bytes that do not have the MD5 are refused at the end, and the file begins anew', async () => {
  const bytes = randomBytes(3_000);
  const before = stored(service);
  const file = await declare(bytes);
  expect((await patch(file.upload_url, 0, bytes.subarray(0, 1_000))).status).toBe(204);
  expectRefusal(await patch(file.upload_url, 1_000, randomBytes(2_000)), 400, 'digest_mismatch');
  expect(await arrived(file.upload_url)).toBe(0);
  expect(stored(service)).toEqual(before);
  expect((await patch(file.upload_url, 0, bytes)).status).toBe(204);
  await expectWhole(file, bytes);
});

test('a length may be said with the first part, and holds', async () => {
  const bytes = randomBytes(3_000);
  const file = await declare(bytes, {});
  expect((await fetch(file.upload_url, { method: 'HEAD' })).headers.get('upload-defer-length')).toBe('1');
  expectRefusal(await patch(file.upload_url, 0, bytes.subarray(0, 10)), 400, 'malformed');
  const length = { 'upload-length': '3000' };
  expect((await patch(file.upload_url, 0, bytes.subarray(0, 10), length)).status).toBe(204);
  expectRefusal(await patch(file.upload_url, 10, bytes, { 'upload-length': '3010' }), 400, 'malformed');
  expectRefusal(await patch(file.upload_url, 10, bytes), 400, 'malformed');
  expect(await arrived(file.upload_url)).toBe(10);
  expect((await patch(file.upload_url, 10, bytes.subarray(10))).status).toBe(204);
  await expectWhole(file, bytes);
});

test('a file without bytes is a file', async () => {
  const file = await declare(Buffer.alloc(0));
  expect((await patch(file.upload_url, 0, Buffer.alloc(0))).status).toBe(204);
  await expectWhole(file, Buffer.alloc(0));
});

test.each<[string, Record<string, string>, number, 'malformed' | 'unsupported_media_type' | 'precondition_failed']>([
  ['of another type', { 'content-type': 'text/csv' }, 415, 'unsupported_media_type'],
  ['of another protocol', { 'tus-resumable': '0.2.2' }, 412, 'precondition_failed'],
  ['at no place', { 'upload-offset': 'x' }, 400, 'malformed'],
  ['before the first byte', { 'upload-offset': '-1' }, 400, 'malformed'],
])('a part %s is refused', async (_, headers, status, code) => {
  const file = await declare(Buffer.from('a'));
  expectRefusal(await patch(file.upload_url, 0, Buffer.from('a'), headers), status, code);
  expect(await arrived(file.upload_url)).toBe(0);
});

test('what is sent whole, deleted or never finished leaves no parts', async () => {
  const { app } = service.service;
  const bytes = randomBytes(2_000);
  const before = stored(service).length;
  const begun = async (): Promise<Declared> => {
    const file = await declare(bytes);
    expect((await patch(file.upload_url, 0, bytes.subarray(0, 1_000))).status).toBe(204);
    return file;
  };
  const whole = await begun();
  const headers = { 'content-type': 'text/csv', 'content-md5': md5Of(bytes) };
  expect((await service.anonymous.send('PUT', whole.upload_url, { raw: bytes, headers })).status).toBe(200);
  await expectWhole(whole, bytes);
  expect(stored(service).length).toBe(before + filesPerObject);

  const deleted = await begun();
  await client.send('DELETE', `/v2/api/files/${deleted.id}`);
  expect(stored(service).length).toBe(before + filesPerObject);
  expectRefusal(await patch(deleted.upload_url, 1_000, bytes.subarray(1_000)), 404, 'not_found');

  const late = await begun();
  await sleep(5);
  await sweep(app, 0);
  expect(await arrived(late.upload_url)).toBe(1_000);
  await tenantOf(app.db, tenant.ctx, (tx) =>
    tx
      .updateTable('files')
      .set({ expires_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('id', '=', late.id)
      .execute(),
  );
  await sweep(app, 0);
  expect(stored(service).length).toBe(before + filesPerObject);
});
