import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { type SetupStepRow, setupStatuses } from './sql.ts';

export const setupStepExample = {
  step: 'credit',
  status: 'running',
  phase: 'features',
  fraction: 0.4,
  detail: null,
  ingestion_id: null,
  training_run_id: 'run_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  model_id: null,
  updated_at: '2026-03-02T12:00:00.000Z',
};

export const setupStepSchema = answerOf('SetupStep', setupStepExample, {
  step: Type.String(),
  status: Type.String({ enum: [...setupStatuses] }),
  phase: nullable(Type.String({ description: 'Of the ingestion or the training run, while it runs.' })),
  fraction: nullable(Type.Number({ description: 'How far the training run is, from 0 to 1.' })),
  detail: nullable(Type.String({ description: 'Why it failed; the next start of the service tries again.' })),
  ingestion_id: nullable(Type.String()),
  training_run_id: nullable(Type.String()),
  model_id: nullable(Type.String({ description: 'The model that it made, unless that was deleted.' })),
  updated_at: Type.String(),
});

export function presentSetupStep(row: SetupStepRow) {
  const isRunning = row.status === 'running';
  return {
    step: row.step,
    status: row.status,
    phase: isRunning ? (row.run_phase ?? row.ingestion_progress?.phase ?? null) : null,
    fraction: isRunning ? row.run_fraction : null,
    detail: row.detail,
    ingestion_id: row.ingestion_id,
    training_run_id: row.training_run_id,
    model_id: row.model_id,
    updated_at: row.updated_at.toISOString(),
  };
}
