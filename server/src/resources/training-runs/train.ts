import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { JobFailure } from '../job.ts';
import { nameOfTask } from '../tasks/name-of.ts';
import { tellInTurn } from '../tell-in-turn.ts';
import { watchOpen } from '../watch-open.ts';
import type { Learn } from './learn.ts';
import { learnTask } from './learn-task.ts';
import { pretrainEncoder } from './pretrain-encoder.ts';
import type { TrainingJob } from './queue.ts';
import { finishedStatuses, type RunRow } from './run.ts';
import { lockRun, selectRun, updateRun } from './sql.ts';

const minuteMs = 60_000;

/**
 * Runs a queued training run to its end. Idempotent: it may run again after a crash, and does nothing once the run has
 * ended. Throws Failure when nothing can be learned.
 */
export async function trainRun(app: App, job: TrainingJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!row) return;
  const folder = join(app.workFolder, `${job.id}-${row.attempt}`);
  const watched = watchOpen(app.log, async () => {
    const now = await tenant(app.db, ctx, (tx) => selectRun(tx, job.id));
    return now !== undefined && !finishedStatuses.includes(now.status);
  });
  const begun = performance.now();
  try {
    await mkdir(folder, { recursive: true });
    const signal = AbortSignal.any([stop, watched.signal]);
    const learn = row.entity === null ? learnTask : pretrainEncoder;
    const tell: Parameters<Learn>[0]['tell'] = tellInTurn(
      app.log.child({ run: job.id }),
      ({ phase, fraction, metrics }) => {
        const change = { phase, fraction, ...(metrics && { metrics: JSON.stringify(metrics) }) };
        return tenant(app.db, ctx, (tx) => updateRun(tx, job.id, change));
      },
    );
    const keep = await learn({ app, ctx, row, folder, signal, tell });
    await tenant(app.db, ctx, async (tx) => {
      const current = await lockRun(tx, job.id);
      if (current?.status !== 'running') return;
      const kept = await keep(tx, current);
      // Of this attempt alone: what an earlier one took before its worker was lost is nobody's.
      const minutes = Math.ceil((performance.now() - begun) / minuteMs);
      const about = { minutes, model_id: kept.model_id ?? current.model_id, version_id: kept.version_id ?? null };
      await end(tx, ctx, job.id, 'succeeded', { ...kept, fraction: 1, phase: null }, about);
    });
  } catch (error) {
    if (!watched.signal.aborted) throw error;
  } finally {
    watched.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends a run as failed, unless it has already ended, and has people told of it. */
export async function failRun(app: App, { id, workspace_id }: TrainingJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, async (tx) => {
    if (!(await end(tx, ctx, id, 'failed', { failure: JSON.stringify(failure) }))) return;
    const { task_id, entity } = (await selectRun(tx, id))!;
    const name = task_id === null ? undefined : await nameOfTask(tx, task_id);
    const about = { code: failure.code, ...(name && { name }), ...(entity !== null && { entity }) };
    await record(tx, ctx, 'training-run-failure', { type: 'training_run', id }, about);
  });
}

async function begin(tx: Tx, ctx: Context, id: string): Promise<RunRow | null> {
  const row = await lockRun(tx, id);
  if (!row || !['queued', 'running'].includes(row.status)) return null;
  if (row.status === 'queued')
    await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status: 'running' });
  await updateRun(tx, id, {
    status: 'running',
    attempt: row.attempt + 1,
    started_at: row.started_at ?? new Date(),
    phase: 'starting',
    // What an attempt before this one had learned went with its process.
    fraction: 0,
  });
  return (await selectRun(tx, id))!;
}

/** Ends a run; returns false where it had ended already. */
async function end(
  tx: Tx,
  ctx: Context,
  id: string,
  status: 'succeeded' | 'failed',
  change: Parameters<typeof updateRun>[2],
  about: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  if (!(await updateRun(tx, id, { ...change, status, finished_at: new Date() }))) return false;
  await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status, ...about });
  return true;
}
