import { sql } from 'kysely';
import { type Database, system, type Tx } from '../access/transactions.ts';
import { append, type Growing, rootOf, type TreeNode } from '../lib/crypto/merkle.ts';
import type { NoteSigner } from '../lib/crypto/signed-note.ts';
import { signCheckpoint } from './checkpoint.ts';
import { leafOf, type StoredEntry } from './leaf.ts';
import { storedColumns } from './leaves.ts';

const sealedMost = 2_000;
/** Nodes are kept of every level that is a multiple of this; those between are made of at most 2^7 of them. */
export const levelsPerNode = 8;

type Sealing = {
  readonly signal?: AbortSignal;
  /** Most entries of one transaction. */
  readonly most?: number;
  /**
   * Whether to wait for another process that seals, so that what was committed before the call is sealed after it; by
   * default the work is left to the other.
   */
  readonly waits?: boolean;
};

/** Holds while there are committed entries that are not sealed. */
export const isAnyUnsealed = 'exists (select from audit.unsealed)';

/**
 * Seals committed entries: gives each the next leaf of its tree, and signs a checkpoint of every tree that has grown.
 * An entry is sealed once it is committed, however late that is, in the order in which entries were written. One
 * process seals at a time. Stops soon after `signal` aborts. Returns how many entries it sealed.
 */
export async function sealEntries(db: Database, signer: NoteSigner, options: Sealing = {}): Promise<number> {
  const { signal, most = sealedMost, waits = false } = options;
  for (let sealed = 0; ; ) {
    const round = await system(db, 'seal entries', (tx) => sealSome(tx, signer, most, waits));
    sealed += round;
    if (round < most || signal?.aborted) return sealed;
  }
}

async function sealSome(tx: Tx, signer: NoteSigner, most: number, waits: boolean): Promise<number> {
  if (waits) await sql`select pg_advisory_xact_lock(hashtext('lastro audit seal'))`.execute(tx);
  else {
    const lock = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('lastro audit seal')) as "isOurs"`.execute(tx);
    if (!lock.rows[0].isOurs) return 0;
  }
  // Separate statements, whose snapshots are taken once the lock is held: they see what the last holder did.
  const { rows } = await sql<StoredEntry>`
    with taken as (
      delete from audit.unsealed where ordinal in (select ordinal from audit.unsealed order by ordinal limit ${most})
      returning ordinal, entry_id, recorded_at)
    select ${storedColumns}
    from taken join audit_entries e on e.id = taken.entry_id and e.recorded_at = taken.recorded_at
    order by taken.ordinal`.execute(tx);
  if (rows.length === 0) return 0;
  const trees = new Map<string, StoredEntry[]>();
  for (const entry of rows) {
    const tree = entry.workspace_id ?? entry.organization_id;
    const entries = trees.get(tree);
    if (entries) entries.push(entry);
    else trees.set(tree, [entry]);
  }
  const grown = await grow(tx, trees);
  await insertLeaves(tx, grown);
  await insertNodes(tx, grown);
  await saveTrees(tx, grown);
  await insertCheckpoints(tx, signer, grown);
  return rows.length;
}

type Grown = {
  readonly tree: string;
  readonly before: number;
  readonly after: Growing;
  readonly entries: readonly StoredEntry[];
  readonly hashes: readonly Buffer[];
  readonly nodes: readonly TreeNode[];
};

async function grow(tx: Tx, trees: ReadonlyMap<string, readonly StoredEntry[]>): Promise<Grown[]> {
  const known = await tx
    .selectFrom('audit_trees')
    .select(['tree', 'size', 'peaks'])
    .where(sql<boolean>`tree = any(${[...trees.keys()]})`)
    .execute();
  const stands = new Map(known.map((row) => [row.tree, row]));
  return [...trees].map(([tree, entries]) => {
    const { size: before = 0, peaks = [] } = stands.get(tree) ?? {};
    const after: Growing = { size: before, peaks: peaks.map((peak) => Buffer.from(peak, 'hex')) };
    const nodes: TreeNode[] = [];
    const hashes = entries.map(leafOf);
    for (const hash of hashes)
      append(after, hash, (node) => {
        if (node.level % levelsPerNode === 0) nodes.push(node);
      });
    return { tree, before, after, entries, hashes, nodes };
  });
}

async function insertLeaves(tx: Tx, grown: readonly Grown[]): Promise<void> {
  const leaves = grown.flatMap(({ tree, before, entries, hashes }) =>
    entries.map(({ id, recorded_at }, at) => [tree, String(before + at), id, recorded_at, hashes[at].toString('hex')]),
  );
  const [trees, indexes, ids, moments, hashes] = columnsOf(leaves, 5);
  await sql`insert into audit_leaves (tree, leaf_index, entry_id, recorded_at, hash)
    select tree, leaf_index, entry_id, recorded_at, decode(hash, 'hex') from unnest(${trees}::text[], ${indexes}::bigint[],
      ${ids}::text[], ${moments}::timestamptz[], ${hashes}::text[])
      as leaf (tree, leaf_index, entry_id, recorded_at, hash)`.execute(tx);
}

async function insertNodes(tx: Tx, grown: readonly Grown[]): Promise<void> {
  const nodes = grown.flatMap(({ tree, nodes }) =>
    nodes.map(({ level, position, hash }) => [tree, String(level), String(position), hash.toString('hex')]),
  );
  if (nodes.length === 0) return;
  const [trees, levels, positions, hashes] = columnsOf(nodes, 4);
  await sql`insert into audit_nodes (tree, level, position, hash)
    select tree, level, position, decode(hash, 'hex') from unnest(${trees}::text[], ${levels}::smallint[],
      ${positions}::bigint[], ${hashes}::text[]) as node (tree, level, position, hash)`.execute(tx);
}

async function saveTrees(tx: Tx, grown: readonly Grown[]): Promise<void> {
  for (const { tree, after, entries } of grown) {
    const { organization_id, workspace_id } = entries[0];
    const peaks = after.peaks.map((peak) => peak.toString('hex'));
    await tx
      .insertInto('audit_trees')
      .values({ tree, organization_id, workspace_id, size: after.size, peaks })
      .onConflict((conflict) => conflict.column('tree').doUpdateSet({ size: after.size, peaks }))
      .execute();
  }
}

async function insertCheckpoints(tx: Tx, signer: NoteSigner, grown: readonly Grown[]): Promise<void> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx);
  const at = rows[0].at.toISOString();
  const checkpoints = grown.map(({ tree, before, after }) => {
    const root = rootOf(after.peaks);
    const note = signCheckpoint(signer, { tree, size: after.size, root, at });
    return { tree, size: after.size, root, prev_size: before, at, key_id: signer.keyId, note };
  });
  await tx.insertInto('audit_checkpoints').values(checkpoints).execute();
}

function columnsOf(rows: readonly (readonly string[])[], count: number): string[][] {
  return Array.from({ length: count }, (_, at) => rows.map((row) => row[at]));
}
