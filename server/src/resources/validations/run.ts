import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { JobFailure } from '../job.ts';
import { requireModel, requireVersion } from '../models/require.ts';
import { tellInTurn } from '../tell-in-turn.ts';
import { watchOpen } from '../watch-open.ts';
import type { ValidateProgress } from './compute.ts';
import { judgeVersion } from './judge.ts';
import type { ValidationJob } from './queue.ts';
import { recordVerdict } from './record-verdict.ts';
import { lockValidation, selectStoredVersion, selectValidation, updateValidation } from './sql.ts';
import { finishedStatuses, type ValidationRow } from './validation.ts';

/**
 * Runs a queued validation to its end. Idempotent: it may run again after a crash, and does nothing once the validation
 * has ended. Throws Failure when the version cannot be validated.
 */
export async function runValidation(app: App, job: ValidationJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!row) return;
  const folder = join(app.workFolder, `${job.id}-${row.attempt}`);
  const watched = watchOpen(app.log, async () => {
    const now = await tenant(app.db, ctx, (tx) => selectValidation(tx, job.id));
    return now !== undefined && !finishedStatuses.includes(now.status);
  });
  try {
    await mkdir(folder, { recursive: true });
    const tell = tellInTurn<ValidateProgress>(app.log.child({ validation: row.id }), ({ phase, fraction }) =>
      tenant(app.db, ctx, (tx) => updateValidation(tx, row.id, { phase, fraction })),
    );
    const judged = await tenant(app.db, ctx, async (tx) => ({
      version: await selectStoredVersion(tx, row.version_id),
      taskId: (await requireModel(tx, row.model_id)).task_id,
      warnings: (await requireVersion(tx, row.model_id, row.version_id)).warnings,
      compareWith: row.compare_with_version_id,
      snapshotId: row.snapshot_id,
      earlierSnapshotId: row.earlier_snapshot_id,
      segments: row.segments,
      asOf: row.as_of,
      timeZone: row.time_zone,
    }));
    const report = await judgeVersion(app, ctx, judged, {
      ...{ folder, about: { validation: row.id }, tell },
      signal: AbortSignal.any([stop, watched.signal]),
    });
    await tenant(app.db, ctx, async (tx) => {
      const result = JSON.stringify(report);
      const { verdict } = report;
      if (!(await end(tx, ctx, row, 'succeeded', { result, verdict, fraction: 1, phase: null }))) return;
      await recordVerdict(tx, ctx, row, report);
    });
  } catch (error) {
    if (!watched.signal.aborted) throw error;
  } finally {
    watched.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends a validation as failed, unless it has already ended. */
export async function failValidation(
  app: App,
  { id, workspace_id }: ValidationJob,
  failure: JobFailure,
): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, async (tx) => {
    const row = await selectValidation(tx, id);
    if (row) await end(tx, ctx, row, 'failed', { failure: JSON.stringify(failure) });
  });
}

async function begin(tx: Tx, ctx: Context, id: string): Promise<ValidationRow | null> {
  const row = await lockValidation(tx, id);
  if (!row || finishedStatuses.includes(row.status)) return null;
  const { model_id, version_id } = row;
  if (row.status === 'queued') {
    const about = { status: 'running', model_id, version_id } as const;
    await record(tx, ctx, 'validation-lifecycle', { type: 'validation', id }, about);
  }
  await updateValidation(tx, id, {
    status: 'running',
    attempt: row.attempt + 1,
    started_at: row.started_at ?? new Date(),
    phase: 'starting',
  });
  return (await selectValidation(tx, id))!;
}

async function end(
  tx: Tx,
  ctx: Context,
  { id, model_id, version_id }: ValidationRow,
  status: 'succeeded' | 'failed',
  change: Parameters<typeof updateValidation>[2],
): Promise<boolean> {
  if (!(await updateValidation(tx, id, { ...change, status, finished_at: new Date() }))) return false;
  await record(tx, ctx, 'validation-lifecycle', { type: 'validation', id }, { status, model_id, version_id });
  return true;
}
