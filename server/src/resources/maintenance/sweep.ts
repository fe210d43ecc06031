import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import { system, type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { expireIdempotencyKeys } from '../../api/idempotency.ts';
import { readManifest } from '../../ml/lake/manifest.ts';
import type { App } from '../app.ts';
import { finishedStatuses } from '../batches/batch.ts';
import { expireFiles } from '../files/expire.ts';
import { deleteWithin, ingestionLock } from '../ingestions/lock.ts';
import { lineOf } from '../ingestions/storage-key.ts';

const hourMs = 60 * 60 * 1000;
/** An object younger than this may belong to work that has not committed yet. */
const objectHoursMin = 24;
/** Ingestions wait while so many are removed. */
const keysPerTransaction = 32;

export type Swept = { readonly objects: number; readonly files: number; readonly keys: number };

/**
 * Removes what nothing refers to any more: declared files whose bytes never came, bytes of deleted files, objects left by
 * work that died before it committed, writes that were cut off, answers kept for idempotency. `ageMs` is how old an object
 * must be; ids tell it. What goes wrong in one workspace is logged, and the others are swept; `signal` stops it soon.
 */
export async function sweep(app: App, ageMs = objectHoursMin * hourMs, signal?: AbortSignal): Promise<Swept> {
  const keys = await expireIdempotencyKeys(app.db);
  const workspaces = await system(app.db, 'sweep', (tx) => tx.selectFrom('workspaces').select('id').execute());
  let objects = 0;
  let files = 0;
  for (const { id } of workspaces) {
    if (signal?.aborted) break;
    try {
      const ctx = await workspaceContext(app.db, id);
      files += await expireFiles(app.db, ctx);
      objects += await sweepObjects(app, ctx, Date.now() - ageMs, signal);
    } catch (error) {
      app.log.warn({ err: error, workspace: id }, 'workspace not swept');
    }
  }
  if (!signal?.aborted) await app.storage.tidy(ageMs);
  return { objects, files, keys };
}

async function sweepObjects(app: App, ctx: Context, before: number, signal?: AbortSignal): Promise<number> {
  const root = `${ctx.organizationId}/${ctx.workspaceId}/`;
  const all: string[] = [];
  for await (const { key } of app.storage.list(root)) all.push(key);
  const isKept = await tenant(app.db, ctx, (tx) => referencesOf(tx, root, before));
  const orphans = all.filter((key) => !isKept(key.slice(root.length)));
  let removed = 0;
  for (let at = 0; at < orphans.length && !signal?.aborted; at += keysPerTransaction)
    removed += await removeOrphans(app, ctx, orphans.slice(at, at + keysPerTransaction), before);
  return removed;
}

/** Removes those to which nothing refers still. */
function removeOrphans(app: App, ctx: Context, orphans: readonly string[], before: number): Promise<number> {
  const root = `${ctx.organizationId}/${ctx.workspaceId}/`;
  return tenant(app.db, ctx, async (tx) => {
    // No ingestion begins or ends meanwhile: parts are named by content, and one that nobody refers to may be wanted again.
    await ingestionLock(tx, ctx);
    const isKept = await referencesOf(tx, root, before);
    const removed = orphans.filter((key) => !isKept(key.slice(root.length)));
    for (const key of removed) await deleteWithin(tx, app.storage, key);
    return removed.length;
  });
}

/** Says of a key below a workspace's root whether something refers to it, or may come to: made since `before`, or under way. */
async function referencesOf(tx: Tx, root: string, before: number): Promise<(key: string) => boolean> {
  const kept = new Set<string>();
  const snapshots = await tx
    .selectFrom('snapshots')
    .select(['manifest', 'frozen_key'])
    .where('erased_at', 'is', null)
    .execute();
  for (const { manifest, frozen_key } of snapshots) {
    kept.add(frozen_key.slice(root.length));
    for (const { parts } of readManifest(JSON.stringify(manifest)).tables)
      for (const { path } of parts) kept.add(`lake/${path}`);
  }
  const files = await tx.selectFrom('files').select('storage_key').where('status', '!=', 'deleted').execute();
  for (const { storage_key } of files) kept.add(storage_key.slice(root.length));
  const { identifiers_key: names } = await tx
    .selectFrom('workspaces')
    .select('identifiers_key')
    .where('id', '=', root.split('/')[1])
    .executeTakeFirstOrThrow();
  if (names !== null) kept.add(names.slice(root.length));
  const line = lineOf(names);
  const versions = new Set(
    [
      ...(await tx.selectFrom('model_versions').select('id').execute()),
      ...(await tx.selectFrom('rfm_versions').select('id').execute()),
    ].map(({ id }) => id),
  );
  const batches = await tx
    .selectFrom('batches')
    .select(['id', 'status'])
    .where('result_deleted_at', 'is', null)
    .execute();
  // Of one under way some worker may be writing parts that no row tells of yet.
  const openBatches = new Set(batches.filter(({ status }) => !finishedStatuses.includes(status)).map(({ id }) => id));
  const results = await tx
    .selectFrom('batch_files as f')
    .innerJoin('batches as b', 'b.id', 'f.batch_id')
    .select('f.output_key as key')
    .where('b.result_deleted_at', 'is', null)
    .unionAll(
      tx
        .selectFrom('batch_units as u')
        .innerJoin('batches as b', 'b.id', 'u.batch_id')
        .select('u.errors_key as key')
        .where('b.result_deleted_at', 'is', null),
    )
    .execute();
  for (const { key } of results) if (key !== null) kept.add(key.slice(root.length));
  const { rows } = await sql<{ ingests: boolean; erases: boolean }>`
    select exists (select from ingestions where status in ('queued', 'running')) as ingests,
      exists (select from erasures where status in ('queued', 'running')) as erases`.execute(tx);
  const { ingests, erases } = rows[0];
  return (key) => {
    const [folder, id] = key.split('/');
    // The names that it has may be those that an erasure has taken out, unless it is that of one under way.
    if (folder === 'identifiers' && id !== line && !erases) return false;
    if (!isOlder(key, before)) return true;
    if (folder === 'versions' || folder === 'rfm-versions') return versions.has(id);
    if (folder === 'batches' && openBatches.has(id)) return true;
    return kept.has(key) || (folder === 'lake' && ingests);
  };
}

/** Whether the last id in a key is older; keys without one (parts, named by their content) have no age. */
function isOlder(key: string, before: number): boolean {
  const made = /.*_([0-9a-f]{12})7[0-9a-f]{19}/.exec(key);
  return made === null || Number.parseInt(made[1], 16) < before;
}
