import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { Failure } from '../../lib/failure.ts';
import { putFile } from '../../lib/storage/put-file.ts';
import { wallClock } from '../../lib/time-zone.ts';
import type { Notice } from '../../ml/contract/notices.ts';
import { readManifest, snapshotIdOf } from '../../ml/lake/manifest.ts';
import { currentIdentifiers, currentSnapshot, type SnapshotRow } from '../../serving/snapshot.ts';
import { lineOf, localIdentifiers } from '../../serving/snapshot-files.ts';
import { hasSnapshot } from '../../serving/sql.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import { addProposal } from '../contracts/add-proposal.ts';
import { acceptWithin } from '../contracts/propose.ts';
import { endingOf } from '../files/ending.ts';
import type { FileRow } from '../files/file.ts';
import { requireUploaded } from '../files/require.ts';
import { type JobFailure, leaves, waitingPhase } from '../job.ts';
import { tellInTurn } from '../tell-in-turn.ts';
import { watchOpen } from '../watch-open.ts';
import { replaceData } from '../workspaces/change.ts';
import { planAdoption } from './adopt-contract.ts';
import type { ingest } from './compute.ts';
import {
  type AcceptedReport,
  type IngestResult,
  type IngestTask,
  joinDeviations,
  type ProposedContract,
} from './delivery.ts';
import { type IngestionRow, openStatuses } from './ingestion.ts';
import { ingestionLock } from './lock.ts';
import { tellWarnings } from './notices.ts';
import type { IngestionJob } from './queue.ts';
import { compareWith, filesOf, planRereading } from './reread.ts';
import { insertSnapshot, selectIngestion, updateIngestion, wasReread } from './sql.ts';
import { frozenKey, identifiersKey, partKey } from './storage-key.ts';
import type { RefusedReport } from './tell-refusal.ts';

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
    const stop = AbortSignal.any([signal, watched.signal]);
    const result = await compute(app, ctx, started, folder, stop);
    const proposal = started.row.accept_contract && result.kind === 'refused' ? result.proposal : null;
    if (proposal === null) await finish(app, ctx, started, result, folder);
    else await finishAccepting(app, ctx, started, { ...(result as Refused), proposal }, folder, stop);
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
      await end(tx, ctx, row, 'failed', { failure: JSON.stringify(failure) });
  });
}

type Refused = Extract<IngestResult, { kind: 'refused' }>;
type Proposal = ProposedContract;

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
    await record(tx, ctx, 'ingestion-lifecycle', { type: 'ingestion', id }, { status: 'running', kind: row.kind });
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
  started: Started,
  folder: string,
  signal: AbortSignal,
): Promise<IngestResult> {
  const { row, contract, snapshot, identifiersKey } = started;
  const originals = await originalsOf(app, ctx, started, folder);
  const sent = row.kind === 'delivery' ? row.files : [];
  const files: IngestTask['files'][number][] = [];
  for (const [at, { file_id, table, mode }] of sent.entries()) {
    const file = await tenant(app.db, ctx, (tx) => requireUploaded(tx, file_id));
    const path = await linkFile(app, folder, `${at}`, file);
    files.push({ id: file_id, name: file.path, path, table, mode, sha256: file.sha256! });
  }
  const tell = tellInTurn(
    app.log,
    (progress) => tenant(app.db, ctx, (tx) => updateIngestion(tx, row.id, { progress: JSON.stringify(progress) })),
    // Each file is a phase; only the end of waiting is told at once.
    (_, last) => last === waitingPhase,
  );
  return app.compute!.run<typeof ingest>(
    {
      name: 'ingest',
      input: {
        contract,
        contractId: ctx.workspaceId,
        timeZone: ctx.timeZone,
        // Where it is accepted at once, the files are tried under it for good.
        triesProposal: !row.accept_contract,
        previous: snapshot
          ? { manifest: snapshot.manifest, paths: await partPaths(app, ctx, snapshot.manifest) }
          : null,
        identifiers: await localIdentifiers(app.storage, identifiersKey),
        files,
        originals,
        out: folder,
        now: wallClock(ctx.timeZone, row.created_at.getTime()) * 1000,
      } satisfies IngestTask,
    },
    {
      ...{ signal, group: ctx.workspaceId, leaves: leaves.ingestion },
      ...{ onProgress: (phase: string) => tell({ phase }), onWait: () => tell({ phase: waitingPhase }) },
      ...{ folder, about: { workspace: ctx.workspaceId, ingestion: row.id } },
    },
  );
}

