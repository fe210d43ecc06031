import type { Context } from '../../../access/context.ts';
import { create } from '../../../api/idempotency.ts';
import { refuse } from '../../../errors.ts';
import { newId } from '../../../lib/crypto/ids.ts';
import type { Answer } from '../../../lib/http/server.ts';
import { record } from '../../../trail/record.ts';
import type { App } from '../../app.ts';
import { payloadOf } from '../payload.ts';
import { requireActive } from '../require.ts';
import { presentDelivery } from './delivery.ts';
import {
  countTests,
  endPause,
  insertDeliveries,
  insertPayloads,
  type NewDelivery,
  selectDelivery,
  selectPayload,
} from './sql.ts';

/** Most test events of a workspace that wait or are being sent. */
export const testsMax = 20;

/**
 * Sends a delivery again, whatever became of it, as a new delivery with the same message id and bytes.
 * Throws Failure 'not_found', 'webhook_disabled', 'payload_expired'.
 */
export function replayDelivery(app: App, ctx: Context, id: string): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    const delivery = await selectDelivery(tx, id);
    if (!delivery) throw refuse('not_found', `there is no delivery ${id}`);
    await requireActive(tx, delivery.webhook_id);
    if ((await selectPayload(tx, delivery.event_id)) === undefined)
      throw refuse('payload_expired', `what was sent by ${id} is no longer kept`);
    const again = newDelivery(ctx, delivery.webhook_id, { ...delivery, trigger: 'manual', replay_of: id });
    await insertDeliveries(tx, [again]);
    await endPause(tx, delivery.webhook_id);
    await record(
      tx,
      ctx,
      'webhook-delivery-replay',
      { type: 'webhook', id: delivery.webhook_id },
      {
        delivery_id: again.id,
        replay_of: id,
      },
    );
    return presentDelivery((await selectDelivery(tx, again.id))!);
  });
}

/**
 * Sends a test event to a webhook: once, whatever it is subscribed to, and without counting for or against it.
 * Throws Failure 'not_found', 'webhook_disabled', 'limit_exceeded'.
 */
export function sendTest(app: App, ctx: Context, webhookId: string): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    await requireActive(tx, webhookId);
    if ((await countTests(tx, ctx.workspaceId)) >= testsMax)
      throw refuse('limit_exceeded', `${testsMax} test events of this workspace are still being sent`);
    const event = { id: newId('evt'), type: 'webhook-test', workspace_id: ctx.workspaceId, resource_id: webhookId };
    const body = payloadOf({ ...event, sequence: 1, payload: { id: webhookId }, created_at: new Date() });
    const { organizationId: organization_id, workspaceId: workspace_id } = ctx;
    await insertPayloads(tx, [{ id: event.id, organization_id, workspace_id, body }]);
    const delivery = newDelivery(ctx, webhookId, {
      ...{ message_id: newId('msg'), event_id: event.id, event_type: event.type },
      ...{ trigger: 'test', replay_of: null },
    });
    await insertDeliveries(tx, [delivery]);
    await record(tx, ctx, 'webhook-test', { type: 'webhook', id: webhookId }, { delivery_id: delivery.id });
    return presentDelivery((await selectDelivery(tx, delivery.id))!);
  });
}

function newDelivery(
  { organizationId, workspaceId }: Context,
  webhookId: string,
  of: Pick<NewDelivery, 'message_id' | 'event_id' | 'event_type' | 'trigger' | 'replay_of'>,
): NewDelivery {
  const { message_id, event_id, event_type, trigger, replay_of } = of;
  return {
    ...{ id: newId('whd'), organization_id: organizationId, workspace_id: workspaceId, webhook_id: webhookId },
    ...{ message_id, event_id, event_type, trigger, replay_of, recovery_id: null, status: 'queued' },
  };
}
