/** What docs/notifications.md tells people to do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/crypto/ids.ts';
import { goodPassword, openBrowser, signUp } from '../identity/browser.ts';
import { startTestService, type TestService } from '../service.ts';
import { told } from './acts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'notifications.md'), 'utf8');

/** The commands of the page, as the requests that they send. */
const requests = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block]) => block.replaceAll('\\\n', ' ').trim().split('\n'))
  .map((command) => ({
    method: /-X (\w+)/.exec(command)?.[1] ?? 'POST',
    path: /"\$LASTRO(\/[^"]*)"/.exec(command)![1],
    body: /-d '([^']*)'/.exec(command)?.[1],
    isInWorkspace: command.includes('Lastro-Workspace: $WORKSPACE'),
  }));

test('the commands of the page choose, list and mark', async () => {
  const ana = await signUp(service, 'Reader');
  const key = await ana.browser.post('/v1/api/api-keys', { name: 'one' });
  expect(key.status, key.text).toBe(201);
  await told(service);
  const [{ id }] = (await ana.browser.get('/v1/api/notifications')).body.data;
  const suppression = newId('sup');
  await service.owner.kysely
    .insertInto('mail_suppressions')
    .values({ id: suppression, user_id: ana.id, email: ana.email, reason: '550' })
    .execute();
  const browser = openBrowser(service.url);
  const replies = [];
  for (const { method, path, body, isInWorkspace } of requests) {
    const own = body?.replace('ana@company.com', ana.email).replace('"…"', `"${goodPassword}"`).replace('ntf_…', id);
    const headers = isInWorkspace ? { 'lastro-workspace': ana.workspace } : {};
    const at = path.replace('$SUPPRESSION', suppression);
    const reply = await browser.send(method, at, own && JSON.parse(own), headers);
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
    replies.push(reply.body);
  }
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/api/sessions',
    'GET /v1/api/notification-preferences',
    'PATCH /v1/api/notification-preferences',
    'PATCH /v1/api/notification-defaults',
    'GET /v1/api/notifications?unread=true',
    'GET /v1/api/notifications/counts',
    'POST /v1/api/notifications/mark-all-read',
    'PATCH /v1/api/notification-preferences',
    'GET /v1/api/user/mail-suppressions',
    'DELETE /v1/api/user/mail-suppressions/$SUPPRESSION',
  ]);
  expect(replies[5].mail_suppression).toMatchObject({ id: suppression });
  expect(replies[6].marked).toBeGreaterThan(0);
  expect(replies[7]).toMatchObject({ mail_window: 'daily', time_zone: 'America/Sao_Paulo' });
});