/** Links a stored file into the folder, under a name with the ending by which readers tell the format. */
async function linkFile(app: App, folder: string, name: string, file: FileRow): Promise<string> {
  const path = join(folder, `${name}${endingOf(file.path, file.content_type)}`);
  await symlink(await app.storage.localPath(file.storage_key, file.sha256), path);
  return path;
}

/**
 * Returns the files of parts that must be read again because the contract stores their tables otherwise, as local
 * files, and lists them with an ingestion that does nothing else. Files that are gone are left out: what is refused for
 * want of them, the tables that are replaced know.
 */
async function originalsOf(
  app: App,
  ctx: Context,
  { row, contract, snapshot }: Started,
  folder: string,
): Promise<IngestTask['originals']> {
  if (contract === null || !snapshot || snapshot.contract_id === row.contract_id) return [];
  const { stale } = await compareWith(app, ctx, snapshot, contract);
  const { originals } = await tenant(app.db, ctx, async (tx) => {
    const planned = await planRereading(tx, ctx, snapshot, stale);
    if (row.kind === 'reread') await updateIngestion(tx, row.id, { files: JSON.stringify(filesOf(planned.originals)) });
    return planned;
  });
  const found: IngestTask['originals'][number][] = [];
  for (const [at, { part, file, taken }] of originals.entries()) {
    const path = await linkFile(app, folder, `original-${at}`, file);
    found.push({ id: file.id, name: file.path, path, part: part.path, sha256: part.source, taken });
  }
  return found;
}

/** Returns the local path of each part of a snapshot, by the part's path in the manifest. */
export async function partPaths(app: App, ctx: Context, manifest: string): Promise<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const { parts } of readManifest(manifest).tables)
    for (const { path, sha256 } of parts) paths[path] = await app.storage.localPath(partKey(ctx, path), sha256);
  return paths;
}

/**
 * Takes in the files under the contract that they propose, which becomes the active one in the same transaction. Where
 * they do not come in under it either, what they violate of it is told too; a first contract then stays proposed, and
 * of a later one nothing does, because only their rows are in the way.
 */
async function finishAccepting(
  app: App,
  ctx: Context,
  started: Started,
  refused: Refused & { readonly proposal: Proposal },
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const under = join(folder, 'accepted');
  await mkdir(under);
  const { proposal } = refused;
  // The proposal has no id yet: the data are under none like it.
  const row = { ...started.row, contract_id: null };
  const again = await compute(app, ctx, { ...started, row, contract: proposal.document }, under, signal);
  if (again.kind === 'accepted')
    return finish(app, ctx, started, { ...again, report: warned(again.report, proposal.warnings) }, under, proposal);
  if (again.kind !== 'refused') return finish(app, ctx, started, refused, folder);
  const isFirst = started.row.contract_id === null;
  const deviations = isFirst ? again.deviations : joinDeviations(refused.deviations, again.deviations);
  const isOfRows = !isFirst && again.proposal === null;
  return finish(app, ctx, started, { ...refused, proposal: isOfRows ? null : proposal, deviations }, folder);
}

function warned(report: AcceptedReport, more: readonly Notice[]): AcceptedReport {
  const { warnings, warning_codes } = tellWarnings(more);
  return {
    ...report,
    warnings: [...warnings, ...report.warnings],
    warning_codes: [...warning_codes, ...report.warning_codes],
  };
}

