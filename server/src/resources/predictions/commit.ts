import { hash } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import { engine } from '../../serving/engine.ts';
import type { Served } from '../../serving/serving.ts';
import { auditEntry } from '../../trail/audit-entry.ts';
import { type CommitItem, type RowSet, rowOf } from '../../trail/group-commit.ts';
import type { Answered, Question } from './answer.ts';

export type AnsweredPrediction = {
  readonly question: Question;
  readonly served: Pick<Served, 'modelId' | 'versionId' | 'snapshotId' | 'alias'>;
  readonly answered: Answered;
  /** How long it took to compute. */
  readonly latencyMs: number;
};

const latencyDigits = 3;

type Kept = AnsweredPrediction & { readonly ctx: Context };

/** How predictions are written to their table, in the same commit as their audit entries. */
export const predictionRows: RowSet<Kept> = {
  table: 'predictions',
  columns: {
    id: { type: 'text', read: ({ question }) => question.id },
    organization_id: { type: 'text', read: ({ ctx }) => ctx.organizationId },
    workspace_id: { type: 'text', read: ({ ctx }) => ctx.workspaceId },
    model_id: { type: 'text', read: ({ served }) => served.modelId },
    version_id: { type: 'text', read: ({ served }) => served.versionId },
    snapshot_id: { type: 'text', read: ({ served }) => served.snapshotId },
    alias: { type: 'text', read: ({ served }) => served.alias },
    as_of: { type: 'timestamptz', read: ({ answered }) => answered.asOf },
    inputs: { type: 'jsonb', read: ({ answered }) => JSON.stringify(answered.kept) },
    outputs: { type: 'jsonb', read: ({ answered }) => answered.outputs },
    outputs_sha256: { type: 'text', read: ({ answered }) => hash('sha256', answered.outputs) },
    time_zone: { type: 'text', read: ({ question }) => question.timeZone },
    language: { type: 'text', read: ({ question }) => question.language },
    include: { type: 'text', read: ({ question }) => [...question.include].join(',') },
    engine: { type: 'text', read: () => engine },
    actor_id: { type: 'text', read: ({ ctx }) => ctx.actor.id },
    request_id: { type: 'text', read: ({ ctx }) => ctx.requestId },
    channel: { type: 'text', read: ({ ctx }) => ctx.channel },
    latency_ms: { type: 'real', read: ({ latencyMs }) => latencyMs.toFixed(latencyDigits) },
    band: { type: 'text', read: ({ answered: { foundBy } }) => foundBy.band },
    tenth: { type: 'smallint', read: ({ answered: { foundBy } }) => foundBy.tenth?.toString() ?? null },
    entity_table: { type: 'text', read: ({ answered: { foundBy } }) => foundBy.entity?.table ?? null },
    entity_key: { type: 'text', read: ({ answered: { foundBy } }) => foundBy.entity?.key ?? null },
    row_table: { type: 'text', read: ({ answered: { foundBy } }) => foundBy.row?.table ?? null },
    row_key: { type: 'text', read: ({ answered: { foundBy } }) => foundBy.row?.key ?? null },
  },
};

/** Returns what must be durable of a prediction before the answer is sent: its audit entry and its row. */
export function predictionItem(ctx: Context, prediction: AnsweredPrediction): CommitItem {
  const { modelId, versionId, alias } = prediction.served;
  const data = { model_id: modelId, version_id: versionId, alias };
  return {
    entry: auditEntry(ctx, 'prediction-request', { type: 'prediction', id: prediction.question.id }, data),
    rows: [rowOf(predictionRows, { ...prediction, ctx })],
  };
}
