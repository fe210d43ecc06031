import { sql } from 'kysely';
import { organizationContext, systemContext } from '../access/context.ts';
import { type Database, system, type Tx } from '../access/transactions.ts';
import { append, type Growing, rootOf } from '../lib/crypto/merkle.ts';
import type { NoteSigner } from '../lib/crypto/signed-note.ts';
import { record } from './record.ts';
import { signTombstone } from './tombstone.ts';

const hashesPerPage = 10_000;
/** Most months that one call drops. */
const monthsMost = 24;

/**
 * Makes the partitions of the coming months, and drops those of months that ended more than `days` days ago, one
 * transaction each: a signed tombstone says of each tree which leaves have no entries any more. The leaves stay. One
 * process at a time does this; another returns. Returns how many months it dropped.
 */
export async function expireEntries(db: Database, signer: NoteSigner, days: number): Promise<number> {
  await system(db, 'audit months', (tx) => sql`select make_audit_months(now())`.execute(tx));
  for (let dropped = 0; ; dropped++) {
    const isOver = dropped === monthsMost || !(await system(db, 'audit months', (tx) => dropOldest(tx, signer, days)));
    if (isOver) return dropped;
  }
}

async function dropOldest(tx: Tx, signer: NoteSigner, days: number): Promise<boolean> {
  const lock = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('lastro audit expiry')) as "isOurs"`.execute(tx);
  if (!lock.rows[0].isOurs) return false;
  const { rows } = await sql<Month>`
    select * from (
      select to_timestamp(substr(relname, 9) || ' 00 +00', 'YYYY_MM HH24 TZH') as since from pg_class
      where relnamespace = 'audit'::regnamespace and relname ~ '^entries_\\d{4}_\\d{2}$') as month,
      lateral (select since at time zone 'UTC' + interval '1 month' as ended) as e,
      lateral (select ended at time zone 'UTC' as until, clock_timestamp() as at) as u
    where until <= now() - make_interval(days => ${days})
    order by since limit 1`.execute(tx);
  if (rows.length === 0) return false;
  const [month] = rows;
  for (const gone of await selectRanges(tx, month)) await bury(tx, signer, gone, month.at.toISOString());
  await sql`select drop_audit_month(${month.since}, ${days})`.execute(tx);
  return true;
}

type Month = { readonly since: Date; readonly until: Date; readonly at: Date };
type Gone = {
  readonly tree: string;
  readonly organization_id: string;
  readonly workspace_id: string | null;
  readonly first: number;
  readonly last: number;
};

/** The leaves of a month as ranges without gaps: an entry that committed late stands among those of the next month. */
async function selectRanges(tx: Tx, { since, until }: Month): Promise<Gone[]> {
  const { rows } = await sql<Gone>`
    select tree, organization_id, workspace_id, min(leaf_index) as first, max(leaf_index) as last
    from (select tree, leaf_index, leaf_index - row_number() over (partition by tree order by leaf_index) as island
      from audit_leaves where recorded_at >= ${since} and recorded_at < ${until}) as leaf
    join audit_trees using (tree)
    group by tree, organization_id, workspace_id, island order by tree, first`.execute(tx);
  return rows;
}

async function bury(tx: Tx, signer: NoteSigner, gone: Gone, at: string): Promise<void> {
  const { tree, organization_id, workspace_id, first, last } = gone;
  const root = await rootOfRange(tx, gone);
  const note = signTombstone(signer, { tree, first, last, root, at });
  await tx
    .insertInto('audit_tombstones')
    .values({ tree, first_index: first, last_index: last, root, at, key_id: signer.keyId, note })
    .execute();
  const { actor } = systemContext({ organizationId: '', workspaceId: '', timeZone: 'UTC', language: 'en' });
  const ctx =
    workspace_id === null
      ? organizationContext(organization_id, actor)
      : systemContext({ organizationId: organization_id, workspaceId: workspace_id, timeZone: 'UTC', language: 'en' });
  await record(
    tx,
    ctx,
    'audit-entry-expiry',
    { type: 'audit_tree', id: tree },
    { first_index: first, last_index: last },
  );
}

async function rootOfRange(tx: Tx, { tree, first, last }: Gone): Promise<Buffer> {
  const range: Growing = { size: 0, peaks: [] };
  for (let at = first; at <= last; at += hashesPerPage) {
    const leaves = await tx
      .selectFrom('audit_leaves')
      .select('hash')
      .where('tree', '=', tree)
      .where('leaf_index', '>=', at)
      .where('leaf_index', '<=', Math.min(last, at + hashesPerPage - 1))
      .orderBy('leaf_index')
      .execute();
    for (const { hash } of leaves) append(range, hash);
  }
  return rootOf(range.peaks);
}
