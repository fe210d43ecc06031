/** Requests of a key are counted, told and, past its quota, refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRateLimit } from '../src/access/rate-limit.ts';
import { system } from '../src/access/transactions.ts';
import { startTestService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ requestsPerMinute: 5 });
});
afterAll(() => service.close());

const leftOf = (header: string | null) => Number(/r=(\d+)/.exec(header ?? '')?.[1]);

test('every answer says what is left, and the one past the quota when to come back', async () => {
  const { client, as } = await service.tenant('Limited');
  for (let left = 4; left >= 0; left--) {
    const answer = await client.get(left % 2 ? '/v1/api/models' : '/v1/api/models/mdl_none');
    expect(answer.headers.get('ratelimit-policy')).toBe('"requests";q=5;w=60');
    expect(leftOf(answer.headers.get('ratelimit'))).toBe(left);
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

test('the quota is whole again after a minute', () => {
  let now = 0;
  const limit = openRateLimit(2, () => now);
  limit.count('a');
  expect(limit.count('a').ratelimit).toBe('"requests";r=0;t=60');
  now = 30_500;
  expect(() => limit.count('a')).toThrow('more than 2 requests');
  now = 60_000;
  expect(limit.count('a').ratelimit).toBe('"requests";r=1;t=60');
});
