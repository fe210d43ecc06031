import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { createdBySchema, presentCreator } from '../../api/created-by.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { TrainingRuns } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';
import { dataUntilSchema, warningSchema } from '../models/model.ts';
import { type InTurn, startEta, startEtaSchema, waitsFor, waitsForSchema } from '../turns/turn.ts';
import { runExample } from './example.ts';
import { runsPerWorkspace } from './queue.ts';

export type RunRow = Selectable<TrainingRuns>;
/** What is known of a run from elsewhere: when its data were taken in, and the number of the version that it made. */
export type Origin = { readonly snapshot_created_at: Date; readonly version_number: number | null };
export type RunInTurn = InTurn<RunRow & Origin>;

export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
export const finishedStatuses: readonly string[] = ['succeeded', 'failed', 'interrupted'];

export const runSchema = answerOf('TrainingRun', runExample, {
  id: Type.String(),
  task_id: nullable(Type.String()),
  entity: nullable(Type.String({ description: 'The table whose encoder is pre-trained.' })),
  model_id: nullable(Type.String()),
  version_id: nullable(Type.String()),
  version_number: nullable(
    Type.Integer({ description: 'The number of the version that it made, while there is one.' }),
  ),
  rfm_version_id: nullable(Type.String()),
  gfm_version_id: nullable(Type.String({ description: 'The version of the graph model that what is made may read.' })),
  snapshot_id: Type.String({ description: 'The data that it reads.' }),
  snapshot_created_at: Type.String({ description: 'When these data were taken in.' }),
  data_until: dataUntilSchema,
  contract_id: Type.String(),
  contract_number: Type.Integer({ description: 'The number of the contract that the data it reads are under.' }),
  pretrain: Type.Boolean({ description: 'Whether an encoder of the entity is pre-trained first.' }),
  feedback: Type.Boolean({ description: "Whether the encoder of the task's table is fine-tuned on its labels." }),
  alias: nullable(
    Type.String({ description: 'Pointed at the version once it is active, unless warnings says otherwise.' }),
  ),
  accept_input_changes: Type.Boolean({
    description: 'Whether the alias moves to a version by which its callers would be refused.',
  }),
  hold_back_worse: Type.Boolean({
    description:
      'Whether the alias is kept from a version whose first output, or that of its score, is surely worse than what takes no learning.',
  }),
  status: Type.String({ enum: [...runStatuses] }),
  runs_before: nullable(
    Type.Integer({
      minimum: 0,
      description:
        'Of a queued run: runs of the workspace before it, of which one runs at a time. 0: it is the next one, and begins once there is room beside other workspaces.',
    }),
  ),
  waits_for: waitsForSchema,
  start_eta: startEtaSchema,
  phase: nullable(
    Type.String({
      description:
        "What it does now. Of a queued run 'waiting for its turn' behind others of its workspace, or 'waiting for the machine', which has other work.",
    }),
  ),
  fraction: Type.Number({ minimum: 0, maximum: 1 }),
  eta: nullable(
    Type.String({ description: 'When it will have finished, as far as can be told: not before half of it is done.' }),
  ),
  metrics: Type.Unknown({ description: 'What is known so far of how good the model is, by output.' }),
  warnings: Type.Array(warningSchema, { description: 'What a person should look at before trusting what it made.' }),
  failure: nullable(failureSchema),
  created_by: createdBySchema,
  created_at: Type.String(),
  started_at: nullable(Type.String()),
  finished_at: nullable(Type.String()),
});

/**
 * Below this fraction the time left cannot be estimated: until then most of what took time is reading and choosing,
 * which says nothing of how long learning takes.
 */
const etaFromFraction = 0.5;

function phaseOfQueued({ turn }: RunInTurn): string {
  return turn?.before ? 'waiting for its turn' : 'waiting for the machine';
}

export function presentRun(row: RunInTurn) {
  const started = row.started_at?.getTime();
  const isRunning = row.status === 'running' && started !== undefined && row.fraction >= etaFromFraction;
  const eta = isRunning ? new Date(started + (Date.now() - started) / row.fraction).toISOString() : null;
  return {
    id: row.id,
    task_id: row.task_id,
    entity: row.entity,
    model_id: row.model_id,
    version_id: row.version_id,
    version_number: row.version_number,
    rfm_version_id: row.rfm_version_id,
    gfm_version_id: row.gfm_version_id,
    snapshot_id: row.snapshot_id,
    snapshot_created_at: row.snapshot_created_at.toISOString(),
    data_until: row.data_until,
    contract_id: row.contract_id,
    contract_number: row.contract_number,
    pretrain: row.pretrain,
    feedback: row.feedback,
    alias: row.alias,
    accept_input_changes: row.accept_input_changes,
    hold_back_worse: row.hold_back_worse,
    status: row.status,
    runs_before: row.turn?.before ?? null,
    waits_for: waitsFor(row, row.phase, runsPerWorkspace),
    start_eta: startEta(row, runsPerWorkspace),
    phase: row.status === 'queued' ? phaseOfQueued(row) : row.phase,
    fraction: Math.round(row.fraction * 1000) / 1000,
    eta,
    metrics: row.metrics,
    warnings: row.warnings,
    failure: row.failure,
    created_by: presentCreator(row),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
