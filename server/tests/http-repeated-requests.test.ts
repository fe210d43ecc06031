/** Asked again, at once, or page after page: what has happened happens once, and is shown once. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { contractBody, shopText, taskBody } from './shop.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
  ({ client } = await service.tenant('Shop'));
});
afterAll(() => service.close());

describe('Idempotency-Key', () => {
  const metadata = { zebra: 1, a: { longer: [1, 2], b: 'x' }, text: 'é\u2028' };
  let files: { file_id: string; table: string }[];
  beforeAll(async () => {
    await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
    files = [{ file_id: await client.upload('customers.csv', shopText('tables/customers.csv')), table: 'customers' }];
  });

  test('twenty times the same at once is one effect and one answer', async () => {
    const headers = { 'idempotency-key': 'twenty' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/v1/api/ingestions', { files, metadata }, headers)),
    );
    for (const { status, text } of replies) expect(status, text).toBe(202);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    const { body } = await client.get('/v1/api/ingestions');
    expect(body.data).toHaveLength(1);
    expect(body.data[0].metadata).toEqual(metadata);
  });

  test('with another body is refused', async () => {
    const headers = { 'idempotency-key': 'twenty' };
    expectRefusal(await client.post('/v1/api/ingestions', { files }, headers), 422, 'idempotency_key_reused');
  });

  test('is of its route, and of its workspace', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const other = await service.tenant('Other');
    const made = [];
    for (const caller of [client, other.client])
      made.push((await caller.post('/v1/api/contracts', contractBody, headers)).body.id);
    expect(made[0]).not.toBe(made[1]);
    expectRefusal(await client.post('/v1/api/tasks', taskBody(), headers), 422, 'invalid_task');
  });

  test('gives addresses that hold anew, of the same files, and keeps none of them', async () => {
    const headers = { 'idempotency-key': 'addresses' };
    const text = 'a,b\n1,2\n';
    const md5 = createHash('md5').update(text).digest('base64');
    const body = { files: [{ path: 'again.csv', content_type: 'text/csv', md5 }] };
    const ask = async () => (await client.post('/v2/api/files/upload', body, headers)).body;
    const { db } = service.service.app;
    const first = await ask();
    const kept = await system(db, 'test', async (tx) => {
      const past = new Date(Date.now() - 60_000);
      await tx.updateTable('files').set({ expires_at: past }).where('id', '=', first.files[0].id).execute();
      return tx.selectFrom('idempotency_keys').selectAll().where('key', '=', 'addresses').executeTakeFirstOrThrow();
    });
    expect(JSON.stringify(kept)).not.toMatch(/signature|https?:/);
    const again = await ask();
    expect(again.id).toBe(first.id);
    const [{ id, upload_url, expires_at }] = again.files;
    expect(id).toBe(first.files[0].id);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    expect((await client.get(`/v2/api/files/${id}`)).body.expires_at).toBe(expires_at);
    const put = await service.anonymous.send('PUT', upload_url, { raw: text, headers: again.files[0].headers });
    expect(put.status, put.text).toBe(200);
  });

  test('keeps nothing by which a body could be guessed', async () => {
    const body = { identifier: '11222333000181' };
    expect((await client.post('/v1/api/erasures', body, { 'idempotency-key': 'who' })).status).toBe(202);
    const { body_hash } = await system(service.service.app.db, 'test', (tx) =>
      tx.selectFrom('idempotency_keys').select('body_hash').where('key', '=', 'who').executeTakeFirstOrThrow(),
    );
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'])
      expect(body_hash).not.toBe(createHash(algorithm).update(JSON.stringify(body)).digest('hex'));
  });

  test('of a request that was refused is free for one that is right', async () => {
    const headers = { 'idempotency-key': 'second-try' };
    const refused = await client.post('/v1/api/contracts', { document: 'x' }, headers);
    expectRefusal(refused, 422, 'invalid_contract');
    expect((await client.post('/v1/api/contracts', contractBody, headers)).status).toBe(201);
  });

  test.each(['', 'x'.repeat(256)])('of %j is refused', async (key) => {
    const headers = { 'idempotency-key': key };
    expectRefusal(await client.post('/v1/api/tasks', taskBody(), headers), 400, 'malformed');
  });
});

test('of ten who define a task of one name at once, one does', async () => {
  const file = await client.upload('labels.csv', shopText('tasks/returns/train.csv'));
  const body = { name: 'one-of-ten', definition: shopText('tasks/returns/task.yaml'), labels: { train: file } };
  const replies = await Promise.all(Array.from({ length: 10 }, () => client.post('/v1/api/tasks', body)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const reply of replies) if (reply.status !== 201) expectRefusal(reply, 409, 'name_taken');
});

describe('paging', () => {
  test('under insertion and deletion skips no survivor and shows nothing twice', async () => {
    const declare = async (count: number) => {
      const files = Array.from({ length: count }, (_, at) => ({
        path: `page/${at}.csv`,
        content_type: 'text/csv',
        md5: `${'A'.repeat(22)}==`,
      }));
      const reply = await client.post('/v2/api/files/upload', { files });
      return reply.body.files.map(({ id }: { id: string }) => id) as string[];
    };
    const before = await declare(40);
    const deleted = new Set<string>();
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; ; page++) {
      const { body } = await client.get(`/v2/api/files?limit=7&status=awaiting_upload${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) {
        expect(body.next_cursor).toBeNull();
        break;
      }
      cursor = `&cursor=${body.next_cursor}`;
      await declare(3);
      // One behind, one ahead, and the very one that the cursor stands after.
      for (const id of [seen[page], before[page], seen.at(-1)!]) {
        await client.send('DELETE', `/v2/api/files/${id}`);
        deleted.add(id);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((id) => !deleted.has(id) && !seen.includes(id))).toEqual([]);
    expect(deleted.size).toBeGreaterThan(10);
  });

  test('a cursor is of its filters', async () => {
    const { body } = await client.get('/v2/api/files?limit=1&status=awaiting_upload');
    expectRefusal(await client.get(`/v2/api/files?cursor=${body.next_cursor}`), 400, 'invalid_cursor');
    const other = `/v2/api/files?status=deleted&cursor=${body.next_cursor}`;
    expectRefusal(await client.get(other), 400, 'invalid_cursor');
    const same = `/v2/api/files?limit=5&status=awaiting_upload&cursor=${body.next_cursor}`;
    expect((await client.get(same)).status).toBe(200);
  });
});
