import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { Failure } from '../../lib/failure.ts';
import { putFile } from '../../lib/storage/put-file.ts';
import { wallClock } from '../../lib/time-zone.ts';
import { readManifest, snapshotIdOf } from '../../ml/lake/manifest.ts';
import { currentIdentifiers, currentSnapshot, type SnapshotRow } from '../../serving/snapshot.ts';
import { localIdentifiers } from '../../serving/snapshot-files.ts';
import { hasSnapshot } from '../../serving/sql.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import { proposeFor } from '../contracts/propose-for.ts';
import { endingOf } from '../files/ending.ts';
import { requireUploaded } from '../files/require.ts';
import { type JobFailure, leaves, waitingPhase } from '../job.ts';
import { watchOpen } from '../watch-open.ts';
import { replaceData } from '../workspaces/change.ts';
import type { ingest } from './compute.ts';
import type { IngestResult, IngestTask } from './delivery.ts';
import { type IngestionRow, openStatuses } from './ingestion.ts';
import { ingestionLock } from './lock.ts';
import type { IngestionJob } from './queue.ts';
import { insertSnapshot, selectIngestion, updateIngestion } from './sql.ts';
import { frozenKey, identifiersKey, lineOf, partKey } from './storage-key.ts';

const progressEveryMs = 500;

/**
 * Runs a queued ingestion to its end, or until it is interrupted. Idempotent: it may run again after a crash, and does
 * nothing once the ingestion has ended. Throws Failure when a file cannot be read or the data have changed meanwhile.
 */
export async function runIngestion(app: App, job: IngestionJob, signal: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const started = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!started) return;
  // A unique name, because this process may get the job again while it still removes the folder of the first run.
  const folder = await mkdtemp(join(app.workFolder, `${job.id}-`));
  const isOpen = async () => {
    const row = await tenant(app.db, ctx, (tx) => selectIngestion(tx, job.id));
    return row !== undefined && openStatuses.includes(row.status);
  };
  const watched = watchOpen(app.log, isOpen);
  try {
    const result = await compute(app, ctx, started, folder, AbortSignal.any([signal, watched.signal]));
    await finish(app, ctx, started, result, folder);
  } catch (error) {
    // Interrupted just now, it need not be seen yet: the job then ends here, and is not tried again.
    if (!watched.signal.aborted && (await isOpen().catch(() => true))) throw error;
  } finally {
    watched.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends an ingestion as failed, unless it has already ended. */
export async function failIngestion(app: App, { id, workspace_id }: IngestionJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, async (tx) => {
    await ingestionLock(tx, ctx);
    const row = await selectIngestion(tx, id);
    if (row && openStatuses.includes(row.status))
      await end(tx, ctx, id, 'failed', { failure: JSON.stringify(failure) });
  });
}

type Started = {
  readonly row: IngestionRow;
  readonly contract: string | null;
  readonly snapshot: SnapshotRow | undefined;
  readonly identifiersKey: string | null;
};

async function begin(tx: Tx, ctx: Context, id: string): Promise<Started | null> {
  await ingestionLock(tx, ctx);
  const row = await selectIngestion(tx, id);
  if (!row || !openStatuses.includes(row.status)) return null;
  const contract = await selectActiveContract(tx);
  if (row.status === 'queued') {
    await updateIngestion(tx, id, { status: 'running', started_at: new Date(), contract_id: contract?.id ?? null });
    await record(tx, ctx, 'ingestion-lifecycle', { type: 'ingestion', id }, { status: 'running' });
  } else await updateIngestion(tx, id, { contract_id: contract?.id ?? null });
  const snapshot = await currentSnapshot(tx, ctx);
  const identifiersKey = await currentIdentifiers(tx, ctx);
  return {
    row: { ...row, contract_id: contract?.id ?? null },
    contract: contract?.document ?? null,
    snapshot,
    identifiersKey,
  };
}

async function compute(
  app: App,
  ctx: Context,
  { row, contract, snapshot, identifiersKey }: Started,
  folder: string,
  signal: AbortSignal,
): Promise<IngestResult> {
  const files: IngestTask['files'][number][] = [];
  for (const [at, { file_id, table, mode }] of row.files.entries()) {
    const file = await tenant(app.db, ctx, (tx) => requireUploaded(tx, file_id));
    // Readers tell the format by the ending of the file name, which stored objects do not have.
    const path = join(folder, `${at}${endingOf(file.path, file.content_type)}`);
    await symlink(await app.storage.localPath(file.storage_key, file.sha256), path);
    files.push({ id: file_id, name: file.path, path, table, mode, sha256: file.sha256! });
  }
  const tell = openTeller(app, ctx, row.id);
  return app.compute!.run<typeof ingest>(
    {
      name: 'ingest',
      input: {
        contract,
        contractId: ctx.workspaceId,
        previous: snapshot
          ? { manifest: snapshot.manifest, paths: await partPaths(app, ctx, snapshot.manifest) }
          : null,
        identifiers: await localIdentifiers(app.storage, identifiersKey),
        files,
        out: folder,
        now: wallClock(ctx.timeZone, row.created_at.getTime()) * 1000,
      } satisfies IngestTask,
    },
    {
      ...{ signal, group: ctx.workspaceId, leaves: leaves.ingestion },
      ...{ onProgress: tell, onWait: () => tell(waitingPhase) },
      ...{ folder, about: { workspace: ctx.workspaceId, ingestion: row.id } },
    },
  );
}

