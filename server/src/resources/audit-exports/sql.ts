import { sql, type Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { AuditExports } from '../../schema/tables.ts';
import type { StoredEntry } from '../../trail/leaf.ts';
import { storedColumns } from '../../trail/leaves.ts';

/** Newest first. */
export async function selectExports(tx: Tx, ctx: Context<Scope>, before: string | null, most: number) {
  return exportsOf(tx, ctx)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type ExportRow = Awaited<ReturnType<typeof selectExports>>[number];

export async function selectExport(tx: Tx, ctx: Context<Scope>, id: string): Promise<ExportRow | undefined> {
  return exportsOf(tx, ctx).where('id', '=', id).executeTakeFirst();
}

function exportsOf(tx: Tx, { organizationId, workspaceId }: Context<Scope>) {
  return tx
    .selectFrom('audit_exports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', workspaceId === null ? 'is' : '=', workspaceId);
}

export async function insertExport(
  tx: Tx,
  { organizationId, workspaceId, actor }: Context<Scope>,
  row: { readonly id: string; readonly format: string; readonly from_at: Date | null; readonly to_at: Date | null },
): Promise<ExportRow> {
  return tx
    .insertInto('audit_exports')
    .values({ ...row, organization_id: organizationId, workspace_id: workspaceId, created_by: actor.id })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes an export that has not ended; false when it has. */
export async function updateExport(tx: Tx, id: string, change: Updateable<AuditExports>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('audit_exports')
    .set(change)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

/** How many of the scope's exports have not ended, counted up to `most`. */
export async function countOpen(tx: Tx, ctx: Context<Scope>, most: number): Promise<number> {
  const rows = await exportsOf(tx, ctx).where('status', 'in', ['queued', 'running']).limit(most).execute();
  return rows.length;
}

/** The size of the last checkpoint at a moment or before it; 0 when there is none. */
export async function sizeAt(tx: Tx, tree: string, at: Date): Promise<number> {
  const row = await tx
    .selectFrom('audit_checkpoints')
    .select('size')
    .where('tree', '=', tree)
    .where('at', '<=', at)
    .orderBy('at', 'desc')
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.size ?? 0;
}

/** The size of the first checkpoint at a moment or after it; of the newest when there is none, 0 of an empty tree. */
export async function sizeFrom(tx: Tx, tree: string, at: Date | null): Promise<number> {
  const checkpoints = tx.selectFrom('audit_checkpoints').select('size').where('tree', '=', tree);
  const first = at
    ? await checkpoints.where('at', '>=', at).orderBy('at').orderBy('size').limit(1).executeTakeFirst()
    : undefined;
  const row = first ?? (await checkpoints.orderBy('size', 'desc').limit(1).executeTakeFirst());
  return row?.size ?? 0;
}

/** The notes of the checkpoints at both ends of a range, and of about `most` between, the smallest first. */
export async function selectNotes(tx: Tx, tree: string, first: number, end: number, most: number): Promise<string[]> {
  const { rows } = await sql<{ note: string }>`
    select note from (
      select note, size, row_number() over (order by size) as place, count(*) over () as total
      from audit_checkpoints where tree = ${tree} and size between ${first} and ${end}) as c
    where size in (${first}, ${end}) or place % (total / ${most} + 1) = 0 order by size`.execute(tx);
  return rows.map(({ note }) => note);
}

export async function selectTombstones(tx: Tx, tree: string, first: number, end: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('audit_tombstones')
    .select('note')
    .where('tree', '=', tree)
    .where('first_index', '<', end)
    .where('last_index', '>=', first)
    .orderBy('first_index')
    .execute();
  return rows.map(({ note }) => note);
}

/** Entries of the scope that were recorded in a span of time and have no leaf, the oldest first. */
export async function selectUnsealed(
  tx: Tx,
  { organizationId, workspaceId }: Context<Scope>,
  { from, to }: { readonly from: Date | null; readonly to: Date },
  most: number,
): Promise<StoredEntry[]> {
  const owner =
    workspaceId === null
      ? sql`e.workspace_id is null and e.organization_id = ${organizationId}`
      : sql`e.workspace_id = ${workspaceId}`;
  const since = from === null ? sql`true` : sql`e.recorded_at >= ${from}`;
  const { rows } = await sql<StoredEntry>`
    select ${storedColumns} from audit_entries e
    where ${owner} and ${since} and e.recorded_at < ${to}
      and not exists (select from audit_leaves l where l.entry_id = e.id)
    order by e.recorded_at, e.id limit ${most}`.execute(tx);
  return rows;
}

/** Exports that ended before a moment, at most `most`. `tx` is of the system. */
export async function selectExpired(tx: Tx, before: Date, most: number) {
  return tx
    .selectFrom('audit_exports')
    .select(['id', 'entries_key', 'manifest_key'])
    .where('finished_at', '<', before)
    .orderBy('finished_at')
    .limit(most)
    .execute();
}

export async function deleteExports(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('audit_exports').where('id', 'in', ids).execute();
}
