/** Bytes over HTTP: what is sent is what was declared or nothing, and comes back whole and in parts. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUrl } from '../src/lib/crypto/signed-url.ts';
import { system } from '../src/tenancy/doors.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { shopText } from './shop.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
  tenant = await service.tenant('Shop');
  client = tenant.client;
});
afterAll(() => service.close());

type Declared = { id: string; upload_url: string; headers: Record<string, string>; expires_at: string };
const md5Of = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest('base64');

async function declare(bytes: string | Uint8Array, path = 'orders.csv'): Promise<Declared> {
  const files = [{ path, content_type: 'text/csv', md5: md5Of(bytes) }];
  const reply = await client.post('/v2/api/files/upload', { files });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.files[0];
}

const put = (url: string, raw: string | Uint8Array, headers: Record<string, string>) =>
  service.anonymous.send('PUT', url, { raw, headers });

/** The bytes, and the record that names them. */
const filesPerObject = 2;

/** Names of all that lies in the storage. */
function stored(): string[] {
  const folder = join(service.folder, 'files');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
}

const text = 'a,b\n1,2\n';

describe('sending', () => {
  test('what was declared is stored, and leaves its trail', async () => {
    const { id, upload_url, headers } = await declare(text);
    const reply = await put(upload_url, text, headers);
    expect(reply.body, reply.text).toMatchObject({ id, status: 'uploaded', bytes: text.length, expires_at: null });
    const entry = await system(service.service.app.db, 'test', (tx) =>
      tx.selectFrom('audit_entries').selectAll().where('target_id', '=', id).executeTakeFirst(),
    );
    const declared = await system(service.service.app.db, 'test', (tx) =>
      tx.selectFrom('audit_entries').selectAll().where('action', '=', 'batch-input-upload-request').execute(),
    );
    expect(entry).toMatchObject({ action: 'batch-input-upload', request_id: reply.headers.get('request-id') });
    expect(entry?.actor_id).toBe(declared[0].actor_id);
  });

  test.each<[string, (headers: Record<string, string>) => Record<string, string>, string]>([
    ['another type', (headers) => ({ ...headers, 'Content-Type': 'text/plain' }), 'content_type_mismatch'],
    [
      'a type with a parameter',
      (headers) => ({ ...headers, 'Content-Type': 'text/csv; x=1' }),
      'content_type_mismatch',
    ],
    ['another MD5', (headers) => ({ ...headers, 'Content-MD5': md5Of('other') }), 'digest_mismatch'],
    ['no MD5', (headers) => ({ 'Content-Type': headers['Content-Type'] }), 'digest_mismatch'],
  ])('with %s is refused, and nothing is stored', async (_, change, code) => {
    const { id, upload_url, headers } = await declare(text);
    const before = stored();
    expectRefusal(await put(upload_url, text, change(headers)), 400, code as 'digest_mismatch');
    expect(stored()).toEqual(before);
    expect((await client.get(`/v2/api/files/${id}`)).body).toMatchObject({ status: 'awaiting_upload', bytes: null });
    expect((await put(upload_url, text, headers)).status).toBe(200);
  });

  test.each(['', 'a,b\n', `${text} `, text.replace('1', '3')])(
    'a body that does not have its MD5 (%j) is refused, and nothing is stored',
    async (other) => {
      const { id, upload_url, headers } = await declare(text);
      const before = stored();
      expectRefusal(await put(upload_url, other, headers), 400, 'digest_mismatch');
      expect(stored()).toEqual(before);
      expect((await client.get(`/v2/api/files/${id}`)).body.status).toBe('awaiting_upload');
      expect((await put(upload_url, text, headers)).status).toBe(200);
    },
  );

  test('an empty file is a file', async () => {
    const { upload_url, headers } = await declare('');
    expect((await put(upload_url, '', headers)).body).toMatchObject({ status: 'uploaded', bytes: 0 });
  });

  test('twice is refused', async () => {
    const { upload_url, headers } = await declare(text);
    expect((await put(upload_url, text, headers)).status).toBe(200);
    expectRefusal(await put(upload_url, text, headers), 409, 'file_already_uploaded');
  });

  test('twenty times at once stores once', async () => {
    const bytes = randomBytes(300_000);
    const { id, upload_url, headers } = await declare(bytes);
    const replies = await Promise.all(Array.from({ length: 20 }, () => put(upload_url, bytes, headers)));
    for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, 409, 'file_already_uploaded');
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const entries = await system(service.service.app.db, 'test', (tx) =>
      tx.selectFrom('audit_entries').select('action').where('target_id', '=', id).execute(),
    );
    expect(entries).toEqual([{ action: 'batch-input-upload' }]);
    const back = await fetch(`${service.url}/v2/api/files/${id}/content`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('broken off leaves nothing', async () => {
    const bytes = randomBytes(2_000_000);
    const { id, upload_url, headers } = await declare(bytes);
    const before = stored();
    const broken = ask(upload_url, { method: 'PUT', headers: { ...headers, 'content-length': bytes.length } });
    const gone = new Promise((resolve) => broken.on('error', resolve));
    await new Promise((resolve) => broken.write(bytes.subarray(0, 1_000_000), resolve));
    broken.destroy();
    await gone;
    // What the server does about it ends before another upload of the same file does.
    expect((await put(upload_url, bytes, headers)).status).toBe(200);
    await eventually(() => expect(stored().length).toBe(before.length + filesPerObject));
    expect((await client.get(`/v2/api/files/${id}`)).body.bytes).toBe(bytes.length);
  });

  test('to a deleted file is refused, also when it is deleted on the way', async () => {
    const { id, upload_url, headers } = await declare(text);
    await client.send('DELETE', `/v2/api/files/${id}`);
    expectRefusal(await put(upload_url, text, headers), 404, 'not_found');

    const bytes = randomBytes(500_000);
    const late = await declare(bytes);
    const before = stored();
    const sending = ask(late.upload_url, {
      method: 'PUT',
      headers: { ...late.headers, 'content-length': bytes.length },
    });
    const answered = new Promise<number>((resolve) => sending.on('response', (answer) => resolve(answer.statusCode!)));
    await new Promise((resolve) => sending.write(bytes.subarray(0, 400_000), resolve));
    await eventually(() => expect(stored().length).toBeGreaterThan(before.length));
    await client.send('DELETE', `/v2/api/files/${late.id}`);
    sending.end(bytes.subarray(400_000));
    expect(await answered).toBe(409);
    expect(stored()).toEqual(before);
  });
});

describe('a signed address', () => {
  test('altered in any part is refused', async () => {
    const { upload_url, headers } = await declare(text);
    const other = await declare(text);
    const url = new URL(upload_url);
    const changed = (change: (url: URL) => void): string => {
      const copy = new URL(url);
      change(copy);
      return String(copy);
    };
    const signature = url.searchParams.get('signature')!;
    const altered = [
      changed(({ searchParams }) => searchParams.delete('signature')),
      changed(({ searchParams }) => searchParams.set('signature', '')),
      changed(({ searchParams }) =>
        searchParams.set('signature', `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`),
      ),
      changed(({ searchParams }) => searchParams.append('signature', signature)),
      changed(({ searchParams }) => searchParams.set('expires', '9999999999')),
      changed(({ searchParams }) => searchParams.append('expires', '9999999999')),
      changed(({ searchParams }) => searchParams.set('by', 'user somebody')),
      changed(({ searchParams }) => searchParams.append('more', '1')),
      changed((copy) => {
        copy.pathname = new URL(other.upload_url).pathname;
      }),
      changed((copy) => {
        copy.search = '';
      }),
    ];
    for (const address of altered) expectRefusal(await put(address, text, headers), 403, 'signature_invalid');
    expect((await put(upload_url, text, headers)).status).toBe(200);
  });

  test('that has expired is refused', async () => {
    const { id, upload_url, headers } = await declare(text);
    const { pathname, searchParams } = new URL(upload_url);
    const { keys } = service.service.app;
    const claims = { by: searchParams.get('by')! };
    const expired = signUrl(
      { path: pathname, method: 'PUT', expires: new Date(Date.now() - 1_000), claims },
      keys.addresses,
    );
    expectRefusal(await put(expired, text, headers), 403, 'signature_expired');
    expect((await client.get(`/v2/api/files/${id}`)).body.status).toBe('awaiting_upload');
  });

  test('is of its method', async () => {
    const { upload_url } = await declare(text);
    expectRefusal(await service.anonymous.get(upload_url), 401, 'unauthenticated');
    const url = new URL(upload_url);
    const { keys } = service.service.app;
    const read = signUrl(
      { path: url.pathname, method: 'GET', expires: new Date(Date.now() + 10_000), claims: { by: 'x' } },
      keys.addresses,
    );
    expectRefusal(await put(read, text, {}), 403, 'signature_invalid');
  });

  test('says when it expires, within the hour', async () => {
    const { upload_url, expires_at } = await declare(text);
    const expires = Number(new URL(upload_url).searchParams.get('expires')) * 1000;
    expect(Math.floor(Date.parse(expires_at) / 1000) * 1000).toBe(expires);
    expect(expires - Date.now()).toBeLessThanOrEqual(60 * 60 * 1000);
  });
});

describe('receiving', () => {
  const bytes = randomBytes(100_000);
  let path: string;
  let etag: string;
  beforeAll(async () => {
    const id = await client.upload('whole.csv', bytes);
    path = `${service.url}/v2/api/files/${id}/content`;
    etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  });

  async function get(headers: Record<string, string> = {}, method = 'GET') {
    const answer = await fetch(path, { method, headers: { authorization: `Bearer ${client.key}`, ...headers } });
    return { answer, got: Buffer.from(await answer.arrayBuffer()) };
  }

  test('the whole has its digest, and a name', async () => {
    const { answer, got } = await get();
    expect(answer.status).toBe(200);
    expect(got.equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag,
      'accept-ranges': 'bytes',
      'content-length': String(bytes.length),
      'content-type': 'text/csv',
      'content-disposition': "attachment; filename*=UTF-8''whole.csv",
      'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
    });
  });

  test('ranges put together are the whole, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 4 }),
        async (cuts) => {
          const starts = [0, ...cuts.sort((a, b) => a - b)];
          const parts = [];
          for (const [at, start] of starts.entries()) {
            const end = at + 1 < starts.length ? starts[at + 1] - 1 : '';
            const { answer, got } = await get({ range: `bytes=${start}-${end}`, 'if-range': etag });
            expect(answer.status).toBe(206);
            const last = end === '' ? bytes.length - 1 : end;
            expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${last}/${bytes.length}`);
            expect(answer.headers.get('content-length')).toBe(String(got.length));
            parts.push(got);
          }
          expect(Buffer.concat(parts).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each<[string, number, number]>([
    ['bytes=0-0', 0, 0],
    ['bytes=-1', bytes.length - 1, bytes.length - 1],
    ['bytes=-5', bytes.length - 5, bytes.length - 1],
    [`bytes=-${bytes.length + 5}`, 0, bytes.length - 1],
    [`bytes=${bytes.length - 1}-`, bytes.length - 1, bytes.length - 1],
    ['bytes=10-99999999999999999999', 10, bytes.length - 1],
  ])('%s is bytes %i to %i', async (range, first, last) => {
    const { answer, got } = await get({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      206,
      `bytes ${first}-${last}/${bytes.length}`,
    ]);
    expect(got.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test.each([`bytes=${bytes.length}-`, 'bytes=99999999999999999999-', 'bytes=-0'])('%s lies outside', async (range) => {
    const { answer, got } = await get({ range });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(JSON.parse(String(got)).code).toBe('range_not_satisfiable');
  });

  test.each(['bytes=5-2', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0-1,5-6', 'lines=1-2', 'bytes 0-1'])(
    '%s is no range, and the whole comes',
    async (range) => {
      const { answer, got } = await get({ range });
      expect(answer.status).toBe(200);
      expect(got.equals(bytes)).toBe(true);
    },
  );

  test('a range of what has changed since is the whole', async () => {
    for (const stale of ['"other"', `W/${etag}`, 'Sat, 21 Nov 2026 00:00:00 GMT']) {
      const { answer, got } = await get({ range: 'bytes=0-9', 'if-range': stale });
      expect([answer.status, got.length]).toEqual([200, bytes.length]);
    }
  });

  test('what is known already is not sent', async () => {
    const { answer, got } = await get({ 'if-none-match': etag });
    expect([answer.status, got.length, answer.headers.get('etag')]).toEqual([304, 0, etag]);
    expect((await get({ 'if-none-match': '"other"' })).answer.status).toBe(200);
  });

  test('HEAD tells the head, and counts as no download', async () => {
    const { answer, got } = await get({}, 'HEAD');
    expect([answer.status, got.length]).toEqual([200, 0]);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(await trailOf(answer.headers.get('request-id')!)).toEqual([]);
    const whole = await get();
    expect(await trailOf(whole.answer.headers.get('request-id')!)).toEqual(['file-download']);
  });

  test('bytes that were lost are a fault of ours, which says nothing of where they lay', async () => {
    const id = await client.upload('lost.csv', text);
    const { app } = service.service;
    const { storage_key } = await system(app.db, 'test', (tx) =>
      tx.selectFrom('files').select('storage_key').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    await app.storage.delete(storage_key);
    const reply = await client.get(`/v2/api/files/${id}/content`);
    expectRefusal(reply, 500, 'internal');
    expect(reply.text).not.toContain(tenant.ctx.workspaceId);
  });

  test('a name from a customer cannot break out of its header', async () => {
    const name = 'a "b"; filename=evil.exe\r\nSet-Cookie: x=1/../ü\'(1).csv';
    const id = await client.upload(name, text, 'text/csv');
    const answer = await client.get(`/v2/api/files/${id}/content`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename\*=UTF-8''[A-Za-z0-9%._~!$&+^`|-]+$/,
    );
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

async function trailOf(requestId: string) {
  const entries = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').select('action').where('request_id', '=', requestId).execute(),
  );
  return entries.map(({ action }) => action);
}

describe('a file that is not here', () => {
  const uses: Record<string, (id: string) => Promise<Awaited<ReturnType<Client['post']>>>> = {
    'an ingestion': (id) => client.post('/v1/api/ingestions', { files: [{ file_id: id, table: 'orders' }] }),
    'a task': (id) =>
      client.post('/v1/api/tasks', {
        name: 'returns',
        definition: shopText('tasks/returns/task.yaml'),
        labels: { train: id },
      }),
    'a download': (id) => client.get(`/v2/api/files/${id}/content`),
  };

  test.each(Object.keys(uses))('is refused to %s by its state', async (use) => {
    const { id } = await declare(text);
    expectRefusal(await uses[use](id), 409, 'file_not_uploaded');
    await client.send('DELETE', `/v2/api/files/${id}`);
    expectRefusal(await uses[use](id), 409, 'file_deleted');
    const foreign = await (await service.tenant(`Other ${use}`)).client.upload('orders.csv', text);
    expectRefusal(await uses[use](foreign), 404, 'not_found');
    expectRefusal(await uses[use]('nonsense'), 404, 'not_found');
  });

  test('deleting it again changes nothing, and a deleted one has no bytes', async () => {
    const before = stored();
    const id = await client.upload('gone.csv', text);
    expect(stored().length).toBe(before.length + filesPerObject);
    for (let time = 0; time < 2; time++) {
      const reply = await client.send('DELETE', `/v2/api/files/${id}`);
      expect([reply.status, reply.body.status]).toEqual([200, 'deleted']);
    }
    expect(stored()).toEqual(before);
    const entries = await system(service.service.app.db, 'test', (tx) =>
      tx.selectFrom('audit_entries').select('action').where('target_id', '=', id).execute(),
    );
    expect(entries.map(({ action }) => action).sort()).toEqual(['batch-input-deletion', 'batch-input-upload']);
  });

  test('deleted ten times at once is deleted once', async () => {
    const id = await client.upload('gone.csv', text);
    await Promise.all(Array.from({ length: 10 }, () => client.send('DELETE', `/v2/api/files/${id}`)));
    const entries = await system(service.service.app.db, 'test', (tx) =>
      tx
        .selectFrom('audit_entries')
        .select('action')
        .where('target_id', '=', id)
        .where('action', '=', 'batch-input-deletion')
        .execute(),
    );
    expect(entries).toHaveLength(1);
  });
});

/** Asks again until it holds; the test's own time limit ends it otherwise. */
async function eventually(holds: () => void): Promise<void> {
  for (;;)
    try {
      holds();
      return;
    } catch {
      await sleep(20);
    }
}
