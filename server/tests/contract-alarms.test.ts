/** Alarms of what contracts and callers take away from what a version in service reads. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idsFrom } from '../src/lib/crypto/ids.ts';
import { watchModels } from '../src/resources/monitors/watch.ts';
import type { Tenant, TestService } from './service.ts';
import { shopText } from './shop.ts';
import { startShop } from './support/samples/batches.ts';

let service: TestService;
let tenant: Tenant;
let model: string;
let version: string;
let hours = 0;

beforeAll(async () => {
  ({
    service,
    tenant,
    returns: { model_id: model, version_id: version },
  } = await startShop());
});
afterAll(() => service.close());

/** As the service looks each hour. */
const watch = () => watchModels(service.service.app, undefined, new Date(Date.now() + ++hours * 60 * 60 * 1000));

async function told(): Promise<Record<string, unknown>[]> {
  const { rows } = await service.owner.pool.query(
    `select payload from events where workspace_id = $1 and type = 'model-drift' and payload ->> 'model_id' = $2
     order by id`,
    [tenant.ctx.workspaceId, model],
  );
  return rows.map(({ payload }) => payload);
}

const alarms = async () =>
  (await tenant.client.get(`/v1/api/models/${model}/monitoring?version=${version}`)).body.alarms;

async function accept(document: string): Promise<void> {
  const { status, text } = await tenant.client.post('/v1/api/contracts', { document, accept: true });
  expect(status, text).toBe(201);
}

const contract = shopText('contract.yaml');
const nickname = '      - name: nickname\n        logicalType: string\n';
const withNickname = contract.replace('      - name: since\n', `${nickname}      - name: since\n`);
const amount = '      - name: amount\n        logicalType: number\n';

test('a version reads the amounts of orders', async () => {
  const { body } = await tenant.client.get(`/v1/api/models/${model}/versions/${version}/features`);
  expect(body.data.flatMap(({ columns }: { columns: string[] }) => columns)).toContain('orders.amount');
});

test('a contract that changes nothing that is read raises nothing', async () => {
  await accept(withNickname);
  await watch();
  await accept(withNickname.replace(nickname, nickname.replace('string', 'number')));
  await watch();
  await accept(contract);
  await watch();
  expect(await alarms()).toEqual([]);
  expect(await told()).toEqual([]);
});

test('one that takes away, renames or retypes a column that is read is told once, by name, and ends when mended', async () => {
  await accept(contract.replace(amount, amount.replace('number', 'string')));
  await watch();
  const [alarm] = await alarms();
  expect(alarm).toMatchObject({
    ...{ kind: 'contract', version_id: version, cleared_at: null },
    signals: [
      { name: 'orders.amount', kind: 'column', of: 'retyped', before: 'number', after: 'string', threshold: 0 },
    ],
  });
  expect(alarm.signals[0].value).toBeGreaterThan(0);
  const also =
    amount.replace('amount', 'value') +
    '        customProperties:\n          - property: aliases\n            value: [amount]\n';
  await accept(contract.replace(amount, also));
  await watch();
  expect((await alarms())[0]).toMatchObject({ id: alarm.id, signals: [{ of: 'renamed', after: 'value' }] });
  await accept(contract.replace(amount, ''));
  await watch();
  await watch();
  expect((await alarms())[0]).toMatchObject({ id: alarm.id, signals: [{ of: 'removed', after: null }] });
  // What was told before is not told again, and what comes to the alarm is told once.
  await accept(contract.replace(amount, also));
  await watch();
  expect(await told()).toMatchObject([
    { status: 'raised', kind: 'contract', signals: ['orders.amount (retyped): number → string'] },
    { status: 'extended', kind: 'contract', signals: ['orders.amount (renamed): value'] },
    { status: 'extended', kind: 'contract', signals: ['orders.amount (removed)'] },
  ]);
  await accept(contract);
  await watch();
  expect(await alarms()).toEqual([]);
  expect((await told()).slice(3)).toMatchObject([{ status: 'cleared', kind: 'contract' }]);
});

test('files that arrive without it are told too, until what they ask for is rejected; and no alias, no alarm', async () => {
  const file = await tenant.client.upload('orders.csv', 'order_id,customer_id,ordered_at\nO9999,C1,2024-01-01\n');
  const asked = await tenant.client.post('/v1/api/ingestions', { files: [{ file_id: file, table: 'orders' }] });
  const refused = await tenant.client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(refused.body.status, refused.text).toBe('refused');
  await watch();
  expect(await alarms()).toMatchObject([{ kind: 'contract', signals: [{ name: 'orders.amount', of: 'removed' }] }]);
  const { proposed_contract_id: proposed } = refused.body;
  expect((await tenant.client.post(`/v1/api/contracts/${proposed}/rejection`)).status).toBe(200);
  await watch();
  expect(await alarms()).toEqual([]);
  await accept(contract.replace(amount, ''));
  const alias = `/v1/api/models/${model}/aliases/production`;
  expect((await tenant.client.send('DELETE', alias)).status).toBe(204);
  await watch();
  expect(await alarms()).toEqual([]);
  expect((await tenant.client.send('PUT', alias, { body: { version_id: version } })).status).toBe(200);
  await watch();
  expect(await alarms()).toHaveLength(1);
  await accept(contract);
  await watch();
  expect(await alarms()).toEqual([]);
});

let made = 0;

/** Predictions as they would have been written an hour ago. */
async function answered(rows: number, inputs: object): Promise<void> {
  const at = new Date(Date.now() - 60 * 60 * 1000 + made);
  const ids = Array.from(
    { length: rows },
    () => `${idsFrom('prd', at.getTime())}7aaa${String(made++).padStart(16, '0')}`,
  );
  await service.owner.pool.query(
    `insert into predictions (id, organization_id, workspace_id, model_id, version_id, snapshot_id, as_of, inputs, outputs,
        request_id, created_at)
      select id, $1, $2, $3, $4, 'snp_1', $5, $6, '{"prediction": 0.5}', 'req_1', $5 from unnest($7::text[]) as r (id)`,
    [...[tenant.ctx.organizationId, tenant.ctx.workspaceId, model, version, at], JSON.stringify(inputs), ids],
  );
}

test('an input that callers gave and give no more is told once, and ends when they do', async () => {
  await service.owner.pool.query(`update model_versions set created_at = now() - interval '2 hours',
    inputs = inputs || '[{"name": "income", "type": "number", "required": false, "pii": true},
      {"name": "region", "type": "string", "required": false, "pii": true}]'`);
  await answered(320, { customer_id: 'C1', income: 3_000 });
  await watch();
  expect(await alarms()).toEqual([]);
  await answered(210, { customer_id: 'C1', income: null });
  const before = (await told()).length;
  await watch();
  await watch();
  expect(await alarms()).toMatchObject([
    { kind: 'contract', signals: [{ name: 'income', kind: 'input', of: 'not_sent', value: 0, threshold: 1 }] },
  ]);
  expect(await told()).toHaveLength(before + 1);
  await answered(210, { customer_id: 'C1', income: 2_000 });
  await watch();
  expect(await alarms()).toEqual([]);
  expect((await told()).at(-1)).toMatchObject({ status: 'cleared', signals: ['income (not_sent): 0 < 1'] });
});
