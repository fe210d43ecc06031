import { newId } from '../../lib/crypto/ids.ts';
import type { EventReader, PlacedEvent } from '../../trail/outbox/hand-on.ts';
import { insertDeliveries, insertPayloads, type NewDelivery } from './deliveries/sql.ts';
import { payloadOf } from './payload.ts';
import { selectSubscriptions } from './sql.ts';
import { wants, webhookTypes } from './subscription.ts';

/**
 * Makes a delivery of each event for each webhook that is told of it. For a webhook that is disabled, or for which too
 * much waits, it is left out, and can be sent later.
 */
export const expandToWebhooks: EventReader = {
  name: 'webhooks',
  async read(tx, events) {
    const told = events.filter(isTold);
    if (told.length === 0) return;
    const webhooks = await selectSubscriptions(tx, [...new Set(told.map(({ workspace_id }) => workspace_id))]);
    const deliveries = told.flatMap((event) =>
      webhooks
        .filter((webhook) => webhook.workspace_id === event.workspace_id && wants(webhook, event))
        .map((webhook): NewDelivery => {
          const owner = { organization_id: webhook.organization_id, workspace_id: webhook.workspace_id };
          return {
            ...{ id: newId('whd'), ...owner, webhook_id: webhook.id, message_id: newId('msg') },
            ...{ event_id: event.id, event_type: event.type, trigger: 'auto', replay_of: null, recovery_id: null },
            status: webhook.status === 'active' && !webhook.is_full ? 'queued' : 'skipped',
          };
        }),
    );
    const wanted = new Set(deliveries.map(({ event_id }) => event_id));
    const payloads = told.filter(({ id }) => wanted.has(id)).map((event) => ({ ...event, body: payloadOf(event) }));
    await insertPayloads(tx, payloads);
    await insertDeliveries(tx, deliveries);
  },
};

function isTold(event: PlacedEvent): event is PlacedEvent & { readonly workspace_id: string } {
  return event.workspace_id !== null && webhookTypes.includes(event.type);
}
