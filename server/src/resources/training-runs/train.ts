import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { wallClock } from '../../lib/time-zone.ts';
import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { type Tx, tenant } from '../../tenancy/doors.ts';
import { workspaceContext } from '../../tenancy/workspace.ts';
import type { App } from '../app.ts';
import { requireContract } from '../contracts/require.ts';
import { localName } from '../files/ending.ts';
import { requireUploaded } from '../files/require.ts';
import { currentIdentifiers, requireSnapshot } from '../ingestions/snapshot.ts';
import { type JobFailure, longTasksLeave } from '../job.ts';
import { addVersion, storeVersion } from '../models/add-version.ts';
import { requireTask } from '../tasks/require.ts';
import type { LabelFiles } from '../tasks/task.ts';
import type { TrainProgress, TrainResult, TrainTask } from './compute.ts';
import type { TrainingJob } from './queue.ts';
import type { RunRow } from './run.ts';
import { lockRun, selectRun, updateRun } from './sql.ts';

const progressEveryMs = 400;

/**
 * Runs a queued training run to its end; may be called again after a crash, and does nothing once it has ended.
 * Throws Failure where nothing can be learned.
 */
export async function trainRun(app: App, job: TrainingJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!row) return;
  const folder = join(app.workFolder, `${job.id}-${row.attempt}`);
  const interrupt = new AbortController();
  try {
    await mkdir(folder, { recursive: true });
    const signal = AbortSignal.any([stop, interrupt.signal]);
    const result = await compute(app, ctx, row, folder, signal, interrupt);
    const stored = await storeVersion(app, ctx, result);
    await tenant(app.db, ctx, async (tx) => {
      const current = await lockRun(tx, job.id);
      if (current?.status !== 'running') return;
      const metrics = metricsOf(result);
      const versionId = await addVersion(tx, ctx, current, stored, { ...result, metrics });
      await end(tx, ctx, job.id, 'succeeded', {
        version_id: versionId,
        fraction: 1,
        phase: null,
        metrics: JSON.stringify(metrics),
      });
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends a run as failed, unless it has ended. */
export async function failRun(app: App, { id, workspace_id }: TrainingJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, (tx) => end(tx, ctx, id, 'failed', { failure: JSON.stringify(failure) }));
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
  });
  return (await selectRun(tx, id))!;
}

async function compute(
  app: App,
  ctx: Context,
  row: RunRow,
  folder: string,
  signal: AbortSignal,
  interrupt: AbortController,
): Promise<TrainResult> {
  const { task, contract, snapshot, identifiersKey, files } = await tenant(app.db, ctx, async (tx) => {
    const task = await requireTask(tx, row.task_id);
    const { train, validation } = task.labels as LabelFiles;
    const files = [];
    for (const id of [train, validation]) if (id) files.push(await requireUploaded(tx, id));
    return {
      task,
      files,
      contract: await requireContract(tx, row.contract_id),
      snapshot: await requireSnapshot(tx, row.snapshot_id),
      identifiersKey: await currentIdentifiers(tx, ctx),
    };
  });
  const labels: string[] = [];
  for (const [at, file] of files.entries()) {
    const place = join(folder, `labels-${at}`);
    await mkdir(place);
    const path = join(place, localName(file.path, file.content_type));
    await symlink(await app.storage.localPath(file.storage_key), path);
    labels.push(path);
  }
  const input: TrainTask = {
    contract: contract.document,
    frozen: await app.storage.localPath(snapshot.frozen_key),
    identifiers: identifiersKey === null ? null : await app.storage.localPath(identifiersKey),
    definition: task.definition,
    name: task.name,
    labels,
    out: join(folder, 'version'),
    now: wallClock(ctx.timeZone, row.created_at.getTime()) * 1000,
  };
  let told = 0;
  const onProgress = ({ phase, fraction, measures }: TrainProgress): void => {
    if (Date.now() - told < progressEveryMs) return;
    told = Date.now();
    // A run that takes no more changes was interrupted: what computes it stops.
    tenant(app.db, ctx, (tx) =>
      updateRun(tx, row.id, { phase, fraction, metrics: JSON.stringify({ outputs: measures }) }),
    )
      .then((isRunning) => isRunning || interrupt.abort())
      .catch((error) => app.log.warn({ err: error, run: row.id }, 'progress not written'));
  };
  return app.compute!.run({ name: 'train', input }, { signal, onProgress, leaves: longTasksLeave });
}

/** How good each output is, on rows later than what was learned from. */
function metricsOf({ report, warnings, labelRates }: TrainResult): Record<string, unknown> {
  return {
    training_rows: report.training_rows,
    features: report.features,
    outputs: Object.fromEntries(
      report.outputs.map(({ name, recipe, out_of_fold, cutoffs }) => [
        name,
        { recipe, ...(out_of_fold ?? {}), ...(cutoffs ? { cutoffs } : {}) },
      ]),
    ),
    label_rates: labelRates,
    notes: report.notes,
    unused_columns: report.unused_columns,
    warnings,
  };
}

async function end(
  tx: Tx,
  ctx: Context,
  id: string,
  status: 'succeeded' | 'failed',
  change: Parameters<typeof updateRun>[2],
): Promise<void> {
  if (await updateRun(tx, id, { ...change, status, finished_at: new Date() }))
    await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status });
}
