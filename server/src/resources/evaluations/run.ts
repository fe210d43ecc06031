import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import type { ColumnMapping } from '../../ml/version/other-names.ts';
import { readableUntil } from '../../serving/as-of.ts';
import { selectStoredGfms } from '../../serving/graph-models.ts';
import { currentIdentifiers, requireSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { placeTargets } from '../batches/place-targets.ts';
import { localName } from '../files/ending.ts';
import { requireUploaded } from '../files/require.ts';
import { type JobFailure, leaves, waitingPhase } from '../job.ts';
import { tellInTurn } from '../tell-in-turn.ts';
import { watchOpen } from '../watch-open.ts';
import type { EvaluateProgress, EvaluateTask, evaluate } from './compute.ts';
import { type EvaluatedModel, type EvaluationRow, finishedStatuses } from './evaluation.ts';
import type { EvaluationJob } from './queue.ts';
import { lockEvaluation, selectEvaluation, selectStoredVersions, updateEvaluation } from './sql.ts';

/**
 * Runs a queued evaluation to its end. Idempotent: it may run again after a crash, and does nothing once the evaluation
 * has ended. Throws Failure when the file cannot be evaluated.
 */
export async function runEvaluation(app: App, job: EvaluationJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!row) return;
  const folder = join(app.workFolder, `${job.id}-${row.attempt}`);
  const watched = watchOpen(app.log, async () => {
    const now = await tenant(app.db, ctx, (tx) => selectEvaluation(tx, job.id));
    return now !== undefined && !finishedStatuses.includes(now.status);
  });
  try {
    await mkdir(folder, { recursive: true });
    const tell = tellInTurn<EvaluateProgress>(app.log.child({ evaluation: row.id }), ({ phase, fraction }) =>
      tenant(app.db, ctx, (tx) => updateEvaluation(tx, row.id, { phase, fraction })),
    );
    const report = await app.compute!.run<typeof evaluate>(
      { name: 'evaluate', input: await makeTask(app, ctx, row, folder) },
      {
        signal: AbortSignal.any([stop, watched.signal]),
        group: ctx.workspaceId,
        leaves: leaves.evaluation,
        folder,
        about: { workspace: ctx.workspaceId, evaluation: row.id },
        onWait: () => tell({ phase: waitingPhase, fraction: 0 }),
        onProgress: tell,
      },
    );
    const result = JSON.stringify(report);
    await tenant(app.db, ctx, (tx) => end(tx, ctx, row.id, 'succeeded', { result, fraction: 1, phase: null }));
  } catch (error) {
    if (!watched.signal.aborted) throw error;
  } finally {
    watched.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends an evaluation as failed, unless it has already ended. */
export async function failEvaluation(
  app: App,
  { id, workspace_id }: EvaluationJob,
  failure: JobFailure,
): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, (tx) => end(tx, ctx, id, 'failed', { failure: JSON.stringify(failure) }));
}

async function begin(tx: Tx, ctx: Context, id: string): Promise<EvaluationRow | null> {
  const row = await lockEvaluation(tx, id);
  if (!row || finishedStatuses.includes(row.status)) return null;
  if (row.status === 'queued')
    await record(tx, ctx, 'evaluation-lifecycle', { type: 'evaluation', id }, { status: 'running' });
  await updateEvaluation(tx, id, {
    status: 'running',
    attempt: row.attempt + 1,
    started_at: row.started_at ?? new Date(),
    phase: 'starting',
  });
  return (await selectEvaluation(tx, id))!;
}

async function end(
  tx: Tx,
  ctx: Context,
  id: string,
  status: 'succeeded' | 'failed',
  change: Parameters<typeof updateEvaluation>[2],
): Promise<void> {
  if (!(await updateEvaluation(tx, id, { ...change, status, finished_at: new Date() }))) return;
  const { model_id, version_id } = (await selectEvaluation(tx, id))!.model as EvaluatedModel;
  await record(tx, ctx, 'evaluation-lifecycle', { type: 'evaluation', id }, { status, model_id, version_id });
}

/** Fetches everything that the evaluation reads into local files. */
async function makeTask(app: App, ctx: Context, row: EvaluationRow, folder: string): Promise<EvaluateTask> {
  const ids = [row.model, row.compare_with].flatMap((one) => (one === null ? [] : (one as EvaluatedModel).version_id));
  const { source, snapshot, names, versions, graphModels } = await tenant(app.db, ctx, async (tx) => {
    const versions = await selectStoredVersions(tx, ids);
    return {
      source: await requireUploaded(tx, row.file_id),
      snapshot: await requireSnapshot(tx, row.snapshot_id),
      names: await currentIdentifiers(tx, ctx),
      versions,
      graphModels: await selectStoredGfms(tx, versions),
    };
  });
  const local = await localSnapshot(app.storage, snapshot, names);
  // Under its own ending, which says its format where its content does not.
  const path = join(folder, localName(source.path, source.content_type));
  await symlink(await app.storage.localPath(source.storage_key, source.sha256), path);
  const [model, compareWith] = ids.map((id) => versions.findIndex((version) => version.id === id));
  return {
    ...{ path, name: row.path, segments: row.segments, columnMapping: row.column_mapping as ColumnMapping },
    data: { id: `${snapshot.id} ${names}`, frozen: local.frozen, identifiers: local.names },
    targets: await placeTargets(app, folder, versions, graphModels),
    model,
    compareWith: compareWith ?? null,
    until: readableUntil(row.time_zone, row.as_of.getTime()),
  };
}
