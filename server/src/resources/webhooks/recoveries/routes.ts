import { Type } from 'typebox';
import { tenant } from '../../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../../api/list.ts';
import { type Route, route } from '../../../api/route.ts';
import { shortText } from '../../../api/texts.ts';
import { refuse } from '../../../errors.ts';
import type { App } from '../../app.ts';
import { requireWebhook } from '../require.ts';
import { selectWebhook } from '../sql.ts';
import { createRecovery } from './create.ts';
import { presentRecovery, recoverySchema } from './recovery.ts';
import { selectRecoveries, selectRecovery } from './sql.ts';

const access = 'manage_webhooks';
const path = '/v1/api/webhooks/{id}/recoveries';
const params = Type.Object({ id: Type.String() });

export const recoveryRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path,
      operation: 'webhookRecoveries.create',
      summary: 'Send again all that never arrived at a webhook since a moment',
      description:
        'What failed or was skipped, and did not arrive when it was sent again. It is made ready piece by piece, and goes on after a restart. With dry_run nothing is sent, and the answer, with status 200, tells how many there are.',
      ...{ access, params, creates: true, problems: ['webhook_disabled', 'conflict'] },
      body: Type.Object(
        {
          since: shortText('RFC 3339.'),
          until: Type.Optional(shortText('RFC 3339: before that moment; now by default.')),
          dry_run: Type.Optional(Type.Boolean()),
        },
        {
          ...{ title: 'WebhookRecoveryRequest', additionalProperties: false },
          examples: [{ since: '2026-03-02T12:00:00Z' }],
        },
      ),
      answers: { 200: recoverySchema, 202: recoverySchema },
    },
    (ctx, { params: { id }, body }) => createRecovery(app, ctx, id, body),
  ),
  route(
    {
      method: 'GET',
      path,
      operation: 'webhookRecoveries.list',
      summary: 'Recoveries of a webhook, newest first',
      ...{ access, params, query: Type.Object(pageQuery), answers: { 200: pageOf(recoverySchema) } },
    },
    async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'webhook-recoveries', id],
        query,
        (before, most) =>
          tenant(app.db, ctx, async (tx) => {
            requireWebhook(await selectWebhook(tx, id), id);
            return selectRecoveries(tx, id, before, most);
          }),
        presentRecovery,
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: `${path}/{recovery_id}`,
      operation: 'webhookRecoveries.get',
      summary: 'How far a recovery has come',
      access,
      params: Type.Object({ id: Type.String(), recovery_id: Type.String() }),
      answers: { 200: recoverySchema },
    },
    async (ctx, { params: { id, recovery_id } }) => {
      const row = await tenant(app.db, ctx, (tx) => selectRecovery(tx, id, recovery_id));
      if (!row) throw refuse('not_found', `there is no recovery ${recovery_id} of the webhook ${id}`);
      return { status: 200, body: presentRecovery(row) };
    },
  ),
];
