import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { StoredEntry } from '../../trail/leaf.ts';
import { storedColumns } from '../../trail/leaves.ts';
import type { EntryFilter } from './filter.ts';

/** An entry, and its place in its tree once it is sealed. */
export type EntryRow = StoredEntry & { readonly leaf_index: number | null; readonly leaf_hash: Buffer | null };

/** Newest first, after the entry recorded at `before.recordedAt` with `before.id`. */
export async function selectEntries(
  tx: Tx,
  ctx: Context<Scope>,
  filter: EntryFilter,
  before: { readonly recordedAt: string; readonly id: string } | null,
  most: number,
): Promise<readonly EntryRow[]> {
  const after = before === null ? [] : [sql`(e.recorded_at, e.id) < (${before.recordedAt}::timestamptz, ${before.id})`];
  const where = sql.join([...within(ctx), ...conditions(filter), ...after], sql` and `);
  const { rows } = await sql<EntryRow>`
    select ${storedColumns}, l.leaf_index, l.hash as leaf_hash
    from (select * from audit_entries e where ${where} order by e.recorded_at desc, e.id desc limit ${most}) as e
    left join audit_leaves l on l.entry_id = e.id
    order by e.recorded_at desc, e.id desc`.execute(tx);
  return rows;
}

export async function selectEntry(tx: Tx, ctx: Context<Scope>, id: string): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`
    select ${storedColumns}, l.leaf_index, l.hash as leaf_hash
    from audit_entries e left join audit_leaves l on l.entry_id = e.id
    where e.id = ${id} and ${sql.join(within(ctx), sql` and `)}`.execute(tx);
  return rows[0];
}

/**
 * Takes name, address and agent out of the entries of what a person did in an organization, also by their keys; returns
 * how many had them. `tx` is of the system.
 */
export async function redactEntries(tx: Tx, organizationId: string, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select redact_audit_entries(${organizationId}, ${userId}) as count`.execute(tx);
  return rows[0].count;
}

/** Of exactly this scope: a workspace does not show what is done in the organization as a whole. */
function within({ organizationId, workspaceId }: Context<Scope>): RawBuilder<unknown>[] {
  return workspaceId === null
    ? [sql`e.workspace_id is null`, sql`e.organization_id = ${organizationId}`]
    : [sql`e.workspace_id = ${workspaceId}`];
}

function conditions({ from, to, actions, prefix, without, about, data, ...equal }: EntryFilter): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [];
  if (from) found.push(sql`e.recorded_at >= ${from}::timestamptz`);
  if (to) found.push(sql`e.recorded_at < ${to}::timestamptz`);
  if (actions) found.push(sql`e.action = any(${actions})`);
  if (without) found.push(sql`e.action <> ${without}`);
  // A prefix has letters and hyphens alone.
  if (prefix !== undefined) found.push(sql`e.action like ${`${prefix}%`}`);
  if (about) found.push(sql`e.target_id = any(${idsAbout(about)})`);
  if (data) found.push(sql`e.data ->> ${data.name} = ${data.value}`);
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) found.push(sql`e.${sql.ref(column)} = ${value}`);
  return found;
}

/** An id, and those of what belongs to it, as an array. */
const idsAbout = (id: string): RawBuilder<unknown> => sql`array(
  select ${id} union all select id from model_versions where model_id = ${id}
  union all select id from training_runs where model_id = ${id} or task_id = ${id}
  union all select id from evaluations where model ->> 'model_id' = ${id}
  union all select id from backtests where model ->> 'model_id' = ${id})`;
