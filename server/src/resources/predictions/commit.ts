import type { Context } from '../../tenancy/context.ts';
import type { Database } from '../../tenancy/doors.ts';
import { type AuditItem, type GroupCommit, openGroupCommit } from '../../tenancy/group-commit.ts';
import type { Served } from '../models/serving.ts';

export type AnsweredPrediction = {
  readonly id: string;
  readonly served: Pick<Served, 'modelId' | 'versionId' | 'snapshotId' | 'alias'>;
  readonly asOf: Date;
  /** JSON, as asked and answered. */
  readonly inputs: string;
  readonly outputs: string;
};

/** An answered prediction and its audit entry. */
export type PredictionItem = AuditItem & AnsweredPrediction;

/** An item of what was answered. */
export function predictionItem(ctx: Context, answered: AnsweredPrediction): PredictionItem {
  const { id, served } = answered;
  return {
    ...answered,
    ctx,
    action: 'prediction-consumption',
    target: { type: 'prediction', id },
    data: JSON.stringify({ model_id: served.modelId, version_id: served.versionId, alias: served.alias }),
  };
}

/** Makes answered predictions and their audit entries durable, those that arrive together in one transaction. */
export function openPredictionCommit(db: Database): GroupCommit<PredictionItem> {
  return openGroupCommit<PredictionItem>(db, 'predictions', {
    id: { type: 'text', read: ({ target }) => target.id },
    organization_id: { type: 'text', read: ({ ctx }) => ctx.organizationId },
    workspace_id: { type: 'text', read: ({ ctx }) => ctx.workspaceId },
    model_id: { type: 'text', read: ({ served }) => served.modelId },
    version_id: { type: 'text', read: ({ served }) => served.versionId },
    snapshot_id: { type: 'text', read: ({ served }) => served.snapshotId },
    alias: { type: 'text', read: ({ served }) => served.alias },
    as_of: { type: 'timestamptz', read: ({ asOf }) => asOf.toISOString() },
    inputs: { type: 'jsonb', read: ({ inputs }) => inputs },
    outputs: { type: 'jsonb', read: ({ outputs }) => outputs },
    actor_id: { type: 'text', read: ({ ctx }) => ctx.actor.id },
    request_id: { type: 'text', read: ({ ctx }) => ctx.requestId },
  });
}
