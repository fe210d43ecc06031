import { Type } from 'typebox';
import { answerOf } from '../../../api/named.ts';
import { nullable } from '../../../api/nullable.ts';
import { failureSchema } from '../../job.ts';
import type { RecoveryRow } from './sql.ts';

const example = {
  id: 'whr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  webhook_id: 'whk_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  since: '2026-03-02T12:00:00.000Z',
  until: '2026-03-02T18:00:00.000Z',
  status: 'running',
  total: 25_000,
  queued: 12_500,
  expired: 0,
  failure: null,
  created_at: '2026-03-02T18:00:00.000Z',
  finished_at: null,
};

export const recoverySchema = answerOf('WebhookRecovery', example, {
  id: nullable(Type.String({ description: 'null for a dry run.' })),
  webhook_id: Type.String(),
  since: Type.String(),
  until: Type.String(),
  status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed', 'dry_run'] }),
  total: Type.Integer({ description: 'Deliveries that never arrived, as counted when it was asked for.' }),
  queued: Type.Integer({ description: 'Those that have been made ready to be sent again so far.' }),
  expired: Type.Integer({ description: 'Those that cannot be sent again: their bytes are no longer kept.' }),
  failure: nullable(failureSchema),
  created_at: nullable(Type.String()),
  finished_at: nullable(Type.String()),
});

export function presentRecovery(row: RecoveryRow) {
  return {
    ...{ id: row.id, webhook_id: row.webhook_id, since: row.since.toISOString(), until: row.until.toISOString() },
    ...{ status: row.status, total: row.total, queued: row.queued, expired: row.expired },
    failure: row.failure,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