/** Writes progress phases in order, at most one per `progressEveryMs`. The phase after waiting is written at once. */
function openTeller(app: App, ctx: Context, id: string): (phase: string) => void {
  let told = 0;
  let last = '';
  let written: Promise<unknown> = Promise.resolve();
  return (phase) => {
    if (last !== waitingPhase && Date.now() - told < progressEveryMs) return;
    told = Date.now();
    last = phase;
    written = written
      .then(() => tenant(app.db, ctx, (tx) => updateIngestion(tx, id, { progress: JSON.stringify({ phase }) })))
      .catch((error) => app.log.warn({ err: error }, 'progress not written'));
  };
}

/** Returns the local path of each part of a snapshot, by the part's path in the manifest. */
export async function partPaths(app: App, ctx: Context, manifest: string): Promise<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const { parts } of readManifest(manifest).tables)
    for (const { path, sha256 } of parts) paths[path] = await app.storage.localPath(partKey(ctx, path), sha256);
  return paths;
}

async function finish(
  app: App,
  ctx: Context,
  { row, snapshot, identifiersKey: before }: Started,
  result: IngestResult,
  folder: string,
): Promise<void> {
  if (result.kind === 'unchanged') {
    await tenant(app.db, ctx, (tx) =>
      end(tx, ctx, row.id, 'succeeded', { changed: false, snapshot_id: snapshot?.id ?? null }),
    );
    return;
  }
  if (result.kind === 'refused') {
    await tenant(app.db, ctx, (tx) => refuseFiles(tx, ctx, row, result));
    return;
  }
  // Check before storing the new dictionary, which has names that an erasure may have removed meanwhile.
  if ((await tenant(app.db, ctx, (tx) => currentIdentifiers(tx, ctx))) !== before) throw dataChanged();
  for (const { path, sha256 } of result.newParts)
    await putFile(app.storage, partKey(ctx, path), join(folder, path), { expectedSha256: sha256 });
  const id = newId('snp');
  const key = frozenKey(ctx, id);
  const { frozen: tables, identifiers: names } = result;
  const frozen = await putFile(app.storage, key, tables.path, { expectedSha256: tables.sha256 });
  const namesKey = identifiersKey(ctx, lineOf(before), id, names.sha256);
  await putFile(app.storage, namesKey, names.path, { expectedSha256: names.sha256 });
  const commit = tenant(app.db, ctx, async (tx) => {
    await ingestionLock(tx, ctx);
    // Parts are named by their content. Cleanup may have removed a part that was stored before and that no snapshot
    // used.
    for (const { path } of result.newParts)
      if ((await app.storage.stat(partKey(ctx, path))) === null) throw dataChanged();
    await insertSnapshot(tx, ctx, {
      ...{ id, contractId: row.contract_id!, parentId: snapshot?.id ?? null, frozen: { ...frozen, key } },
      ...{ sha256: snapshotIdOf(readManifest(result.manifest)), manifest: result.manifest, report: result.report },
    });
    const read = { snapshotId: snapshot?.id ?? null, identifiersKey: before };
    if (!(await replaceData(tx, ctx, read, { snapshotId: id, identifiersKey: namesKey }))) throw dataChanged();
    await end(tx, ctx, row.id, 'succeeded', { changed: true, snapshot_id: id, report: JSON.stringify(result.report) });
  });
  await commit.catch(async (error) => {
    // Anything that remains, also when the process dies here, is removed by the sweep.
    await removeUnused(app, ctx, id, [namesKey, key]).catch(() => {});
    throw error;
  });
}

/** The Failure when another ingestion or an erasure has committed first. The retry starts from the new data. */
function dataChanged(): Failure {
  return new Failure('unavailable', 'the data changed while these files were being taken in');
}

/**
 * Removes what was stored for a snapshot that was not committed: it may contain names that an erasure has just removed.
 */
async function removeUnused(app: App, ctx: Context, snapshotId: string, keys: readonly string[]): Promise<void> {
  const isUsed = await tenant(app.db, ctx, async (tx) => {
    // A commit whose answer was lost may still be under way. It holds this lock.
    await ingestionLock(tx, ctx);
    return hasSnapshot(tx, snapshotId);
  });
  if (!isUsed) for (const key of keys) await app.storage.delete(key);
}

async function refuseFiles(
  tx: Tx,
  ctx: Context,
  row: IngestionRow,
  { proposal, deviations }: Extract<IngestResult, { kind: 'refused' }>,
): Promise<void> {
  const proposed =
    proposal === null
      ? null
      : await proposeFor(tx, ctx, {
          document: proposal.document,
          changes: JSON.stringify(proposal.changes),
          baseId: row.contract_id,
          ingestionId: row.id,
        });
  if (row.contract_id !== null)
    await record(
      tx,
      ctx,
      'data-contract-deviation',
      { type: 'ingestion', id: row.id },
      {
        classification: proposed ? 'new_contract_version' : 'data_error',
        proposed_contract_id: proposed,
      },
    );
  await end(tx, ctx, row.id, 'refused', { proposed_contract_id: proposed, deviations: JSON.stringify(deviations) });
}

async function end(
  tx: Tx,
  ctx: Context,
  id: string,
  status: 'succeeded' | 'refused' | 'failed',
  change: Parameters<typeof updateIngestion>[2],
): Promise<void> {
  const isOurs = await updateIngestion(tx, id, { ...change, status, finished_at: new Date() });
  // Another worker, which took this one for dead, ended the ingestion. The throw rolls back this transaction.
  if (!isOurs) throw new Failure('unavailable', 'the ingestion has been ended meanwhile');
  await record(tx, ctx, 'ingestion-lifecycle', { type: 'ingestion', id }, { status });
}
