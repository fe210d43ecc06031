/** Bytes asked for over HTTP come back whole and in parts; of a file that is not here none come. */
import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { declare, filesPerObject, stored } from './declared-files.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { taskBody } from './shop.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
  tenant = await service.tenant('Shop');
  client = tenant.client;
});
afterAll(() => service.close());

const text = 'a,b\n1,2\n';

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
      'content-disposition': `attachment; filename="whole.csv"; filename*=UTF-8''whole.csv`,
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
    expectRefusal(reply, 500, 'object_damaged');
    expect(reply.text).not.toContain(tenant.ctx.workspaceId);
  });

  test('a name from a customer cannot break out of its header', async () => {
    const name = 'a "b"; filename=evil.exe\r\nSet-Cookie: x=1/../ü\'(1).csv';
    const id = await client.upload(name, text, 'text/csv');
    const answer = await client.get(`/v2/api/files/${id}/content`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"\\%]+"; filename\*=UTF-8''[A-Za-z0-9%._~!$&+^`|-]+$/,
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
    'a task': (id) => client.post('/v1/api/tasks', taskBody({ labels: { train: id } })),
    'a download': (id) => client.get(`/v2/api/files/${id}/content`),
  };

  test.each(Object.keys(uses))('is refused to %s by its state', async (use) => {
    const { id } = await declare(client, text);
    expectRefusal(await uses[use](id), 409, 'file_not_uploaded');
    await client.send('DELETE', `/v2/api/files/${id}`);
    expectRefusal(await uses[use](id), 409, 'file_deleted');
    const foreign = await (await service.tenant(`Other ${use}`)).client.upload('orders.csv', text);
    expectRefusal(await uses[use](foreign), 404, 'not_found');
    expectRefusal(await uses[use]('nonsense'), 404, 'not_found');
  });

  test('deleting it again changes nothing, and a deleted one has no bytes', async () => {
    const before = stored(service);
    const id = await client.upload('gone.csv', text);
    expect(stored(service).length).toBe(before.length + filesPerObject);
    for (let time = 0; time < 2; time++) {
      const reply = await client.send('DELETE', `/v2/api/files/${id}`);
      expect([reply.status, reply.body.status]).toEqual([200, 'deleted']);
    }
    expect(stored(service)).toEqual(before);
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
