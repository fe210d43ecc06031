/** What is used until it is used up, and what auditors and billing managers ask for; test support. */
import { vi } from 'vitest';
import { closeMonths } from '../../src/resources/invoices/close-months.ts';
import { runBeside } from '../beside.ts';
import type { World } from '../world.ts';
import { done, type Stage, send } from './stage.ts';

const days = 24 * 60 * 60 * 1000;

export async function actOnUsage(stage: Stage, world: World): Promise<void> {
  await useUp(stage, world);
  const { service, client } = stage;
  await closeMonths(service.service.app.db, new Date(Date.now() + 40 * days));
  await send(stage, 'GET', '/v1/api/usage-records/export');
  await send(stage, 'GET', '/v1/api/audit-entries?limit=1');
  const { body } = await send(stage, 'POST', '/v1/api/audit-exports', { format: 'csv' });
  await client.finished(`/v1/api/audit-exports/${body.id}`);
  await send(stage, 'GET', `/v1/api/audit-exports/${body.id}/entries`);
  await send(stage, 'PATCH', '/v1/api/notification-defaults', {
    preferences: [{ type: 'batch-lifecycle', channels: 'in_app' }],
  });
}

/** Uses a quota of predictions up to four fifths, and then all of it. */
async function useUp(stage: Stage, { model, alias }: World): Promise<void> {
  const { client, creator } = stage;
  const predict = () => done(client.post(`/v1/api/prediction/${model}/${alias}`, { customer_id: 'actsC1' }));
  const used = await count(stage, "action in ('prediction-request', 'counterfactual-request')");
  await setQuota(5 * (used + 4));
  for (let times = used; times < 4 * (used + 4); times++) await predict();
  await told(stage, 'usage-limit-warning');
  for (let times = 0; times < used + 4; times++) await predict();
  await told(stage, 'usage-limit-reached');
  await setQuota(1_000_000);

  function setQuota(limit: number) {
    const args = ['--organization', creator.organization, '--resource', 'predictions', '--limit', String(limit)];
    return runBeside(stage.service, ['admin', 'quota', 'set', ...args]);
  }
}

async function count({ service, creator }: Stage, condition: string): Promise<number> {
  const { rows } = await service.owner.pool.query(
    `select count(*)::int as entries from audit_entries where organization_id = $1 and ${condition}`,
    [creator.organization],
  );
  return rows[0].entries;
}

const told = (stage: Stage, act: string) =>
  vi.waitUntil(async () => (await count(stage, `action = '${act}'`)) > 0, { timeout: 60_000, interval: 50 });
