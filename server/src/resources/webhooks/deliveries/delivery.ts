import { Type } from 'typebox';
import { answerOf, objectOf } from '../../../api/named.ts';
import { nullable } from '../../../api/nullable.ts';
import type { AttemptRow, DeliveryRow } from './sql.ts';

export const deliveryStatuses = ['queued', 'running', 'succeeded', 'failed', 'skipped', 'canceled'] as const;

const example = {
  id: 'whd_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  webhook_id: 'whk_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  message_id: 'msg_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  event_id: 'evt_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  event_type: 'batch-lifecycle',
  trigger: 'auto',
  replay_of: null,
  recovery_id: null,
  status: 'succeeded',
  attempt_count: 1,
  next_attempt_at: null,
  created_at: '2026-03-02T12:00:00.000Z',
  finished_at: '2026-03-02T12:00:00.210Z',
};

const fields = {
  id: Type.String(),
  webhook_id: Type.String(),
  message_id: Type.String({ description: 'What requests carry as webhook-id: the same whenever it is sent again.' }),
  event_id: Type.String(),
  event_type: Type.String(),
  trigger: Type.String({ enum: ['auto', 'manual', 'recover', 'test'] }),
  replay_of: nullable(Type.String({ description: 'The delivery that was sent again by this one.' })),
  recovery_id: nullable(Type.String()),
  status: Type.String({
    enum: [...deliveryStatuses],
    description:
      '`skipped`: the webhook was disabled, or too much waited for it; it can be replayed. `canceled`: it was deleted.',
  }),
  attempt_count: Type.Integer(),
  next_attempt_at: nullable(Type.String({ description: 'When it is sent at the earliest.' })),
  created_at: Type.String(),
  finished_at: nullable(Type.String()),
};

const milliseconds = nullable(Type.Number({ description: 'Milliseconds since the attempt began.' }));
const attemptSchema = objectOf('WebhookAttempt', {
  number: Type.Integer(),
  started_at: Type.String(),
  finished_at: Type.String(),
  succeeded: Type.Boolean(),
  url: Type.String({ description: 'As it was at that moment.' }),
  remote_ip: nullable(Type.String()),
  dns_ms: milliseconds,
  connect_ms: milliseconds,
  tls_ms: milliseconds,
  first_byte_ms: milliseconds,
  total_ms: Type.Number(),
  status_code: nullable(Type.Integer()),
  error_class: nullable(Type.String({ description: 'What went wrong, of a closed list.' })),
  error: nullable(Type.String({ description: 'The same in words.' })),
  response_headers: nullable(Type.Record(Type.String(), Type.String())),
  response_body: nullable(Type.String({ description: 'The first 4 KiB of it.' })),
});

const attemptExample = {
  number: 1,
  started_at: '2026-03-02T12:00:00.100Z',
  finished_at: '2026-03-02T12:00:00.210Z',
  succeeded: true,
  url: 'https://hooks.example.com/lastro',
  remote_ip: '198.51.100.7',
  ...{ dns_ms: 4, connect_ms: 31, tls_ms: 65, first_byte_ms: 108, total_ms: 110 },
  ...{ status_code: 204, error_class: null, error: null, response_headers: { server: 'hooks' }, response_body: '' },
};

export const deliverySchema = answerOf('WebhookDelivery', example, fields);
export const deliveryDetailSchema = answerOf(
  'WebhookDeliveryDetail',
  { ...example, body: '{"id":"evt_019f2e0c51b27c4e8a5d6f7a8b9c0d1e"}', attempts: [attemptExample] },
  {
    ...fields,
    body: nullable(Type.String({ description: 'What is sent, as it is signed; null once it is no longer kept.' })),
    attempts: Type.Array(attemptSchema),
  },
);

export function presentDelivery(row: DeliveryRow) {
  return {
    ...{ id: row.id, webhook_id: row.webhook_id, message_id: row.message_id, event_id: row.event_id },
    ...{ event_type: row.event_type, trigger: row.trigger, replay_of: row.replay_of, recovery_id: row.recovery_id },
    ...{ status: row.status, attempt_count: row.attempts },
    next_attempt_at: row.status === 'queued' ? row.run_at.toISOString() : null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

export function presentAttempt(row: AttemptRow) {
  const { delivery_id: _, organization_id: __, workspace_id: ___, webhook_id: ____, trigger: _____, ...attempt } = row;
  return { ...attempt, started_at: row.started_at.toISOString(), finished_at: row.finished_at.toISOString() };
}
