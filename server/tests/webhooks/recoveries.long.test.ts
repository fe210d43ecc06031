/** A large recovery whose worker is killed. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { laneMax } from '../../src/resources/webhooks/delivering/choose.ts';
import type { Tenant } from '../service.ts';
import { type Hooks, inDatabase, ok, register, startHooks, startWorker, until, type Worker } from './hooks.ts';

let hooks: Hooks;
let here: Tenant;
let worker: Worker;
beforeAll(async () => {
  hooks = await startHooks({}, 'api');
  here = await hooks.service.tenant('Here');
});
afterEach(async () => {
  worker.kill('SIGTERM');
  await worker.ended;
});
afterAll(() => hooks.close());

const count = 25_000;

/** Leaves a history of failures, with what was sent. */
async function failMany(id: string): Promise<void> {
  const { organizationId, workspaceId } = here.ctx;
  await inDatabase(
    hooks,
    `insert into webhook_deliveries (id, organization_id, workspace_id, webhook_id, message_id, event_id, event_type,
        trigger, status, attempts, failures, finished_at)
      select 'whd_' || gen_random_uuid(), $1, $2, $3, 'msg_' || at, 'evt_' || at, 'batch-request', 'auto', 'failed', 12,
        12, now() from generate_series(1, $4::int) as at`,
    [organizationId, workspaceId, id, count],
  );
  await inDatabase(
    hooks,
    `insert into webhook_payloads (event_id, organization_id, workspace_id, body)
      select 'evt_' || at, $1, $2, '{}' from generate_series(1, $3::int) as at`,
    [organizationId, workspaceId, count],
  );
}

test('E58: 25,000 failures are recovered each once, though the worker is killed in the middle', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events: ['batch-request'] });
  const since = new Date().toISOString();
  await failMany(id);
  worker = startWorker(hooks);
  const path = `/v1/api/webhooks/${id}/recoveries`;
  const asked = await ok(here.client.post(path, { since }));
  expect(asked.total).toBe(count);
  const recovery = () => ok(here.client.get(`${path}/${asked.id}`));
  const queuedBefore = await until(async () => {
    const { status, queued } = await recovery();
    expect(status).not.toBe('succeeded');
    return queued > count / 5 ? queued : undefined;
  }, 'the beginning of the recovery');
  worker.kill('SIGKILL');
  await worker.ended;
  const killed = await recovery();
  expect(killed).toMatchObject({ status: 'running' });
  expect(killed.queued).toBeGreaterThanOrEqual(queuedBefore);
  worker = startWorker(hooks);
  const done = await here.client.finished(`${path}/${asked.id}`);
  expect(done.body).toMatchObject({ status: 'succeeded', total: count, queued: count, expired: 0 });
  const [made] = await inDatabase(
    hooks,
    `select count(*)::int, count(distinct message_id)::int as messages, count(distinct replay_of)::int as replayed
      from webhook_deliveries where recovery_id = $1`,
    [asked.id],
  );
  expect(made).toEqual({ count, messages: count, replayed: count });
  // A part of them is enough to see that each is sent once but for those that were under way.
  await receiver.received(receiver.requests.length + 1_000);
  const sent = receiver.requests.map(({ headers }) => headers['webhook-id']);
  const twice = sent.length - new Set(sent).size;
  console.log(`E58: killed at ${killed.queued} of ${count}; ${sent.length} have come, ${twice} twice`);
  expect(twice).toBeLessThanOrEqual(laneMax);
  await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
});
