import { createHash } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import { organizationContext, systemContext } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { type ExportFormat, exportedLeaf, exportHead, exportLine, type Manifest } from '../../trail/exported.ts';
import { readLeaves } from '../../trail/leaves.ts';
import { readPeaks } from '../../trail/proofs.ts';
import { sealEntries } from '../../trail/seal.ts';
import type { App } from '../app.ts';
import { treeOf } from '../audit-checkpoints/require.ts';
import type { JobFailure } from '../job.ts';
import { fileNames } from './export.ts';
import type { ExportJob } from './queue.ts';
import {
  type ExportRow,
  selectExport,
  selectNotes,
  selectTombstones,
  selectUnsealed,
  sizeAt,
  sizeFrom,
  updateExport,
} from './sql.ts';

/** Leaves that are read and written at once: what an export has in memory. */
const pageLeaves = 500;
/** How many checkpoints come with an export, about. */
const notesMost = 1_000;
/** Entries without a leaf that come with an export; there are a handful, unless somebody put them there. */
const unsealedMost = 10_000;

/**
 * Writes the files of a queued export: all leaves between two checkpoints, in order, page by page, and what it takes to
 * verify them. Idempotent: it may run again after a crash, and then writes files anew.
 */
export async function runExport(app: App, job: ExportJob, signal: AbortSignal): Promise<void> {
  const ctx = await contextOf(app, job);
  // So that what was recorded before the export was asked for is in it.
  await sealEntries(app.db, app.keys.audit, { signal, waits: true });
  const row = await begin(app, ctx, job.id);
  if (!row) return;
  const folder = `${ctx.organizationId}/audit-exports/${row.id}-${newId('put')}`;
  const names = fileNames(row);
  const counted = { unsealed: 0 };
  const entries = await app.storage.put(`${folder}/${names.entries}`, linesOf(app, ctx, row, counted, signal));
  const manifest = await manifestOf(app, ctx, row, {
    ...{ file: names.entries, format: row.format as ExportFormat, bytes: entries.size, sha256: entries.sha256 },
    ...{ first_index: row.first_index!, end_index: row.end_index!, unsealed: counted.unsealed },
  });
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  await app.storage.put(`${folder}/${names.manifest}`, bytes);
  await tenant(app.db, ctx, (tx) =>
    updateExport(tx, row.id, {
      status: 'succeeded',
      finished_at: new Date(),
      ...{ entries_key: `${folder}/${names.entries}`, entries_bytes: entries.size, entries_sha256: entries.sha256 },
      ...{ manifest_key: `${folder}/${names.manifest}`, manifest_bytes: bytes.length },
      manifest_sha256: createHash('sha256').update(bytes).digest('hex'),
    }),
  );
}

/** Ends an export as failed, unless it has ended. */
export async function failExport(app: App, job: ExportJob, failure: JobFailure): Promise<void> {
  const ctx = await contextOf(app, job);
  const end = { status: 'failed', failure: JSON.stringify(failure), finished_at: new Date() };
  await tenant(app.db, ctx, (tx) => updateExport(tx, job.id, end));
}

function contextOf(app: App, { organization_id, workspace_id }: ExportJob): Promise<Context<Scope>> | Context<Scope> {
  return workspace_id === null
    ? organizationContext(organization_id, systemActor)
    : workspaceContext(app.db, workspace_id);
}

const systemActor = systemContext({ organizationId: '', workspaceId: '', timeZone: 'UTC', language: 'en' }).actor;

/** Marks the export as running with the leaves that it has, the same at each attempt; undefined when it has ended. */
function begin(app: App, ctx: Context<Scope>, id: string): Promise<ExportRow | undefined> {
  return tenant(app.db, ctx, async (tx) => {
    const row = await selectExport(tx, ctx, id);
    if (!row) return undefined;
    const tree = treeOf(ctx);
    const first_index = row.first_index ?? (row.from_at === null ? 0 : await sizeAt(tx, tree, row.from_at));
    const end_index = row.end_index ?? Math.max(first_index, await sizeFrom(tx, tree, row.to_at));
    const isOpen = await updateExport(tx, id, { status: 'running', first_index, end_index, written: 0 });
    return isOpen ? { ...row, first_index, end_index } : undefined;
  });
}

async function* linesOf(
  app: App,
  ctx: Context<Scope>,
  { id, first_index, end_index, format: asked, from_at, to_at }: ExportRow,
  counted: { unsealed: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const format = asked as ExportFormat;
  const head = exportHead(format);
  if (head !== '') yield Buffer.from(head);
  for (let at = first_index!; at < end_index!; at += pageLeaves) {
    signal.throwIfAborted();
    const leaves = await tenant(app.db, ctx, async (tx) => {
      await updateExport(tx, id, { written: at - first_index! });
      return readLeaves(tx, treeOf(ctx), at, Math.min(pageLeaves, end_index! - at));
    });
    yield Buffer.from(leaves.map((leaf) => exportLine(format, exportedLeaf(leaf))).join(''));
  }
  const span = { from: from_at, to: to_at ?? new Date() };
  const unsealed = await tenant(app.db, ctx, (tx) => selectUnsealed(tx, ctx, span, unsealedMost));
  counted.unsealed = unsealed.length;
  const lines = unsealed.map((entry) => exportLine(format, { leaf_index: null, leaf_hash: null, entry }));
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}

function manifestOf(
  app: App,
  ctx: Context<Scope>,
  { id, from_at, to_at }: ExportRow,
  entries: Manifest['entries'],
): Promise<Manifest> {
  const { first_index: first, end_index: end } = entries;
  const tree = treeOf(ctx);
  return tenant(app.db, ctx, async (tx) => ({
    format: 'lastro-audit-export',
    version: 1,
    ...{ export_id: id, tree, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId },
    ...{ from: from_at?.toISOString() ?? null, to: to_at?.toISOString() ?? null },
    entries,
    before: (await readPeaks(tx, tree, first)).map((hash) => hash.toString('hex')),
    checkpoints: await selectNotes(tx, tree, first, end, notesMost),
    tombstones: await selectTombstones(tx, tree, first, end),
    public_key: app.keys.audit.publicKey,
  }));
}
