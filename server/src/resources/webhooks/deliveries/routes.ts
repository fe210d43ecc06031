import { Type } from 'typebox';
import { tenant } from '../../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../../api/list.ts';
import { type Route, route } from '../../../api/route.ts';
import { shortText } from '../../../api/texts.ts';
import { refuse } from '../../../errors.ts';
import type { App } from '../../app.ts';
import { readMoment } from '../moment.ts';
import { requireWebhook } from '../require.ts';
import { selectWebhook } from '../sql.ts';
import { deliveryDetailSchema, deliverySchema, deliveryStatuses, presentAttempt, presentDelivery } from './delivery.ts';
import { replayDelivery, sendTest } from './replay.ts';
import { selectAttempts, selectDeliveries, selectDelivery, selectPayload } from './sql.ts';

const access = 'manage_webhooks';
const params = Type.Object({ id: Type.String() });
const moment = (description: string) => Type.Optional(shortText(description));

export const deliveryRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/webhooks/{id}/test',
      operation: 'webhooks.sendTest',
      summary: 'Send a test event to a webhook',
      description:
        'An event webhook-test is sent once, whatever the webhook is subscribed to. The delivery tells how it went; it counts neither for nor against the webhook.',
      ...{ access, params, creates: true, problems: ['webhook_disabled', 'limit_exceeded'] },
      answers: { 202: deliverySchema },
    },
    (ctx, { params: { id } }) => sendTest(app, ctx, id),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/webhooks/{id}/deliveries',
      operation: 'webhookDeliveries.list',
      summary: 'What was sent to a webhook, or waits to be, newest first',
      access,
      params,
      query: Type.Object({
        ...pageQuery,
        status: Type.Optional(Type.String({ enum: [...deliveryStatuses] })),
        event_type: Type.Optional(shortText()),
        since: moment('RFC 3339: deliveries made at that moment or later.'),
        until: moment('RFC 3339: deliveries made before that moment.'),
      }),
      answers: { 200: pageOf(deliverySchema) },
    },
    async (ctx, { params: { id }, query: { status, event_type, since, until, ...page } }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'webhook-deliveries', id, status, event_type, since, until],
        page,
        (before, most) =>
          tenant(app.db, ctx, async (tx) => {
            requireWebhook(await selectWebhook(tx, id), id);
            const filter = { status, eventType: event_type, ...readSpan({ since, until }) };
            return selectDeliveries(tx, id, filter, before, most);
          }),
        presentDelivery,
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/webhook-deliveries/{id}',
      operation: 'webhookDeliveries.get',
      summary: 'A delivery with all attempts',
      description: 'Also of a webhook that has been deleted.',
      ...{ access, params, answers: { 200: deliveryDetailSchema } },
    },
    async (ctx, { params: { id } }) => {
      const body = await tenant(app.db, ctx, async (tx) => {
        const row = await selectDelivery(tx, id);
        if (!row) throw refuse('not_found', `there is no delivery ${id}`);
        const attempts = (await selectAttempts(tx, id)).map(presentAttempt);
        return { ...presentDelivery(row), body: (await selectPayload(tx, row.event_id)) ?? null, attempts };
      });
      return { status: 200, body };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/webhook-deliveries/{id}/replay',
      operation: 'webhookDeliveries.replay',
      summary: 'Send a delivery again',
      description:
        'Whatever became of it: a new delivery has the same message id and bytes, and this one stays as it is.',
      ...{ access, params, creates: true, problems: ['webhook_disabled', 'payload_expired'] },
      answers: { 202: deliverySchema },
    },
    (ctx, { params: { id } }) => replayDelivery(app, ctx, id),
  ),
];

function readSpan({ since, until }: { readonly since: string | undefined; readonly until: string | undefined }) {
  return {
    since: since === undefined ? undefined : readMoment(since, '/query/since'),
    until: until === undefined ? undefined : readMoment(until, '/query/until'),
  };
}
