/** What is sent while the clock of the machine is wrong. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { checkClock } from '../../src/resources/maintenance/check-clock.ts';
import type { Tenant } from '../service.ts';
import { first, status } from './farm.ts';
import { delivery, emit, ended, type Hooks, inDatabase, register, startHooks, until, verified } from './hooks.ts';

const hourMs = 60 * 60_000;
let hooks: Hooks;
let tenant: Tenant;

beforeAll(async () => {
  hooks = await startHooks();
  tenant = await hooks.service.tenant('Clock');
});
afterEach(() => vi.useRealTimers());
afterAll(() => hooks.close());

/** Has all of this process, the service too, think that it is so much later. */
function turnClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
}

test('E53: a clock that is ten minutes ahead is told to the operator, and receivers verify what is sent', async () => {
  const { app } = hooks.service.service;
  expect(Math.abs(await checkClock(app))).toBeLessThan(30_000);
  const receiver = hooks.farm.receiver(first(1, status(500)));
  const { id, secret } = await register(tenant.client, receiver.url, { events: ['batch-request'] });
  const told = vi.spyOn(app.log, 'error');
  turnClock(hourMs / 6);
  await emit(hooks, tenant);
  const requests = await receiver.received(2);
  const [row] = await ended(tenant.client, id, 1);
  const aheadMs = await checkClock(app);
  vi.useRealTimers();
  expect(aheadMs / (hourMs / 6)).toBeCloseTo(1, 1);
  expect(told).toHaveBeenCalledWith({ aheadMs }, expect.stringContaining('clock of this machine'));
  told.mockRestore();
  for (const request of requests) expect(verified(secret, request)).toMatchObject({ type: 'batch-request' });
  expect(row).toMatchObject({ status: 'succeeded', attempt_count: 2 });
});

test('E54: a clock that jumps back an hour repeats and delays nothing, and entries stay in their order', async () => {
  const failing = hooks.farm.receiver(first(2, status(500)));
  const healthy = hooks.farm.receiver();
  const types = { events: ['batch-result-download'] };
  const made = [await register(tenant.client, failing.url, types), await register(tenant.client, healthy.url, types)];
  const count = 3;
  await emit(hooks, tenant, { type: 'batch-result-download', count });
  await failing.received(1);
  turnClock(-hourMs);
  await emit(hooks, tenant, { type: 'batch-result-download', count });
  made.push(await register(tenant.client, healthy.url, { events: ['embedding-request'] }));
  for (const { id } of made.slice(0, 2)) {
    const rows = await ended(tenant.client, id, 2 * count);
    expect(rows.map((row) => row.status)).toEqual(Array(2 * count).fill('succeeded'));
  }
  vi.useRealTimers();
  expect(healthy.requests).toHaveLength(2 * count);
  expect(failing.requests).toHaveLength(2 * count + 2);
  for (const [at, { secret, id }] of made.slice(0, 2).entries()) {
    for (const request of [failing, healthy][at]!.requests) verified(secret, request);
    const rows = await ended(tenant.client, id, 2 * count);
    const attempts = (await Promise.all(rows.map((row) => delivery(tenant.client, row.id)))).flatMap(
      (row) => row.attempts,
    );
    for (const { started_at, finished_at } of attempts) {
      expect(Math.abs(Date.parse(started_at) - Date.now())).toBeLessThan(hourMs / 2);
      expect(Date.parse(finished_at)).toBeGreaterThanOrEqual(Date.parse(started_at));
    }
  }
  const leaves = await until(async () => {
    const found = await inDatabase(
      hooks,
      `select l.leaf_index::int as at, e.recorded_at from audit_entries e left join audit_leaves l on l.entry_id = e.id
       where e.workspace_id = $1 order by l.leaf_index`,
      [tenant.ctx.workspaceId],
    );
    return found.every(({ at }) => at !== null) ? found : undefined;
  }, 'the sealing of all entries');
  const times = leaves.map(({ recorded_at }) => recorded_at.getTime());
  expect(leaves.map(({ at }) => at)).toEqual(leaves.map((_, at) => at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1) - times[0]).toBeLessThan(hourMs / 2);
});
