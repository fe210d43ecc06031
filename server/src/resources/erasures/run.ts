import { createReadStream } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../lib/crypto/ids.ts';
import { unseal } from '../../lib/crypto/sealed.ts';
import { Failure } from '../../lib/failure.ts';
import { digestOf } from '../../lib/storage/digest.ts';
import type { ColumnContract } from '../../ml/contract/contract.ts';
import { contractOf } from '../../ml/lake/manifest.ts';
import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { system, type Tx, tenant } from '../../tenancy/doors.ts';
import { workspaceContext } from '../../tenancy/workspace.ts';
import type { App } from '../app.ts';
import { eraseResultsOver } from '../batches/erase.ts';
import { endingOf } from '../files/ending.ts';
import { eraseFiles, shortenFile, uploadedFiles } from '../files/erase.ts';
import { fileKey } from '../files/request-upload.ts';
import { ingestionLock } from '../ingestions/lock.ts';
import { currentIdentifiers, currentSnapshot, selectManifests } from '../ingestions/snapshot.ts';
import { frozenKey, partKey } from '../ingestions/storage-key.ts';
import type { JobFailure } from '../job.ts';
import { servedWithinMs } from '../models/serving.ts';
import { erasePredictions } from '../predictions/erase.ts';
import { labelFiles } from '../tasks/label-files.ts';
import type { KeptFile } from './compute.ts';
import type { Erased } from './erasure.ts';
import type { ErasureJob } from './queue.ts';
import { selectErasure, updateErasure } from './sql.ts';

