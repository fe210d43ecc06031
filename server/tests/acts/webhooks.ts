/** What is done with webhooks, and what becomes of their receivers; test support. */
import { type Farm, status } from '../webhooks/farm.ts';
import { type Stage, send } from './stage.ts';

const path = '/v1/api/webhooks';

export async function actOnWebhooks(stage: Stage, farm: Farm): Promise<void> {
  const { body: spare } = await send(stage, 'POST', path, { url: farm.receiver().url, events: ['api-key-renaming'] });
  await send(stage, 'PATCH', `${path}/${spare.id}`, { description: 'spare' });
  await send(stage, 'POST', `${path}/${spare.id}/rotation`, {});
  await send(stage, 'DELETE', `${path}/${spare.id}`);
  // One that is gone is disabled, and one that always fails uses its attempts up.
  for (const code of [410, 500])
    await send(stage, 'POST', path, { url: farm.receiver(status(code)).url, events: ['workspace-update'] });
  await send(stage, 'PATCH', '/v1/api/workspace', { name: 'Heard' });
  const { body: hooks } = await send(stage, 'GET', path);
  const [hook] = hooks.data;
  await send(stage, 'POST', `${path}/${hook.id}/test`);
  await send(stage, 'POST', `${path}/${hook.id}/recoveries`, { since: hook.created_at });
  const { body: deliveries } = await send(stage, 'GET', `${path}/${hook.id}/deliveries?limit=1`);
  await send(stage, 'POST', `/v1/api/webhook-deliveries/${deliveries.data[0].id}/replay`);
}
