/** How many entries lists have. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totalMax } from '../src/api/list.ts';
import { idsFrom } from '../src/lib/crypto/ids.ts';
import { expectRefusal } from './problems.ts';
import type { Client, Tenant, TestService } from './service.ts';
import { listAll } from './usage/metered.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let world: World;

beforeAll(async () => {
  const worlds = await startWorlds();
  ({ service } = worlds);
  ({ tenant, world } = worlds.a);
  client = tenant.client;
});
afterAll(() => service.close());

test.each([
  '/v1/api/contracts',
  '/v1/api/ingestions',
  '/v1/api/tasks',
  '/v1/api/training-runs',
  '/v1/api/evaluations',
  '/v1/api/backtests',
  '/v1/api/erasures',
  '/v1/api/watch-lists',
  '/v1/api/watch-lists/{watchList}/entries',
  '/v1/api/watch-lists/{watchList}/moves',
  '/v1/api/models',
  '/v1/api/models/{model}/versions',
  '/v1/api/models/{model}/versions/2/backtests',
  '/v1/api/rfm-versions',
  '/v1/api/rfm-versions?entity=customers',
  '/v1/api/rfm-versions?entity=nothing',
  '/v1/api/predictions',
  '/v1/api/predictions?entity=customers&key=nobody',
  '/v2/api/files',
  '/v2/api/files?status=uploaded',
  '/v2/api/batches',
  '/v2/api/batches?status=succeeded',
  '/v1/api/batches',
])('%s says how many there are, whatever the page', async (template) => {
  const path = template.replace('{model}', world.model).replace('{watchList}', world.watchList);
  const join = path.includes('?') ? '&' : '?';
  const all = await listAll(client, path);
  const { body, text } = await client.get(`${path}${join}count=true&limit=1`);
  expect(body.total, text).toEqual({ count: all.length, has_more: false });
  expect((await client.get(`${path}${join}limit=1`)).body).not.toHaveProperty('total');
  expect((await client.get(`${path}${join}count=false`)).body).not.toHaveProperty('total');
});

test('the last page says it too, by the same cursor', async () => {
  const { body } = await client.get('/v1/api/predictions?limit=1');
  const next = await client.get(`/v1/api/predictions?limit=1&count=true&cursor=${body.next_cursor}`);
  expect(next.body.total.count, next.text).toBeGreaterThan(1);
});

test('a list that is longer than what is counted is counted no further', async () => {
  const at = Date.parse('2021-01-01T00:00:00Z');
  await service.owner.pool.query(
    `insert into predictions (id, organization_id, workspace_id, model_id, version_id, snapshot_id, as_of, inputs, outputs, request_id)
      select $3 || lpad(i::text, 20, '0'), $1, $2, case when i = 0 then 'mdl_y' else 'mdl_x' end, 'ver_1', 'snp_1', now(), '{}', '{}', 'req_1'
      from generate_series(0, ${totalMax}) as i`,
    [tenant.ctx.organizationId, tenant.ctx.workspaceId, idsFrom('prd', at)],
  );
  const during = 'limit=1&count=true&from=2021-01-01T00:00:00Z&to=2021-01-02T00:00:00Z';
  const counted = async (query: string) => (await client.get(`/v1/api/predictions?${during}${query}`)).body.total;
  expect(await counted('')).toEqual({ count: totalMax, has_more: true });
  expect(await counted('&model_id=mdl_x')).toEqual({ count: totalMax, has_more: false });
  expect(await counted('&model_id=mdl_y')).toEqual({ count: 1, has_more: false });
});

test('count is true or false, and a parameter of lists that count alone', async () => {
  expectRefusal(await client.get('/v1/api/models?count=many'), 400, 'invalid_parameter', '/query/count');
  expectRefusal(await client.get('/v1/api/events?count=true'), 400, 'invalid_parameter', '/query/count');
});
