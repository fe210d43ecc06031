import { Type } from 'typebox';
import { type Tx, tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { nullable } from '../../api/nullable.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import type { App } from '../app.ts';
import { urlLengthMax } from './address.ts';
import { createWebhook, showWithSecret } from './create.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { headersBytesMax, headersMax, headerValueLengthMax } from './headers.ts';
import { recoveryRoutes } from './recoveries/routes.ts';
import { requireWebhook } from './require.ts';
import { revokeSecret, rotateSecret } from './secret.ts';
import { selectSecrets, selectWebhook, selectWebhooks } from './sql.ts';
import { changeWebhook, deleteWebhook } from './update.ts';
import {
  newWebhookSchema,
  overlapHoursDefault,
  overlapHoursMax,
  presentWebhook,
  rateLimitMax,
  resourcesMax,
  subscriptionsMax,
  webhookSchema,
} from './webhook.ts';

const access = 'manage_webhooks';
const path = '/v1/api/webhooks';
const params = Type.Object({ id: Type.String() });

const url = Type.String({
  maxLength: urlLengthMax,
  description: 'Where requests are sent: https, to a public address, and to no port of another kind of service.',
});
const events = Type.Array(shortText(), {
  ...{ minItems: 1, maxItems: subscriptionsMax },
  description: 'Names of events, such as batch-lifecycle; * for all, model-version-* for all that begin so.',
});
const optional = {
  description: Type.Optional(nullable(shortText())),
  resource_ids: Type.Optional(
    nullable(
      Type.Array(shortText(), {
        ...{ minItems: 1, maxItems: resourcesMax },
        description: 'Only events about these; null, the default, for all.',
      }),
    ),
  ),
  headers: Type.Optional(
    nullable(
      Type.Record(Type.String(), Type.String({ maxLength: headerValueLengthMax }), {
        maxProperties: headersMax,
        [bytesMax]: headersBytesMax,
        description: 'Headers of your own for every request, such as authorization. Their values are kept sealed.',
      }),
    ),
  ),
  rate_limit: Type.Optional(
    nullable(
      Type.Integer({
        ...{ minimum: 1, maximum: rateLimitMax },
        description: 'Most requests a second; null, the default, for no limit.',
      }),
    ),
  ),
};

export const webhookRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path,
      operation: 'webhooks.list',
      summary: 'Webhooks of the workspace, newest first',
      ...{ access, query: Type.Object(pageQuery), answers: { 200: pageOf(webhookSchema) } },
    },
    async (ctx, { query }) => {
      const secrets: Awaited<ReturnType<typeof selectSecrets>> = [];
      const read = async (tx: Tx, before: string | null, most: number) => {
        const rows = await selectWebhooks(tx, ctx, before, most);
        secrets.push(
          ...(await selectSecrets(
            tx,
            rows.map(({ id }) => id),
          )),
        );
        return rows;
      };
      const body = await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'webhooks'],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => read(tx, before, most)),
        (row) => presentWebhook(row, secrets),
      );
      return { status: 200, body };
    },
  ),
  route(
    {
      method: 'POST',
      path,
      operation: 'webhooks.create',
      summary: 'Register an address to which events are sent',
      description: 'Its secret, by which requests are signed, is in this answer and in no other.',
      ...{ access, creates: true, problems: ['outbound_refused'] },
      body: Type.Object(
        { url, events, ...optional },
        {
          ...{ title: 'WebhookRequest', additionalProperties: false },
          examples: [{ url: 'https://hooks.example.com/lastro', events: ['batch-lifecycle'] }],
        },
      ),
      answers: { 201: newWebhookSchema },
    },
    (ctx, { body }) => createWebhook(app, ctx, body),
  ),
  route(
    {
      method: 'GET',
      path: `${path}/{id}`,
      operation: 'webhooks.get',
      summary: 'A webhook',
      ...{ access, params, answers: { 200: webhookSchema } },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await tenant(app.db, ctx, (tx) => show(tx, id)) }),
  ),
  route(
    {
      method: 'PATCH',
      path: `${path}/{id}`,
      operation: 'webhooks.update',
      summary: 'Change a webhook, disable it or enable it again',
      description:
        'What waits goes to the address, with the headers and the signature, that the webhook has when it is sent. While it is disabled, deliveries are skipped; they can be replayed, or recovered, once it is enabled again.',
      ...{ access, params, problems: ['outbound_refused'] },
      body: Type.Object(
        {
          ...{ url: Type.Optional(url), events: Type.Optional(events), ...optional },
          status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('disabled')])),
        },
        { title: 'WebhookChange', additionalProperties: false, examples: [{ status: 'disabled' }] },
      ),
      answers: { 200: webhookSchema },
    },
    async (ctx, { params: { id }, body }) => {
      await changeWebhook(app, ctx, id, body);
      return { status: 200, body: await tenant(app.db, ctx, (tx) => show(tx, id)) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      operation: 'webhooks.delete',
      summary: 'Delete a webhook',
      description: 'Nothing more is sent to it. What was sent can still be read by the ids of the deliveries.',
      ...{ access, params, answers: { 204: null } },
    },
    async (ctx, { params: { id } }) => {
      await deleteWebhook(app.db, ctx, id);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'POST',
      path: `${path}/{id}/rotation`,
      operation: 'webhooks.rotate',
      summary: 'Give a webhook a new secret',
      description:
        'For some hours requests have two signatures, one by the secret before, so that receivers can change over.',
      ...{ access, params, problems: ['conflict'] },
      body: Type.Object(
        {
          overlap_hours: Type.Optional(
            Type.Integer({
              ...{ minimum: 0, maximum: overlapHoursMax },
              description: `How long requests are signed by the secret before as well: ${overlapHoursDefault} by default, 0 to end it at once.`,
            }),
          ),
        },
        { title: 'WebhookRotation', additionalProperties: false, examples: [{ overlap_hours: 24 }] },
      ),
      answers: { 200: newWebhookSchema },
    },
    async (ctx, { params: { id }, body: { overlap_hours: hours = overlapHoursDefault } }) => {
      const secretId = await rotateSecret(app, ctx, id, hours);
      return { status: 200, body: await tenant(app.db, ctx, (tx) => showWithSecret(app, tx, id, secretId)) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: `${path}/{id}/secrets/{secret_id}`,
      operation: 'webhooks.revokeSecret',
      summary: 'End an earlier secret of a webhook at once',
      ...{ access, params: Type.Object({ id: Type.String(), secret_id: Type.String() }), problems: ['conflict'] },
      answers: { 204: null },
    },
    async (ctx, { params: { id, secret_id } }) => {
      await revokeSecret(app.db, ctx, id, secret_id);
      return { status: 204 };
    },
  ),
  ...deliveryRoutes(app),
  ...recoveryRoutes(app),
];

async function show(tx: Tx, id: string) {
  const row = requireWebhook(await selectWebhook(tx, id), id);
  return presentWebhook(row, await selectSecrets(tx, [id]));
}
