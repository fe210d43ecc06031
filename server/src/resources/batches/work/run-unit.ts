import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../access/context.ts';
import { type Tx, tenant } from '../../../access/transactions.ts';
import { workspaceContext } from '../../../access/workspace-context.ts';
import { Failure } from '../../../lib/failure.ts';
import { putFile } from '../../../lib/storage/put-file.ts';
import { gfmFolderOf, selectStoredGfms } from '../../../serving/graph-models.ts';
import { versionFolder } from '../../../serving/serving.ts';
import { currentIdentifiers, requireSnapshot } from '../../../serving/snapshot.ts';
import type { App } from '../../app.ts';
import { isWorthRetrying, refusalOf } from '../../attempt.ts';
import { requireUploaded } from '../../files/require.ts';
import type { JobFailure } from '../../job.ts';
import {
  type BatchFileRow,
  type BatchModel,
  type BatchRow,
  type BatchUnitRow,
  finishedStatuses,
  type OutputFormat,
  openUnitStatuses,
} from '../batch.ts';
import { withCrc32 } from '../crc32.ts';
import type { UnitJob } from '../queue.ts';
import type { ScoreProgress, ScoreResult, ScoreTask, scoreUnit } from '../scoring/score-unit.ts';
import {
  endUnit,
  failFile,
  lockBatch,
  lockUnit,
  raiseCounts,
  selectBatch,
  selectFiles,
  selectVersions,
  updateFile,
  updateUnit,
} from '../sql.ts';
import { partKey } from '../storage-key.ts';
import type { Targets } from '../target.ts';
import { queueEnd, queueUnits } from './queue-units.ts';

/** How often a running unit tells how far it is and asks whether to go on. */
const pulseMs = 700;
type Begun = { readonly batch: BatchRow; readonly file: BatchFileRow; readonly unit: BatchUnitRow };

/**
 * Scores one unit of a batch; may be called again after a crash, and does nothing once the unit has ended.
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
    // Not the job as a whole: another worker may have the unit by now.
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
  const files = await selectFiles(tx, [job.id]);
  return { batch, unit: { ...unit, attempt }, file: files.find(({ position }) => position === job.position)! };
}

/** What a unit came to; null where it was interrupted before it had begun. */
async function score(
  app: App,
  ctx: Context,
  begun: Begun,
  job: UnitJob,
  folder: string,
  stop: AbortSignal,
): Promise<ScoreResult | null> {
  const input = await taskOf(app, ctx, begun, folder);
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
        onProgress: (progress) => {
          told = progress;
        },
      },
    );
    // Half a unit is kept when its batch ends here, and not when another worker will do it whole.
    if (!result.isWhole) stop.throwIfAborted();
    return result;
  } catch (error) {
    if (stop.aborted || !interrupt.signal.aborted) throw error;
    return null;
  } finally {
    clearInterval(pulse);
  }
}

async function taskOf(app: App, ctx: Context, { batch, file, unit }: Begun, folder: string): Promise<ScoreTask> {
  const pinned = batch.targets as Targets;
  const model = batch.model as BatchModel | null;
  const named = file.endpoints as (string | null)[] | null;
  const endpoints = named?.filter((name) => name !== null) ?? null;
  const fallback = model && (named === null || named.includes(null)) ? model.version_id : null;
  const ids = new Set([...(fallback === null ? [] : [fallback]), ...(endpoints ?? []).map((name) => pinned[name])]);
  const { source, snapshot, identifiersKey, versions, graphModels } = await tenant(app.db, ctx, async (tx) => {
    const versions = await selectVersions(tx, [...ids]);
    return {
      source: await requireUploaded(tx, file.file_id),
      snapshot: await requireSnapshot(tx, batch.snapshot_id),
      identifiersKey: await currentIdentifiers(tx, ctx),
      versions,
      graphModels: await selectStoredGfms(tx, versions),
    };
  });
  const indexOf = (versionId: string) => versions.findIndex(({ id }) => id === versionId);
  return {
    path: await app.storage.localPath(source.storage_key),
    name: file.path,
    range: unit.rows === null ? null : { first: unit.first_row, count: unit.rows },
    data: {
      id: `${snapshot.id} ${identifiersKey}`,
      frozen: await app.storage.localPath(snapshot.frozen_key),
      identifiers: identifiersKey === null ? null : await app.storage.localPath(identifiersKey),
    },
    targets: await Promise.all(
      versions.map(async ({ id, model_id, storage_prefix, files, gfm_version_id }) => ({
        modelId: model_id,
        versionId: id,
        folder: await versionFolder(app.storage, folder, id, {
          prefix: storage_prefix,
          files: Object.keys(files as object),
        }),
        graphModel:
          gfm_version_id === null
            ? null
            : {
                id: gfm_version_id,
                folder: await gfmFolderOf(app.storage, folder, graphModels.get(gfm_version_id)!),
              },
      })),
    ),
    endpoints: endpoints && Object.fromEntries(endpoints.map((name) => [name, indexOf(pinned[name])])),
    fallback: fallback === null ? null : indexOf(fallback),
    timeZone: batch.time_zone,
    language: batch.language as 'en' | 'pt-BR',
    interval: batch.include.includes('interval'),
    now: batch.created_at.getTime(),
    asOf: batch.as_of.getTime(),
    out: join(folder, 'part'),
    format: file.output_format as OutputFormat,
    errors: join(folder, 'errors'),
  };
}

type Part = ScoreResult & Awaited<ReturnType<typeof storePart>>;

async function finish(app: App, ctx: Context, { unit }: Begun, job: UnitJob, part: Part | null): Promise<void> {
  const isOurs = await tenant(app.db, ctx, async (tx) => {
    await lockBatch(tx, job.id);
    const isOurs = await endUnit(
      tx,
      job,
      unit.attempt,
      part ? endOf(part) : { ...nothingScored, status: 'interrupted' },
    );
    if (!isOurs) return false;
    // Of a text file the lines were only counted until here.
    if (part?.isWhole && unit.rows === null)
      await updateFile(tx, job.id, job.position, { rows: part.succeeded + part.failed });
    await queueUnits(app, tx, ctx);
    await queueEnd(app, tx, ctx, job.id);
    return true;
  });
  if (isOurs || !part) return;
  await app.storage.delete(part.part_key);
  if (part.errors_key !== null) await app.storage.delete(part.errors_key);
}

const nothingScored = { succeeded: 0, failed: 0 };

function endOf({ isWhole, headerBytes, ...part }: Part) {
  return { ...part, part_header_bytes: headerBytes, status: isWhole ? 'succeeded' : 'interrupted' };
}

/** Keys have the attempt in them: what a worker that was taken for dead still writes disturbs nobody. */
async function storePart(
  app: App,
  ctx: Context,
  job: UnitJob,
  attempt: number,
  folder: string,
  { failed }: ScoreResult,
) {
  const key = partKey(ctx, job, attempt);
  let crc32 = () => 0;
  const { size, sha256 } = await putFile(app.storage, key, join(folder, 'part'), (bytes) => {
    const counted = withCrc32(bytes);
    crc32 = counted.crc32;
    return counted.body;
  });
  const errorsKey = failed > 0 ? `${key}.errors` : null;
  if (errorsKey !== null) await putFile(app.storage, errorsKey, join(folder, 'errors'));
  return {
    part_key: key,
    part_bytes: size,
    part_sha256: sha256,
    part_crc32: crc32(),
    errors_key: errorsKey,
  };
}

/**
 * Gives up a unit, and with it the rest of its file, unless it has ended: the batch fails once its other units have ended.
 * `attempt` is the one that gives up, where it is not the job as a whole.
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
