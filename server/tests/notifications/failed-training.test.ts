/** A training run that fails: who is told of it, and where it is found. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../service.ts';
import { csv, day, returnsTask, shopTables, shopText } from '../shop.ts';
import { takeIn } from '../take-in.ts';
import { inboxOf, told } from './acts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('everybody who may read models is told of a training that failed, and the trail has it as failed', async () => {
  const tenant = await service.tenant('Failing', { language: 'en' });
  const [developer, analyst, billing] = await Promise.all(
    (['developer', 'analyst', 'billing_manager'] as const).map((role) => tenant.signedIn(role, 'workspace')),
  );
  await takeIn(tenant.client, shopText('contract.yaml'), shopTables);
  const rows = Array.from({ length: 40 }, (_, i) => [day(100 + i), `C${i}`, 1]);
  const train = await tenant.client.upload('train.csv', csv('date,customer_id,returns', rows));
  const { definition } = returnsTask;
  const task = await developer.post('/v1/api/tasks', { name: 'all-alike', definition, labels: { train } });
  expect(task.status, task.text).toBe(201);
  const { body } = await developer.post('/v1/api/training-runs', { task_id: task.body.id });
  const run = await tenant.client.finished(`/v1/api/training-runs/${body.id}`);
  expect(run.body).toMatchObject({ status: 'failed', failure: { code: 'invalid' } });
  await told(service);

  const ofRun = async (client: typeof developer) =>
    (await inboxOf(client)).filter(({ type }) => type.startsWith('training-run'));
  for (const reader of [developer, analyst])
    expect(await ofRun(reader)).toEqual([
      expect.objectContaining({
        type: 'training-run-failure',
        title: 'Training run failed: all-alike',
        link: `/training-runs/${body.id}?workspace=${tenant.ctx.workspaceId}`,
        said: expect.objectContaining({
          'pt-BR': expect.objectContaining({ title: 'Treinamento com falha: all-alike' }),
        }),
      }),
    ]);
  expect(await ofRun(billing)).toEqual([]);

  const trail = await tenant.client.get(`/v1/api/audit-entries?outcome=failed&target_id=${body.id}`);
  expect(trail.body.data).toEqual([
    expect.objectContaining({ action: 'training-run-failure', data: { code: 'invalid', name: 'all-alike' } }),
  ]);
});
