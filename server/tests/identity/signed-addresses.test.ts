/** Addresses that a person in a session was given: they do what the person may, as long as the session lasts. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../problems.ts';
import { startTestService, type TestService } from '../service.ts';
import { type Browser, signIn, signUp } from './browser.ts';

let service: TestService;
let ana: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  service = await startTestService();
  ana = await signUp(service, 'Ana');
});
afterAll(() => service.close());

const text = 'a,b\n1,2\n';
const md5 = createHash('md5').update(text).digest('base64');

async function declare(browser: Browser) {
  const files = [{ path: 'orders.csv', content_type: 'text/csv', md5 }];
  const reply = await browser.post('/v2/api/files/upload', { files });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.files[0];
}

const put = ({ upload_url, headers }: { upload_url: string; headers: Record<string, string> }) =>
  service.anonymous.send('PUT', upload_url, { raw: text, headers });

describe('an address that a person was given in a session', () => {
  test('takes the bytes, as done by that person', async () => {
    const declared = await declare(ana.browser);
    const sent = await put(declared);
    expect(sent.status, sent.text).toBe(200);
    const { rows } = await service.owner.pool.query(
      "select actor_id, workspace_id from audit_entries where action = 'batch-input-upload' and target_id = $1",
      [declared.id],
    );
    expect(rows).toEqual([{ actor_id: ana.id, workspace_id: ana.workspace }]);
  });

  test('ends with the session', async () => {
    const browser = await signIn(service, ana.email);
    const declared = await declare(browser);
    expect((await browser.send('DELETE', '/v1/api/session')).status).toBe(204);
    expectRefusal(await put(declared), 403, 'signature_expired');
  });

  test('is of the workspace that it was given in, and of no other', async () => {
    const declared = await declare(ana.browser);
    const address = new URL(declared.upload_url);
    const [type, session] = address.searchParams.get('by')!.split(' ');
    address.searchParams.set('by', `${type} ${session} ws_${'0'.repeat(32)}`);
    expectRefusal(await put({ ...declared, upload_url: String(address) }), 403, 'signature_invalid');
  });
});
