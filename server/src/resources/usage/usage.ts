import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { meterNames } from '../meters/meter.ts';
import type { RecordRow, UsageSum } from './sql.ts';

const sumExample = {
  meter: 'predictions',
  quantity: 12_345,
  day: '2026-03-02',
  month: null,
  workspace_id: null,
  model_id: null,
  version_id: null,
};

const ofGroup = (of: string) => nullable(Type.String({ description: `Set where the sums are by ${of}.` }));

export const usageSchema = answerOf('Usage', sumExample, {
  meter: Type.String({ enum: [...meterNames] }),
  quantity: Type.Integer({ description: 'In the unit of the meter.' }),
  day: ofGroup('day'),
  month: ofGroup('month'),
  workspace_id: ofGroup('workspace'),
  model_id: nullable(
    Type.String({ description: 'Set where the sums are by model or version, and what was used was of one.' }),
  ),
  version_id: nullable(Type.String({ description: 'As model_id; of embeddings, the version of the encoder.' })),
});

export function presentSum({ id: _, ...sum }: UsageSum) {
  return sum;
}

const recordExample = {
  id: 'aud_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  recorded_at: '2026-03-02T12:00:00.000Z',
  workspace_id: 'ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  meter: 'predictions',
  quantity: 1,
  model_id: 'mdl_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  version_id: 'ver_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  actor: { type: 'api_key', id: 'key_019f2e0c51b27c4e8a5d6f7a8b9c0d1e', label: 'scoring' },
  channel: 'api',
  request_id: 'req_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  target: { type: 'prediction', id: 'prd_019f2e0c51b27c4e8a5d6f7a8b9c0d1e' },
};

export const recordSchema = answerOf('UsageRecord', recordExample, {
  id: Type.String({ description: 'That of its entry in the audit trail.' }),
  recorded_at: Type.String(),
  workspace_id: Type.String(),
  meter: Type.String({ enum: [...meterNames] }),
  quantity: Type.Integer(),
  model_id: nullable(Type.String()),
  version_id: nullable(Type.String()),
  actor: Type.Object({
    type: Type.String(),
    id: nullable(Type.String()),
    label: nullable(Type.String({ description: 'Null once it was taken out of the audit trail.' })),
  }),
  channel: Type.String(),
  request_id: nullable(Type.String()),
  target: Type.Object({ type: nullable(Type.String()), id: nullable(Type.String()) }),
});

export function presentRecord(row: RecordRow) {
  return {
    id: row.id,
    recorded_at: row.recorded_at!.toISOString(),
    workspace_id: row.workspace_id!,
    meter: row.meter!,
    quantity: row.quantity!,
    model_id: row.model_id,
    version_id: row.version_id,
    actor: { type: row.actor_type!, id: row.actor_id, label: row.actor_label },
    channel: row.channel!,
    request_id: row.request_id,
    target: { type: row.target_type, id: row.target_id },
  };
}
