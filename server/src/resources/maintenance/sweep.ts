import { expireAttempts } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import { expireTokens } from '../../access/one-time-tokens.ts';
import { system, type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { expireIdempotencyKeys } from '../../api/idempotency.ts';
import { readManifest } from '../../ml/lake/manifest.ts';
import { lineOf } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { expireFiles } from '../files/expire.ts';
import { deleteWithin, ingestionLock } from '../ingestions/lock.ts';
import {
  selectColumnsKeys,
  selectFileKeys,
  selectIdentifiersKey,
  selectOpenBatches,
  selectResultKeys,
  selectSnapshots,
  selectUnderWay,
  selectVersionIds,
  selectWorkspaces,
} from './sql.ts';

const hourMs = 60 * 60 * 1000;
/** A younger object may belong to work that has not committed yet. */
const objectHoursMin = 24;
/** The number of keys removed per transaction. Ingestions wait for the lock meanwhile. */
const keysPerTransaction = 32;

export type Swept = { readonly objects: number; readonly files: number; readonly keys: number };

/**
 * Removes what is no longer referenced: declared files whose bytes never arrived, bytes of deleted files, objects left
 * by work that died before it committed, interrupted writes, stored answers of Idempotency-Keys, and one-time tokens.
 * An object must be at least `ageMs` old, by the time in its id. An error in one workspace is logged, and the other
 * workspaces are swept. `signal` stops the sweep soon.
 */
export async function sweep(app: App, ageMs = objectHoursMin * hourMs, signal?: AbortSignal): Promise<Swept> {
  const keys = await expireIdempotencyKeys(app.db);
  await system(app.db, 'sweep', async (tx) => {
    await expireTokens(tx);
    await expireAttempts(tx);
  });
  const workspaces = await system(app.db, 'sweep', selectWorkspaces);
  let objects = 0;
  let files = 0;
  for (const id of workspaces) {
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

/** Removes the orphans that are still unreferenced. Returns how many. */
function removeOrphans(app: App, ctx: Context, orphans: readonly string[], before: number): Promise<number> {
  const root = `${ctx.organizationId}/${ctx.workspaceId}/`;
  return tenant(app.db, ctx, async (tx) => {
    // The lock keeps ingestions from beginning or ending meanwhile: parts are named by content, so an ingestion may
    // reference a part that was an orphan.
    await ingestionLock(tx, ctx);
    const isKept = await referencesOf(tx, root, before);
    const removed = orphans.filter((key) => !isKept(key.slice(root.length)));
    for (const key of removed) await deleteWithin(tx, app.storage, key);
    return removed.length;
  });
}

/**
 * Returns a function that tells whether a key below the workspace's root must be kept: because it is referenced, or
 * because it may yet be referenced, as it is newer than `before` or belongs to running work.
 */
async function referencesOf(tx: Tx, root: string, before: number): Promise<(key: string) => boolean> {
  const workspaceId = root.split('/')[1];
  const kept = new Set<string>();
  for (const { manifest, frozen_key } of await selectSnapshots(tx)) {
    kept.add(frozen_key.slice(root.length));
    for (const { parts } of readManifest(JSON.stringify(manifest)).tables)
      for (const { path } of parts) kept.add(`lake/${path}`);
  }
  for (const key of [...(await selectFileKeys(tx)), ...(await selectColumnsKeys(tx))]) kept.add(key.slice(root.length));
  const names = await selectIdentifiersKey(tx, workspaceId);
  if (names !== null) kept.add(names.slice(root.length));
  const line = lineOf(names);
  const versions = new Set(await selectVersionIds(tx));
  // A worker may be writing parts of an open batch that no row references yet.
  const openBatches = new Set(await selectOpenBatches(tx));
  for (const key of await selectResultKeys(tx)) kept.add(key.slice(root.length));
  const { ingests, erases } = await selectUnderWay(tx);
  return (key) => {
    const [folder, id] = key.split('/');
    // A dictionary outside the current line may contain erased names, unless a running erasure is about to use it.
    if (folder === 'identifiers' && id !== line && !erases) return false;
    if (!isOlder(key, before)) return true;
    if (folder === 'versions' || folder === 'rfm-versions') return versions.has(id);
    if (folder === 'batches' && openBatches.has(id)) return true;
    return kept.has(key) || (folder === 'lake' && ingests);
  };
}

/**
 * Whether the last id in a key is older than `before`. Keys without an id (parts, named by their content) have no age
 * and count as older.
 */
function isOlder(key: string, before: number): boolean {
  const made = /.*_([0-9a-f]{12})7[0-9a-f]{19}/.exec(key);
  return made === null || Number.parseInt(made[1], 16) < before;
}
