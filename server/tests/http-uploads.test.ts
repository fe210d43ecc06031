/** Bytes sent over HTTP, to a signed address: what is stored is what was declared, or nothing. */
import { randomBytes } from 'node:crypto';
import { request as ask } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { signUrl } from '../src/lib/crypto/signed-url.ts';
import { sweep } from '../src/resources/maintenance/sweep.ts';
import { declare, filesPerObject, md5Of, stored } from './declared-files.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type TestService } from './service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
  ({ client } = await service.tenant('Shop'));
});
afterAll(() => service.close());

const put = (url: string, raw: string | Uint8Array, headers: Record<string, string>) =>
  service.anonymous.send('PUT', url, { raw, headers });

const text = 'a,b\n1,2\n';

/** Two texts of the same MD5 (Wang and Yu, EUROCRYPT 2005). */
const collision = [
  'd131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5bd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70',
  'd131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5bd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70',
].map((digits) => Buffer.from(digits, 'hex'));

describe('sending', () => {
  test('what was declared is stored, and leaves its trail', async () => {
    const { id, upload_url, headers } = await declare(client, text);
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
    const { id, upload_url, headers } = await declare(client, text);
    const before = stored(service);
    expectRefusal(await put(upload_url, text, change(headers)), 400, code as 'digest_mismatch');
    expect(stored(service)).toEqual(before);
    expect((await client.get(`/v2/api/files/${id}`)).body).toMatchObject({ status: 'awaiting_upload', bytes: null });
    expect((await put(upload_url, text, headers)).status).toBe(200);
  });

  test.each(['', 'a,b\n', `${text} `, text.replace('1', '3')])(
    'a body that does not have its MD5 (%j) is refused, and nothing is stored',
    async (other) => {
      const { id, upload_url, headers } = await declare(client, text);
      const before = stored(service);
      expectRefusal(await put(upload_url, other, headers), 400, 'digest_mismatch');
      expect(stored(service)).toEqual(before);
      expect((await client.get(`/v2/api/files/${id}`)).body.status).toBe('awaiting_upload');
      expect((await put(upload_url, text, headers)).status).toBe(200);
    },
  );

  test('an empty file is a file', async () => {
    const { upload_url, headers } = await declare(client, '');
    expect((await put(upload_url, '', headers)).body).toMatchObject({ status: 'uploaded', bytes: 0 });
  });

  test('twice is refused', async () => {
    const { upload_url, headers } = await declare(client, text);
    expect((await put(upload_url, text, headers)).status).toBe(200);
    expectRefusal(await put(upload_url, text, headers), 409, 'file_already_uploaded');
  });

  test('twenty times at once stores once', async () => {
    const bytes = randomBytes(300_000);
    const { id, upload_url, headers } = await declare(client, bytes);
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

  describe.each(['the same bytes', 'other bytes of the same MD5'])('slowly, while another sends %s', (what) => {
    const [early, late] = what === 'the same bytes' ? [collision[0], collision[0]] : collision;

    test.each([
      ['first', early, late],
      ['last', late, early],
    ])('the one that ends first stays, begun %s', async (_, quick, slow) => {
      const before = stored(service);
      const { id, upload_url, headers } = await declare(client, quick);
      const sending = ask(upload_url, { method: 'PUT', headers: { ...headers, 'content-length': slow.length } });
      const answered = new Promise<number>((resolve) =>
        sending.on('response', (answer) => resolve(answer.resume().statusCode!)),
      );
      await new Promise((resolve) => sending.write(slow.subarray(0, 100), resolve));
      await eventually(() => expect(stored(service).length).toBeGreaterThan(before.length));
      expect((await put(upload_url, quick, headers)).status).toBe(200);
      sending.end(slow.subarray(100));
      expect(await answered).toBe(409);
      const back = await fetch(`${service.url}/v2/api/files/${id}/content`, {
        headers: { authorization: `Bearer ${client.key}` },
      });
      expect(Buffer.from(await back.arrayBuffer()).equals(quick)).toBe(true);
      await eventually(() => expect(stored(service).length).toBe(before.length + filesPerObject));
    });
  });

  test('of a process killed before it told the database is swept', async () => {
    const { app } = service.service;
    const { id, upload_url, headers } = await declare(client, text);
    const before = stored(service);
    const { storage_key } = await system(app.db, 'test', (tx) =>
      tx.selectFrom('files').select('storage_key').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    await app.storage.put(`${storage_key}-${newId('put')}`, Buffer.from('left by a process that died'));
    await sleep(5);
    await sweep(app, 0);
    expect(stored(service)).toEqual(before);
    expect((await put(upload_url, text, headers)).status).toBe(200);
    await sweep(app, 0);
    expect((await client.get(`/v2/api/files/${id}/content`)).text).toBe(text);
  });

  test.each(['rNwx==', 'rNw===', 'rNw=', 'rNw', 'rNww', 'rNww== ', '-Nww==', 'rNwwAA=='])(
    'an MD5 that ends in %j instead of rNww== is not declared',
    async (ending) => {
      const files = [{ path: 'a.csv', content_type: 'text/csv', md5: `XrY7u+Ae7tCTyyK7j1${ending}` }];
      expectRefusal(await client.post('/v2/api/files/upload', { files }), 422, 'schema_mismatch');
    },
  );

  test('broken off leaves nothing', async () => {
    const bytes = randomBytes(2_000_000);
    const { id, upload_url, headers } = await declare(client, bytes);
    const before = stored(service);
    const broken = ask(upload_url, { method: 'PUT', headers: { ...headers, 'content-length': bytes.length } });
    const gone = new Promise((resolve) => broken.on('error', resolve));
    await new Promise((resolve) => broken.write(bytes.subarray(0, 1_000_000), resolve));
    broken.destroy();
    await gone;
    // What the server does about it ends before another upload of the same file does.
    expect((await put(upload_url, bytes, headers)).status).toBe(200);
    await eventually(() => expect(stored(service).length).toBe(before.length + filesPerObject));
    expect((await client.get(`/v2/api/files/${id}`)).body.bytes).toBe(bytes.length);
  });

  test('to a deleted file is refused, also when it is deleted on the way', async () => {
    const { id, upload_url, headers } = await declare(client, text);
    await client.send('DELETE', `/v2/api/files/${id}`);
    expectRefusal(await put(upload_url, text, headers), 404, 'not_found');

    const bytes = randomBytes(500_000);
    const late = await declare(client, bytes);
    const before = stored(service);
    const sending = ask(late.upload_url, {
      method: 'PUT',
      headers: { ...late.headers, 'content-length': bytes.length },
    });
    const answered = new Promise<number>((resolve) => sending.on('response', (answer) => resolve(answer.statusCode!)));
    await new Promise((resolve) => sending.write(bytes.subarray(0, 400_000), resolve));
    await eventually(() => expect(stored(service).length).toBeGreaterThan(before.length));
    await client.send('DELETE', `/v2/api/files/${late.id}`);
    sending.end(bytes.subarray(400_000));
    expect(await answered).toBe(409);
    expect(stored(service)).toEqual(before);
  });
});

describe('a signed address', () => {
  test('altered in any part is refused', async () => {
    const { upload_url, headers } = await declare(client, text);
    const other = await declare(client, text);
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
    const { id, upload_url, headers } = await declare(client, text);
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
    const { upload_url } = await declare(client, text);
    const url = new URL(upload_url);
    expectRefusal(await service.anonymous.send('DELETE', upload_url), 405, 'method_not_allowed');
    const file = changedPath(url, url.pathname.replace('/upload', '/content'));
    expectRefusal(await service.anonymous.get(file), 401, 'unauthenticated');
    const { keys } = service.service.app;
    const read = signUrl(
      { path: url.pathname, method: 'GET', expires: new Date(Date.now() + 10_000), claims: { by: 'x' } },
      keys.addresses,
    );
    expectRefusal(await put(read, text, {}), 403, 'signature_invalid');
  });

  test('says when it expires, within the hour', async () => {
    const { upload_url, expires_at } = await declare(client, text);
    const expires = Number(new URL(upload_url).searchParams.get('expires')) * 1000;
    expect(Math.floor(Date.parse(expires_at) / 1000) * 1000).toBe(expires);
    expect(expires - Date.now()).toBeLessThanOrEqual(60 * 60 * 1000);
  });
});

function changedPath(url: URL, pathname: string): string {
  const changed = new URL(url);
  changed.pathname = pathname;
  return String(changed);
}

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
