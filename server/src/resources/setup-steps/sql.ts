import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

export const setupStatuses = ['waiting', 'running', 'ready', 'failed'] as const;
type SetupStatus = (typeof setupStatuses)[number];

/** What a step waits for, and what comes of it. */
export type SetupChange = {
  readonly status: SetupStatus;
  readonly ingestionId?: string;
  readonly trainingRunId?: string;
  readonly modelId?: string;
  /** Why it failed. */
  readonly detail?: string;
};

/** Adds steps that wait, in this order, unless they are there. */
export async function insertSteps(
  tx: Tx,
  { workspaceId, organizationId }: Context,
  steps: readonly string[],
): Promise<void> {
  await tx
    .insertInto('setup_steps')
    .values(
      steps.map((step, position) => ({ workspace_id: workspaceId, organization_id: organizationId, step, position })),
    )
    .onConflict((conflict) => conflict.columns(['workspace_id', 'step']).doNothing())
    .execute();
}

/** Changes a step. What it waits for stays as it was where the change does not name it. */
export async function updateStep(tx: Tx, { workspaceId }: Context, step: string, change: SetupChange): Promise<void> {
  const { status, ingestionId, trainingRunId, modelId, detail = null } = change;
  await tx
    .updateTable('setup_steps')
    .set({
      ...{ status, detail, updated_at: new Date() },
      ...(ingestionId === undefined ? {} : { ingestion_id: ingestionId }),
      ...(trainingRunId === undefined ? {} : { training_run_id: trainingRunId }),
      ...(modelId === undefined ? {} : { model_id: modelId }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('step', '=', step)
    .execute();
}

export type SetupStepRow = Awaited<ReturnType<typeof selectSteps>>[number];

/** The steps of a workspace in their order, with how far the work is that they wait for. */
export async function selectSteps(tx: Tx, { workspaceId }: Context) {
  return tx
    .selectFrom('setup_steps as step')
    .leftJoin('ingestions as ingestion', (join) =>
      join.onRef('ingestion.workspace_id', '=', 'step.workspace_id').onRef('ingestion.id', '=', 'step.ingestion_id'),
    )
    .leftJoin('training_runs as run', (join) =>
      join.onRef('run.workspace_id', '=', 'step.workspace_id').onRef('run.id', '=', 'step.training_run_id'),
    )
    .leftJoin('models as model', (join) =>
      join.onRef('model.workspace_id', '=', 'step.workspace_id').onRef('model.id', '=', 'step.model_id'),
    )
    .select([
      ...(['step.step', 'step.status', 'step.detail', 'step.updated_at'] as const),
      ...(['step.ingestion_id', 'step.training_run_id', 'model.id as model_id'] as const),
      ...([
        'ingestion.progress as ingestion_progress',
        'run.phase as run_phase',
        'run.fraction as run_fraction',
      ] as const),
    ])
    .where('step.workspace_id', '=', workspaceId)
    .orderBy('step.position')
    .execute();
}
