/** Lists hand over so many bytes at a time, whatever the rows hold that an earlier release has kept. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenant } from '../src/access/transactions.ts';
import { pageBytesMax } from '../src/api/list.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let shop: Tenant;
beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' }, 'api');
  shop = await service.tenant('Shop');
});
afterAll(() => service.close());

const insert = (count: number, text: string) =>
  tenant(service.service.app.db, shop.ctx, (tx) =>
    sql`insert into predictions
      (id, organization_id, workspace_id, model_id, version_id, snapshot_id, as_of, inputs, outputs, request_id)
      select 'prd_' || ${text} || lpad(n::text, 8, '0'), ${shop.ctx.organizationId}, ${shop.ctx.workspaceId},
        'mdl_1', 'ver_' || (n % 2), 'snp_1', now(), jsonb_build_object('correlation_id', repeat(${text}, 1950000)), '{}', 'req_1'
      from generate_series(1, ${count}::int) as n`.execute(tx),
  );

test('a list of large rows ends its pages early, and all pages together have every row once', async () => {
  const count = 40;
  await insert(count, 'x');
  const ids: string[] = [];
  for (let path: string | null = '/v1/api/predictions?limit=200'; path !== null; ) {
    const page = await shop.client.get(path);
    expect(page.status).toBe(200);
    expect(page.text.length).toBeLessThan(pageBytesMax + 1_000_000);
    expect(page.body.data.length).toBeGreaterThan(0);
    expect(page.body.has_more).toBe(page.body.next_cursor !== null);
    ids.push(...page.body.data.map(({ id }: { id: string }) => id));
    path = page.body.next_cursor === null ? null : `/v1/api/predictions?limit=200&cursor=${page.body.next_cursor}`;
  }
  expect(ids).toHaveLength(count);
  expect(ids).toEqual([...new Set(ids)].sort().reverse());
});

test('a list of small rows has as many as it was asked for, of those that its filter leaves', async () => {
  const small = await service.tenant('Small');
  await tenant(service.service.app.db, small.ctx, (tx) =>
    sql`insert into predictions
      (id, organization_id, workspace_id, model_id, version_id, snapshot_id, as_of, inputs, outputs, request_id)
      select 'prd_' || lpad(n::text, 8, '0'), ${small.ctx.organizationId}, ${small.ctx.workspaceId},
        'mdl_' || (n % 2), 'ver_1', 'snp_1', now(), '{}', '{}', 'req_1'
      from generate_series(1, 100) as n`.execute(tx),
  );
  const first = await small.client.get('/v1/api/predictions?limit=30&model_id=mdl_1');
  expect(first.body.data).toHaveLength(30);
  const second = await small.client.get(`/v1/api/predictions?limit=30&model_id=mdl_1&cursor=${first.body.next_cursor}`);
  expect(second.body.data).toHaveLength(20);
  expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
  expect((await small.client.get('/v1/api/predictions?limit=50&model_id=mdl_1')).body.has_more).toBe(false);
});
