/** The catalog of events, as it is served. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditActionNames, eventTypeNames, eventTypes } from '../src/trail/catalog.ts';
import { startTestService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, 'api');
});
afterAll(() => service.close());

/** The names that were promised: batches, versions, workspace, keys, and what people and webhooks do. */
const promised = [
  ...['batch-input-upload-request', 'batch-input-deletion', 'batch-request', 'batch-interrupt-request'],
  ...['batch-lifecycle', 'batch-result-download', 'batch-result-deletion'],
  ...['model-version-activation', 'model-version-deactivation', 'model-version-promotion', 'model-version-demotion'],
  ...['workspace-creation', 'workspace-update', 'workspace-archival', 'workspace-unarchival'],
  ...['api-key-creation', 'api-key-deletion', 'api-key-recycling', 'api-key-renaming'],
  ...['organization-update', 'user-creation', 'user-update', 'user-deletion', 'login', 'login-failure'],
  ...['sso-authentication', 'session-creation', 'session-revocation'],
  ...['invitation-creation', 'invitation-acceptance', 'invitation-revocation'],
  ...['member-addition', 'member-role-update', 'member-removal', 'prediction-request'],
  ...['webhook-creation', 'webhook-update', 'webhook-deletion', 'webhook-secret-rotation'],
];

test('every act that was promised is in the catalog', () => {
  expect(auditActionNames).toEqual(expect.arrayContaining(promised));
});

test('anybody may read the catalog, all of it or one type', async () => {
  const { status, body } = await service.anonymous.get('/v1/api/event-types');
  expect(status).toBe(200);
  const one = await service.anonymous.get('/v1/api/event-types/batch-lifecycle');
  expect(one.body).toMatchObject({
    name: 'batch-lifecycle',
    webhook: true,
    readable_by: ['creator', 'developer', 'analyst', 'member'],
    payload: { required: ['status'], properties: { status: { enum: ['queued', 'running', 'succeeded', 'failed'] } } },
  });
  expect(body.data).toContainEqual(one.body);
  const names = body.data
    .filter(({ webhook }: { webhook: boolean }) => webhook)
    .map(({ name }: { name: string }) => name);
  expect(names).toEqual(eventTypeNames.filter((name) => eventTypes[name].reach === 'webhooks'));
});

test('a type that is not there is not found', async () => {
  const { status, body } = await service.anonymous.get('/v1/api/event-types/nothing');
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test('the page of events names every act', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/event-types.md', import.meta.url)), 'utf8');
  for (const name of auditActionNames) expect(page).toContain(`| \`${name}\` |`);
});