/** Commits what a computation found. `accepting`: the contract to make active with it; null for the one that is. */
async function finish(
  app: App,
  ctx: Context,
  { row, contract, snapshot, identifiersKey: before }: Started,
  result: IngestResult,
  folder: string,
  accepting: Proposal | null = null,
): Promise<void> {
  if (result.kind === 'unchanged') {
    // Nothing in the data changed, so that what the snapshot says of them holds.
    const report = JSON.stringify({ ...(snapshot?.report as object | undefined), ...result.report });
    const change = { changed: false, snapshot_id: snapshot?.id ?? null, report };
    await tenant(app.db, ctx, (tx) => end(tx, ctx, row, 'succeeded', change));
    return;
  }
  if (result.kind === 'refused') {
    // The contract may have been accepted for these very files: the data come under it without them.
    const isAlone = row.kind === 'reread' || contract === null || !snapshot || snapshot.contract_id === row.contract_id;
    const adoption = isAlone ? null : await planAdoption(app, ctx, contract);
    await tenant(app.db, ctx, (tx) => refuseFiles(tx, ctx, row, result, adoption));
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
  // Requests go on without waiting for the new data to be opened, and whoever sees the ingestion succeed is answered
  // from them. Processes that only answer open them when they see them.
  const served = { id, frozen: { frozen_key: key, frozen_sha256: frozen.sha256 }, identifiersKey: namesKey };
  const close = await app.serving.prepare(ctx, { ...served, frozenBytes: frozen.size });
  const commit = tenant(app.db, ctx, async (tx) => {
    await ingestionLock(tx, ctx);
    // Parts are named by their content. Cleanup may have removed a part that was stored before and that no snapshot
    // used.
    for (const { path } of result.newParts)
      if ((await app.storage.stat(partKey(ctx, path))) === null) throw dataChanged();
    const accepted = accepting && (await acceptProposal(tx, ctx, row, accepting));
    await insertSnapshot(tx, ctx, {
      ...{ id, contractId: accepted ?? row.contract_id!, parentId: snapshot?.id ?? null, frozen: { ...frozen, key } },
      ...{ sha256: snapshotIdOf(readManifest(result.manifest)), manifest: result.manifest, report: result.report },
    });
    const read = { snapshotId: snapshot?.id ?? null, identifiersKey: before };
    if (!(await replaceData(tx, ctx, read, { snapshotId: id, identifiersKey: namesKey }))) throw dataChanged();
    await end(tx, ctx, row, 'succeeded', {
      ...{ changed: true, snapshot_id: id, report: JSON.stringify(result.report) },
      ...(accepted !== null && { contract_id: accepted, proposed_contract_id: accepted }),
    });
  });
  await commit.catch(async (error) => {
    close();
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
  { proposal, deviations }: Refused,
  adoption: Awaited<ReturnType<typeof planAdoption>> | null,
): Promise<void> {
  const proposed = proposal === null ? null : await propose(tx, ctx, row, proposal);
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
  // One that was tried before is started again by whoever accepts the contract once more.
  const isWanted = adoption?.isBehind && !(await wasReread(tx, row.contract_id!));
  const reread = isWanted ? (await adoption.start(tx, null)).started_ingestion_id : null;
  const warnings = proposal?.warnings ?? [];
  const report: RefusedReport = {
    ...(reread !== null && { reread_ingestion_id: reread }),
    ...(warnings.length > 0 && tellWarnings(warnings)),
  };
  await end(tx, ctx, row, 'refused', {
    ...{ proposed_contract_id: proposed, deviations: JSON.stringify(deviations) },
    ...(Object.keys(report).length > 0 && { report: JSON.stringify(report) }),
  });
}

function propose(tx: Tx, ctx: Context, row: IngestionRow, { document, changes }: Proposal): Promise<string> {
  const asked = { baseId: row.contract_id, ingestionId: row.id };
  return addProposal(tx, ctx, { document, changes: JSON.stringify(changes), ...asked });
}

/** Makes the contract active that an ingestion proposes; returns its id. Throws when another has become active. */
async function acceptProposal(tx: Tx, ctx: Context, row: IngestionRow, proposal: Proposal): Promise<string> {
  const active = await selectActiveContract(tx);
  if ((active?.id ?? null) !== row.contract_id) throw dataChanged();
  const id = await propose(tx, ctx, row, proposal);
  await acceptWithin(tx, ctx, id);
  return id;
}

async function end(
  tx: Tx,
  ctx: Context,
  { id, kind }: IngestionRow,
  status: 'succeeded' | 'refused' | 'failed',
  change: Parameters<typeof updateIngestion>[2],
): Promise<void> {
  const isOurs = await updateIngestion(tx, id, { ...change, status, finished_at: new Date() });
  // Another worker, which took this one for dead, ended the ingestion. The throw rolls back this transaction.
  if (!isOurs) throw new Failure('unavailable', 'the ingestion has been ended meanwhile');
  await record(tx, ctx, 'ingestion-lifecycle', { type: 'ingestion', id }, { status, kind });
}
