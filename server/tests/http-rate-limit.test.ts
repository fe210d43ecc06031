/** Requests of a key and of a workspace are counted, told and, past their limits, refused. */

import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRateLimit } from '../src/access/rate-limit.ts';
import { system } from '../src/access/transactions.ts';
import { setPricePlan } from '../src/resources/organizations/set-price-plan.ts';
import { createPlan } from '../src/resources/price-plans/create.ts';
import { startTestService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ requestsPerMinute: 5, workspacePerMinute: { real_time: 3, other: 12 } });
});
afterAll(() => service.close());

const leftOf = (header: string | null) => Number(/r=(\d+)/.exec(header ?? '')?.[1]);

test('every answer says what is left, and the one past the quota when to come back', async () => {
  const { client, as } = await service.tenant('Limited');
  for (let left = 4; left >= 0; left--) {
    const answer = await client.get(left % 2 ? '/v1/api/models' : '/v1/api/models/mdl_none');
    expect(answer.headers.get('ratelimit-policy')).toBe('"requests";q=5;w=60, "workspace";q=12;w=60');
    expect(answer.headers.get('ratelimit')).toMatch(
      new RegExp(`^"requests";r=${left};t=\\d+, "workspace";r=${7 + left};t=`),
    );
  }
  const refused = await client.get('/v1/api/models');
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ code: 'rate_limited' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(leftOf(refused.headers.get('ratelimit'))).toBe(0);
  // Another key of the workspace has a quota of its own.
  expect((await (await as('analyst')).get('/v1/api/models')).status).toBe(200);
});

test('what is refused for want of a right is counted too, and fills the trail no further', async () => {
  const { as, ctx } = await service.tenant('Refused');
  const analyst = await as('analyst');
  const send = () => analyst.post('/v1/api/erasures', { identifier: 'x' });
  for (let left = 4; left >= 0; left--) {
    const refused = await send();
    expect(refused.body.code).toBe('permission_denied');
    expect(leftOf(refused.headers.get('ratelimit'))).toBe(left);
  }
  for (let i = 0; i < 3; i++) expect((await send()).body.code).toBe('rate_limited');
  const denials = await system(service.service.app.db, 'test', (tx) =>
    tx
      .selectFrom('audit_entries')
      .select('id')
      .where('workspace_id', '=', ctx.workspaceId)
      .where('outcome', '=', 'denied')
      .execute(),
  );
  expect(denials).toHaveLength(5);
});

test('the keys of a workspace share its limit, apart from that of what is answered in real time', async () => {
  const { as, client } = await service.tenant('Shared');
  const others = [client, await as('developer'), await as('creator'), await as('analyst')];
  const statuses = [];
  for (const one of others) for (let i = 0; i < 4; i++) statuses.push((await one.get('/v1/api/models')).status);
  expect(statuses).toEqual([...Array(12).fill(200), ...Array(4).fill(429)]);
  const refused = await others[3].get('/v1/api/models');
  expect(refused.body.detail).toContain('in this workspace');
  expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+, "workspace";r=0;t=\d+$/);
  const predict = () => others[1].post('/v1/api/prediction/mdl_none/production', {});
  const predicted = await predict();
  expect(predicted.status).toBe(404);
  expect(predicted.headers.get('ratelimit')).toMatch(/, "workspace-real-time";r=2;t=\d+$/);
  // Of another workspace nothing is used.
  const other = await service.tenant('Neighbour');
  expect((await other.client.get('/v1/api/models')).headers.get('ratelimit')).toMatch(/"workspace";r=11;/);
});

test('a price plan gives a workspace other limits', async () => {
  const { client, ctx } = await service.tenant('Planned');
  const { db } = service.service.app;
  await createPlan(db, 'slow', JSON.stringify({ monthly_fee: '0', prices: {}, rate_limits: { other: 2 } }));
  await setPricePlan(db, ctx.organizationId, 'slow');
  let policy: string | null = null;
  // It is read behind the first request.
  for (let i = 0; i < 5 && !policy?.includes('q=2'); i++) {
    await sleep(100);
    policy = (await client.get('/v1/api/models')).headers.get('ratelimit-policy');
  }
  expect(policy).toBe('"requests";q=5;w=60, "workspace";q=2;w=60');
});

const none = { real_time: 0, other: 0 };
const caller = (credentialId: string, workspaceId: string | null = null) => ({ credentialId, workspaceId });

test('the limit is whole again after a minute', () => {
  let now = 0;
  const limit = openRateLimit({ perCredential: 2, perWorkspace: () => none }, () => now);
  limit.count(caller('a'), 'other');
  expect(limit.count(caller('a'), 'other').ratelimit).toBe('"requests";r=0;t=60');
  now = 30_500;
  expect(() => limit.count(caller('a'), 'other')).toThrow('more than 2 requests');
  now = 60_000;
  expect(limit.count(caller('a'), 'other').ratelimit).toBe('"requests";r=1;t=60');
});

test('whatever comes when, by whom and where: no window has more than its limit, and what is refused had to be', () => {
  const request = fc.record({
    afterMs: fc.integer({ min: 0, max: 25_000 }),
    credential: fc.constantFrom('a', 'b', 'c'),
    workspace: fc.constantFrom('v', 'w'),
    pace: fc.constantFrom('real_time', 'other'),
  });
  const limits = fc.record({ perCredential: fc.integer({ min: 0, max: 4 }), real_time: fc.nat(5), other: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 60 }), limits, (requests, { perCredential, ...perWorkspace }) => {
      let now = 0;
      const limit = openRateLimit({ perCredential, perWorkspace: () => perWorkspace }, () => now);
      // By hand: when the window of each began, and how many came in it.
      const seen = new Map<string, { began: number; count: number }>();
      const within = (id: string, most: number): boolean => {
        if (most === 0) return true;
        let window = seen.get(id);
        if (!window || now - window.began >= 60_000) {
          window = { began: now, count: 0 };
          seen.set(id, window);
        }
        return ++window.count <= most;
      };
      for (const { afterMs, credential, workspace, pace } of requests) {
        now += afterMs;
        const isAdmitted =
          within(credential, perCredential) && within(`${workspace} ${pace}`, perWorkspace[pace as 'other']);
        const count = () => limit.count(caller(credential, workspace), pace as 'other');
        if (isAdmitted) expect(count).not.toThrow();
        else expect(count).toThrow('requests in 60 seconds');
      }
    }),
    { seed: 1 },
  );
});
