import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../access/transactions.ts';
import type { StoredEntry } from './leaf.ts';

/** The columns of StoredEntry, of `audit_entries` as `e`. */
export const storedColumns: RawBuilder<StoredEntry> = sql`e.id, e.organization_id, e.workspace_id, e.action, e.outcome,
  e.actor_type, e.actor_id, e.actor_label, e.target_type, e.target_id, e.channel, e.ip, e.user_agent, e.request_id,
  e.data, to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
  encode(e.salt, 'hex') as salt, encode(e.personal, 'hex') as personal`;

/** An entry with its place in its tree. */
export type Leaf = {
  readonly leaf_index: number;
  readonly leaf_hash: Buffer;
  /** Null when its month was dropped. */
  readonly entry: StoredEntry | null;
};

/** A tree of entries: of a workspace, or of an organization for what is done in it as a whole. */
export type Tree = {
  /** The id of the workspace or organization. */
  readonly tree: string;
  readonly organization_id: string;
  readonly workspace_id: string | null;
  /** How many leaves it has: those from 0 to before this. */
  readonly size: number;
};

/** The trees that there are, in order of id, after `after`, at most `most`. `tx` is of the system, or sees one tree. */
export function readTrees(tx: Tx, after: string, most: number): Promise<Tree[]> {
  return tx
    .selectFrom('audit_trees')
    .select(['tree', 'organization_id', 'workspace_id', 'size'])
    .where('tree', '>', after)
    .orderBy('tree')
    .limit(most)
    .execute();
}

/**
 * The leaves of a tree from index `from` on, in order, at most `most`. Leaves have no gaps, are only added at the end,
 * and are never changed: who has read those before an index has read all there will ever be before it.
 */
export async function readLeaves(tx: Tx, tree: string, from: number, most: number): Promise<Leaf[]> {
  type Row = StoredEntry & { readonly leaf_index: number; readonly leaf_hash: Buffer };
  const { rows } = await sql<Row>`
    select l.leaf_index, l.hash as leaf_hash, ${storedColumns}
    from audit_leaves l left join audit_entries e on e.id = l.entry_id and e.recorded_at = l.recorded_at
    where l.tree = ${tree} and l.leaf_index >= ${from} order by l.leaf_index limit ${most}`.execute(tx);
  return rows.map(({ leaf_index, leaf_hash, ...entry }) => ({
    leaf_index,
    leaf_hash,
    entry: entry.id === null ? null : entry,
  }));
}
