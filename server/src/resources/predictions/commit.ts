import type { Context } from '../../access/context.ts';
import type { Served } from '../../serving/serving.ts';
import { auditEntry } from '../../trail/audit-entry.ts';
import { type CommitItem, type RowSet, rowOf } from '../../trail/group-commit.ts';
import type { FoundBy } from './found-by.ts';

export type AnsweredPrediction = {
  readonly id: string;
  readonly served: Pick<Served, 'modelId' | 'versionId' | 'snapshotId' | 'alias'>;
  /** The moment that the answer is as of, as its outputs have it. */
  readonly asOf: string;
  /** The request's inputs and the answer's outputs, as JSON. */
  readonly inputs: string;
  readonly outputs: string;
  readonly foundBy: FoundBy;
  /** How long it took to compute. */
  readonly latencyMs: number;
};

const latencyDigits = 3;

type Kept = AnsweredPrediction & { readonly ctx: Context };

/** How predictions are written to their table, in the same commit as their audit entries. */
export const predictionRows: RowSet<Kept> = {
  table: 'predictions',
  columns: {
    id: { type: 'text', read: ({ id }) => id },
    organization_id: { type: 'text', read: ({ ctx }) => ctx.organizationId },
    workspace_id: { type: 'text', read: ({ ctx }) => ctx.workspaceId },
    model_id: { type: 'text', read: ({ served }) => served.modelId },
    version_id: { type: 'text', read: ({ served }) => served.versionId },
    snapshot_id: { type: 'text', read: ({ served }) => served.snapshotId },
    alias: { type: 'text', read: ({ served }) => served.alias },
    as_of: { type: 'timestamptz', read: ({ asOf }) => asOf },
    inputs: { type: 'jsonb', read: ({ inputs }) => inputs },
    outputs: { type: 'jsonb', read: ({ outputs }) => outputs },
    actor_id: { type: 'text', read: ({ ctx }) => ctx.actor.id },
    request_id: { type: 'text', read: ({ ctx }) => ctx.requestId },
    channel: { type: 'text', read: ({ ctx }) => ctx.channel },
    latency_ms: { type: 'real', read: ({ latencyMs }) => latencyMs.toFixed(latencyDigits) },
    band: { type: 'text', read: ({ foundBy }) => foundBy.band },
    tenth: { type: 'smallint', read: ({ foundBy }) => foundBy.tenth?.toString() ?? null },
    entity_table: { type: 'text', read: ({ foundBy }) => foundBy.entity?.table ?? null },
    entity_key: { type: 'text', read: ({ foundBy }) => foundBy.entity?.key ?? null },
  },
};

/** Returns what must be durable of a prediction before the answer is sent: its audit entry and its row. */
export function predictionItem(ctx: Context, answered: AnsweredPrediction): CommitItem {
  const { modelId, versionId, alias } = answered.served;
  const data = { model_id: modelId, version_id: versionId, alias };
  return {
    entry: auditEntry(ctx, 'prediction-request', { type: 'prediction', id: answered.id }, data),
    rows: [rowOf(predictionRows, { ...answered, ctx })],
  };
}
