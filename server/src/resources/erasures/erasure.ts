import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Erasures } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';

export type ErasureRow = Selectable<Erasures>;

const erasureExample = {
  id: 'era_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  status: 'succeeded',
  erased: {
    identifiers: 1,
    predictions: 3,
    files: ['file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5'],
    label_files: [],
    snapshots: [],
    batches: ['bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5'],
    evaluations: [],
  },
  failure: null,
  created_at: '2026-01-31T12:00:00.000Z',
  finished_at: '2026-01-31T12:00:21.318Z',
};

export const erasureSchema = answerOf('Erasure', erasureExample, {
  id: Type.String(),
  status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed', 'interrupted'] }),
  erased: Type.Object(
    {
      identifiers: Type.Optional(Type.Integer()),
      predictions: Type.Optional(Type.Integer()),
      files: Type.Optional(Type.Array(Type.String())),
      label_files: Type.Optional(Type.Array(Type.String())),
      snapshots: Type.Optional(Type.Array(Type.String())),
      batches: Type.Optional(Type.Array(Type.String())),
      evaluations: Type.Optional(Type.Array(Type.String())),
    },
    {
      description:
        'What went: dictionary entries, answered predictions, uploaded files that named it, results of batches and evaluations. Files with labels of tasks stay, without the rows that named it; older snapshots that kept the name as text lose their rows.',
    },
  ),
  failure: nullable(failureSchema),
  created_at: Type.String(),
  finished_at: nullable(Type.String()),
});

export function presentErasure(row: ErasureRow) {
  return {
    id: row.id,
    status: row.status,
    erased: row.erased,
    failure: row.failure,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
