import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../access/context.ts';
import { type Tx, tenant } from '../../../access/transactions.ts';
import { workspaceContext } from '../../../access/workspace-context.ts';
import { Failure } from '../../../lib/failure.ts';
import { addTelling, type RowWarningCode, type TellingOf } from '../../../serving/rows/row-warnings.ts';
import type { App } from '../../app.ts';
import { isWorthRetrying, refusalOf } from '../../attempt.ts';
import { type JobFailure, leaves } from '../../job.ts';
import { finishedStatuses, keptWarning, openUnitStatuses, tellingOf, type Warning } from '../batch.ts';
import type { UnitJob } from '../queue.ts';
import type { ScoreProgress, ScoreResult, scoreUnit } from '../scoring/score-unit.ts';
import { failFile, lockBatch, selectBatch, selectFile, updateFile } from '../sql.ts';
import { type Begun, makeTask } from './make-task.ts';
import { queueEnd, queueUnits } from './queue-units.ts';
import { endUnit, lockUnit, raiseCounts, updateUnit } from './sql.ts';
import { storePart } from './store-part.ts';

/** How often a running unit writes its progress and checks for an interruption. */
const pulseMs = 700;

/**
 * Scores one unit of a batch. Idempotent: it may run again after a crash, and does nothing once the unit has ended.
 * Throws only what a retry may cure.
 */
export async function runUnit(app: App, job: UnitJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const begun = await tenant(app.db, ctx, (tx) => begin(app, tx, ctx, job));
  if (!begun) return;
  const { attempt } = begun.unit;
  if (begun.batch.interrupt_requested_at !== null) return finish(app, ctx, begun, job, null);
  const folder = join(app.workFolder, `${job.id}-${job.position}-${job.unit}-${attempt}`);
  try {
    await mkdir(folder, { recursive: true });
    const result = await score(app, ctx, begun, job, folder, stop);
    const part = result && { ...result, ...(await storePart(app, ctx, job, attempt, folder, result)) };
    await finish(app, ctx, begun, job, part);
  } catch (error) {
    if (stop.aborted || !(error instanceof Failure) || isWorthRetrying(error)) throw error;
    // Only this attempt fails: another worker may be running the unit by now.
    await failUnit(app, job, refusalOf(error), attempt);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function begin(app: App, tx: Tx, ctx: Context, job: UnitJob): Promise<Begun | null> {
  const unit = await lockUnit(tx, job);
  const batch = await selectBatch(tx, job.id);
  if (!unit || !batch || !openUnitStatuses.includes(unit.status) || finishedStatuses.includes(batch.status))
    return null;
  const attempt = unit.attempt + 1;
  await updateUnit(tx, job, { status: 'running', attempt, touched_at: new Date() });
  await queueUnits(app, tx, ctx);
  return { batch, unit: { ...unit, attempt }, file: await selectFile(tx, job.id, job.position) };
}

/** Runs the scoring of a unit in a child process. Returns null when it was interrupted before scoring had begun. */
async function score(
  app: App,
  ctx: Context,
  begun: Begun,
  job: UnitJob,
  folder: string,
  stop: AbortSignal,
): Promise<ScoreResult | null> {
  const input = await makeTask(app, ctx, begun, folder);
  const interrupt = new AbortController();
  let told: ScoreProgress = { succeeded: 0, failed: 0 };
  const pulse = setInterval(() => {
    tenant(app.db, ctx, async (tx) => {
      await raiseCounts(tx, job, told);
      const batch = await selectBatch(tx, job.id);
      if (!batch || batch.interrupt_requested_at !== null) interrupt.abort();
    }).catch((error) => app.log.warn({ err: error, batch: job.id }, 'progress not written'));
  }, pulseMs);
  try {
    const signal = AbortSignal.any([stop, interrupt.signal]);
    const result = await app.compute!.run<typeof scoreUnit>(
      { name: 'scoreUnit', input },
      {
        signal,
        group: ctx.workspaceId,
        leaves: leaves.scoring,
        folder,
        about: { workspace: ctx.workspaceId, batch: job.id, unit: `${job.position}-${job.unit}` },
        onProgress: (progress) => {
          told = progress;
        },
      },
    );
    // A partly scored unit is kept when its batch was interrupted, but not when this worker stops: another scores it
    // whole.
    if (!result.isWhole) stop.throwIfAborted();
    return result;
  } catch (error) {
    if (stop.aborted || !interrupt.signal.aborted) throw error;
    return null;
  } finally {
    clearInterval(pulse);
  }
}

type ScoredUnit = ScoreResult & Awaited<ReturnType<typeof storePart>>;

async function finish(app: App, ctx: Context, { unit }: Begun, job: UnitJob, part: ScoredUnit | null): Promise<void> {
  const isOurs = await tenant(app.db, ctx, async (tx) => {
    await lockBatch(tx, job.id);
    const isOurs = await endUnit(
      tx,
      job,
      unit.attempt,
      part ? endOf(part) : { ...nothingScored, status: 'interrupted' },
    );
    if (!isOurs) return false;
    // For a text file, planning only counted lines. The exact row count is known now.
    if (part?.isWhole && unit.rows === null)
      await updateFile(tx, job.id, job.position, { rows: part.succeeded + part.failed });
    for (const [code, told] of Object.entries(part?.warnings ?? {}))
      await warnOfRows(tx, job, code as RowWarningCode, told);
    await queueUnits(app, tx, ctx);
    await queueEnd(app, tx, ctx, job.id);
    return true;
  });
  if (isOurs || !part) return;
  await app.storage.delete(part.part_key);
  if (part.errors_key !== null) await app.storage.delete(part.errors_key);
}

/** Adds rows of a unit that there is something to say of to the warning of its file. The batch must be locked. */
async function warnOfRows(tx: Tx, { id, position }: UnitJob, code: RowWarningCode, told: TellingOf): Promise<void> {
  const warnings = (await selectFile(tx, id, position)).warnings as readonly Warning[];
  const before = warnings.find((warning) => 'absent' in warning && warning.code === code);
  const others = warnings.filter((warning) => warning !== before);
  const known = before && 'absent' in before ? tellingOf(before) : {};
  const warning = keptWarning(code, addTelling(known, told));
  await updateFile(tx, id, position, { warnings: JSON.stringify([...others, warning]) });
}

const nothingScored = { succeeded: 0, failed: 0 };

function endOf({ isWhole, headerBytes, warnings: _, ...part }: ScoredUnit) {
  return { ...part, part_header_bytes: headerBytes, status: isWhole ? 'succeeded' : 'interrupted' };
}

/**
 * Ends a unit as failed, and records the failure of its file, unless the unit has ended. The batch fails once its other
 * units have ended. With `attempt`, it does so only while that attempt has the unit.
 */
export async function failUnit(app: App, job: UnitJob, failure: JobFailure, attempt?: number): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  await tenant(app.db, ctx, async (tx) => {
    await lockBatch(tx, job.id);
    if (!(await endUnit(tx, job, attempt ?? null, { ...nothingScored, status: 'failed' }))) return;
    await failFile(tx, job.id, job.position, JSON.stringify(failure));
    await queueUnits(app, tx, ctx);
    await queueEnd(app, tx, ctx, job.id);
  });
}