/** Runs a queued erasure to its end; may be called again after a crash. Throws only what a retry may cure. */
export async function runErasure(app: App, job: ErasureJob, signal: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await tenant(app.db, ctx, async (tx) => {
    const isOpen = await updateErasure(tx, job.id, { status: 'running' });
    return isOpen ? selectErasure(tx, job.id) : undefined;
  });
  if (row?.identifier == null) return;
  const identifier = unseal(app.keys.sealing, row.identifier, `erasures.identifier ${row.id}`);
  const folder = await mkdtemp(join(app.workFolder, `${job.id}-`));
  try {
    const remains = await erase(app, ctx, row.id, identifier, folder, signal);
    if (remains.length > 0) await failErasure(app, job, keptAsText(remains));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends an erasure as failed, unless it has ended. What it had erased stays erased; it may be asked for again. */
export async function failErasure(app: App, { id, workspace_id }: ErasureJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, async (tx) => {
    const end = { status: 'failed', identifier: null, failure: JSON.stringify(failure), finished_at: new Date() };
    if (await updateErasure(tx, id, end))
      await record(tx, ctx, 'erasure-lifecycle', { type: 'erasure', id }, { status: 'failed' });
  });
}

/** Says why nothing was erased, and what to do. */
function keptAsText(remains: readonly string[]): JobFailure {
  return {
    code: 'name_kept_as_text',
    detail: `nothing was erased: the name itself stands in ${remains.join(', ')}. Accept a contract in which the table that these names are the key of has an entityKind (company, individual or asset), or in which a column that is neither key nor reference is marked pii; send the files of these tables again with mode replace; then ask again`,
  };
}

/** Erases, and returns no column; or erases nothing, and returns those that keep the name itself, as `table.column`. */
async function erase(
  app: App,
  ctx: Context,
  id: string,
  identifier: string,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { key, uploaded, labels, kept } = await tenant(app.db, ctx, async (tx) => ({
    key: await currentIdentifiers(tx, ctx),
    uploaded: await uploadedFiles(tx),
    labels: await labelFiles(tx),
    kept: await keptParts(tx, ctx),
  }));
  const files: { id: string; path: string; rest?: string }[] = [];
  for (const file of uploaded) {
    const path = join(folder, `${file.id}${endingOf(file.path, file.content_type)}`);
    await symlink(await app.storage.localPath(file.storage_key), path);
    files.push({ id: file.id, path, ...(labels.has(file.id) && { rest: restOf(folder, file.id) }) });
  }
  const out = join(folder, 'identifiers');
  const found = await app.compute!.run(
    {
      name: 'erase',
      input: {
        identifier,
        identifiers: key === null ? null : await app.storage.localPath(key),
        files,
        kept: await Promise.all(
          kept.map(async (part) => ({ ...part, path: await app.storage.localPath(partKey(ctx, part.id)) })),
        ),
        out,
      },
    },
    { signal },
  );
  if (found.remains.length > 0) return found.remains;
  const gone = found.files.filter((file) => !labels.has(file));
  const shortened = found.files.filter((file) => labels.has(file));
  const root = `${ctx.organizationId}/${ctx.workspaceId}/identifiers/`;
  const nextKey = key === null ? null : `${root}${newId('dic')}`;
  if (nextKey !== null) await app.storage.put(nextKey, createReadStream(out));
  const predictions = await system(app.db, 'erasure', (tx) => erasePredictions(tx, ctx, identifier));
  const outdated: string[] = [];
  const erased = await tenant(app.db, ctx, async (tx) => {
    await ingestionLock(tx, ctx);
    const moved = await tx
      .updateTable('workspaces')
      .set({ identifiers_key: nextKey })
      .where('id', '=', ctx.workspaceId)
      .where('identifiers_key', 'is not distinct from', key)
      .executeTakeFirst();
    if (Number(moved.numUpdatedRows) === 0)
      throw new Failure('unavailable', 'the dictionary changed meanwhile: the erasure begins again');
    const before = (await selectErasure(tx, id))!.erased as Partial<Erased>;
    const erased: Erased = {
      identifiers: (before.identifiers ?? 0) + found.entries,
      predictions: (before.predictions ?? 0) + predictions,
      files: [...(before.files ?? []), ...gone],
      label_files: union(before.label_files, shortened),
      snapshots: union(
        before.snapshots,
        kept.filter((part) => found.older.includes(part.id)).flatMap((part) => part.snapshots),
      ),
      batches: [...(before.batches ?? []), ...(await eraseResultsOver(tx, ctx, found.files))],
    };
    await eraseFiles(tx, ctx, gone);
    for (const file of shortened) await shortenFile(tx, file, await digestOf(createReadStream(restOf(folder, file))));
    if (!(await updateErasure(tx, id, { erased: JSON.stringify(erased) })))
      throw new Failure('unavailable', 'the erasure was ended meanwhile');
    // Those that an ingestion stores from here on are made of the new one.
    for await (const { key } of app.storage.list(root)) if (key !== nextKey) outdated.push(key);
    return erased;
  });
  // Nothing leads to these bytes any more. It is done when they are gone; a process that dies first leaves it to be done again.
  const own = `${ctx.organizationId}/${ctx.workspaceId}`;
  for (const file of erased.files) await app.storage.delete(fileKey(ctx, file));
  for (const file of shortened) await app.storage.put(fileKey(ctx, file), createReadStream(restOf(folder, file)));
  for (const part of found.older) await app.storage.delete(partKey(ctx, part));
  for (const snapshot of erased.snapshots) await app.storage.delete(frozenKey(ctx, snapshot));
  for (const batch of erased.batches) await app.storage.deletePrefix(`${own}/batches/${batch}/`);
  for (const key of outdated) await app.storage.delete(key);
  // Until then a process may still answer by the dictionary that it has open.
  await sleep(servedWithinMs);
  await tenant(app.db, ctx, async (tx) => {
    const isOurs = await updateErasure(tx, id, { status: 'succeeded', identifier: null, finished_at: new Date() });
    if (isOurs) await record(tx, ctx, 'erasure-lifecycle', { type: 'erasure', id }, { status: 'succeeded' });
  });
  return [];
}

type Kept = Omit<KeptFile, 'path'> & { readonly snapshots: readonly string[] };

/** The parts of all snapshots, and the columns of each in which a name itself may stand. */
async function keptParts(tx: Tx, ctx: Context): Promise<Kept[]> {
  const current = await currentSnapshot(tx, ctx);
  const parts = new Map<string, Kept>();
  for (const { id, manifest } of await selectManifests(tx)) {
    const contract = contractOf(manifest);
    const isNumbered = new Set(manifest.numbered ?? []);
    for (const { name, parts: own } of manifest.tables) {
      const table = contract.tables.find((other) => other.name === name)!;
      const names = new Set([...table.key, ...table.references.map(({ column }) => column)]);
      const plain = table.columns.filter((column) => !isNumbered.has(`${name}.${column.name}`));
      const isText = ({ type }: ColumnContract) => type === 'string';
      for (const { path } of own) {
        const known = parts.get(path);
        parts.set(path, {
          id: path,
          table: name,
          isCurrent: id === current?.id || known?.isCurrent === true,
          snapshots: [...(known?.snapshots ?? []), id],
          texts: plain.filter(isText).map((column) => column.name),
          numbers: plain.filter((column) => !isText(column) && names.has(column.name)).map((column) => column.name),
        });
      }
    }
  }
  return [...parts.values()];
}

function restOf(folder: string, file: string): string {
  return join(folder, `${file}.rest`);
}

function union(some: readonly string[] | undefined, more: readonly string[]): string[] {
  return [...new Set([...(some ?? []), ...more])];
}
