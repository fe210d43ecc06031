import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { SecretRow, WebhookRow } from './sql.ts';

/** Most webhooks of a workspace. */
export const webhooksMax = 100;
/** Secrets of a webhook that are good at the same time: the current one, and those before it. */
export const secretsMax = 3;
/** How long the secret before a rotation stays good: at most a week, a day by default. */
export const overlapHoursMax = 168;
export const overlapHoursDefault = 24;
/** Most entries of the list of events of a webhook, and of the list of ids. */
export const subscriptionsMax = 100;
export const resourcesMax = 1_000;
/** Most requests a second that a webhook may be limited to; more than this no limit is needed for. */
export const rateLimitMax = 1_000;

export const webhookExample = {
  id: 'whk_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  url: 'https://hooks.example.com/lastro',
  description: 'batch results',
  events: ['batch-lifecycle', 'model-version-*'],
  resource_ids: null,
  header_names: ['authorization'],
  rate_limit: null,
  status: 'active',
  disabled_reason: null,
  disabled_at: null,
  secrets: [{ id: 'whs_019f2e0c51b27c4e8a5d6f7a8b9c0d1e', created_at: '2026-03-02T12:00:00.000Z', expires_at: null }],
  created_at: '2026-03-02T12:00:00.000Z',
  updated_at: '2026-03-02T12:00:00.000Z',
};

const fields = {
  id: Type.String(),
  url: Type.String(),
  description: nullable(Type.String()),
  events: Type.Array(Type.String()),
  resource_ids: nullable(Type.Array(Type.String(), { description: 'Only events about these; null for all.' })),
  header_names: Type.Array(Type.String(), { description: 'Its own headers; their values are shown to nobody.' }),
  rate_limit: nullable(Type.Integer({ description: 'Most requests a second.' })),
  status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]),
  disabled_reason: nullable(
    Type.String({
      description:
        '`requested`: by a call. `gone`: it answered 410. `failing`: for days nothing that was sent there arrived.',
    }),
  ),
  disabled_at: nullable(Type.String()),
  secrets: Type.Array(
    objectOf('WebhookSecret', {
      id: Type.String(),
      created_at: Type.String(),
      expires_at: nullable(Type.String({ description: 'null for the current one.' })),
    }),
    { description: 'By which requests are signed, the newest first.' },
  ),
  created_at: Type.String(),
  updated_at: Type.String(),
};

export const webhookSchema = answerOf('Webhook', webhookExample, fields);
export const newWebhookSchema = answerOf(
  'NewWebhook',
  { ...webhookExample, secret: 'whsec_…' },
  { ...fields, secret: nullable(Type.String({ description: 'Shown here and never again.' })) },
);

export function presentWebhook(row: WebhookRow, secrets: readonly SecretRow[]) {
  const own = secrets.filter(({ webhook_id }) => webhook_id === row.id);
  return {
    ...{ id: row.id, url: row.url, description: row.description, events: row.events },
    ...{ resource_ids: row.resource_ids, header_names: row.header_names, rate_limit: row.rate_limit },
    ...{ status: row.status, disabled_reason: row.disabled_reason },
    disabled_at: row.disabled_at?.toISOString() ?? null,
    secrets: own.map(({ id, created_at, expires_at }) => ({
      ...{ id, created_at: created_at.toISOString(), expires_at: expires_at?.toISOString() ?? null },
    })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
