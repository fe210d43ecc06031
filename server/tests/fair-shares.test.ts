import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkMax } from '../src/resources/open-work.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let full: Tenant;
let other: Tenant;

beforeAll(async () => {
  // Serves requests only, so that what is queued stays so.
  service = await startTestService({}, 'api');
  full = await service.tenant('Full');
  other = await service.tenant('Other');
});
afterAll(() => service.close());

test.each([
  ['ingestions', '/v1/api/ingestions', { files: [{ file_id: 'file_none', table: 'a' }] }, 404],
  ['erasures', '/v1/api/erasures', { identifier: '11222333000181' }, 202],
] as const)(
  'a workspace with as many open %s as it may have is refused, and others are not',
  async (kind, path, body, given) => {
    const { organizationId, workspaceId } = full.ctx;
    const files = kind === 'ingestions' ? ['files', "'[]'::jsonb"] : ['identifier', "'sealed'"];
    await service.owner.pool.query(
      `insert into ${kind} (id, organization_id, workspace_id, created_by, ${files[0]})
     select '${kind} ' || n, $1, $2, 'test', ${files[1]} from generate_series(1, $3::int) as n`,
      [organizationId, workspaceId, openWorkMax[kind]],
    );
    const refused = await full.client.post(path, body);
    expect(refused.status, refused.text).toBe(413);
    expect(refused.body).toMatchObject({
      code: 'limit_exceeded',
      detail: expect.stringContaining(`${openWorkMax[kind]} ${kind}`),
    });
    expect((await other.client.post(path, body)).status).toBe(given);
    await service.owner.pool.query(`update ${kind} set status = 'failed', finished_at = now() where id = '${kind} 1'`);
    expect((await full.client.post(path, body)).status).toBe(given);
  },
);
