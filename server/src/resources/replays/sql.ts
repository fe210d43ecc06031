import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Replays, Snapshots } from '../../schema/tables.ts';
import { finishedStatuses, type ReplayRow } from './replay.ts';

export function selectReplay(tx: Tx, id: string): Promise<ReplayRow | undefined> {
  return tx.selectFrom('replays').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectReplay`, and locks the row until the transaction ends. */
export function lockReplay(tx: Tx, id: string): Promise<ReplayRow | undefined> {
  return tx.selectFrom('replays').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function selectReplays(tx: Tx, before: string | null, most: number): Promise<RowPage<ReplayRow>> {
  return selectPage(tx, { table: 'replays', before, most, bytesMax: pageBytesMax });
}

/** Returns how many replays of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx
    .selectFrom('replays')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(most)
    .execute();
  return open.length;
}

export async function insertReplay(tx: Tx, row: Insertable<Replays>): Promise<void> {
  await tx.insertInto('replays').values(row).execute();
}

/**
 * Updates a replay that has not finished; with `attempt`, only while that attempt has it. Returns false when it did
 * not.
 */
export async function updateReplay(
  tx: Tx,
  id: string,
  change: Updateable<Replays>,
  attempt: number | null = null,
): Promise<boolean> {
  let update = tx.updateTable('replays').set(change).where('id', '=', id).where('status', 'not in', finishedStatuses);
  if (attempt !== null) update = update.where('attempt', '=', attempt);
  return Number((await update.executeTakeFirst()).numUpdatedRows) === 1;
}

/** Where the files of a version are stored, and what it reads. */
export function selectPinnedVersion(tx: Tx, id: string) {
  return tx
    .selectFrom('model_versions')
    .select(['id', 'model_id', 'contract_id', 'storage_prefix', 'files', 'gfm_version_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export function selectPinnedSnapshot(tx: Tx, id: string): Promise<Selectable<Snapshots> | undefined> {
  return tx.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A prediction of the log and what it is pinned to. */
export type PinnedId = {
  readonly id: string;
  readonly version_id: string;
  readonly snapshot_id: string;
  readonly is_erased: boolean;
};

/** Predictions by their ids, or those whose ids lie between two, of one model or version. */
export type IdRange = {
  readonly ids?: readonly string[];
  readonly from_id?: string;
  readonly until_id?: string;
  readonly model_id?: string;
  readonly version_id?: string;
};

/** The next predictions of a range, by id; those after `after`, if it is given. At most `most`. */
export function selectRange(tx: Tx, range: IdRange, after: string | null, most: number): Promise<PinnedId[]> {
  let query = tx
    .selectFrom('predictions')
    .select(['id', 'version_id', 'snapshot_id', sql<boolean>`erased_at is not null`.as('is_erased')])
    .where(ofRange(range))
    .orderBy('id')
    .limit(most);
  if (after !== null) query = query.where('id', '>', after);
  return query.execute();
}

export async function countRange(tx: Tx, range: IdRange): Promise<number> {
  const { count } = await tx
    .selectFrom('predictions')
    .select(sql<number>`count(*)::double precision`.as('count'))
    .where(ofRange(range))
    .executeTakeFirstOrThrow();
  return count;
}

function ofRange({ ids, from_id, until_id, model_id, version_id }: IdRange) {
  const conditions = [
    ...(ids === undefined ? [] : [sql<boolean>`id = any(${ids})`]),
    ...(from_id === undefined ? [] : [sql<boolean>`id >= ${from_id}`]),
    ...(until_id === undefined ? [] : [sql<boolean>`id < ${until_id}`]),
    ...(model_id === undefined ? [] : [sql<boolean>`model_id = ${model_id}`]),
    ...(version_id === undefined ? [] : [sql<boolean>`version_id = ${version_id}`]),
  ];
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`;
}

/** Those of some ids that predictions have. */
export async function selectKnown(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.selectFrom('predictions').select('id').where('id', '=', sql<string>`any(${ids})`).execute();
  return rows.map(({ id }) => id);
}

/** Predictions of the log that have not been erased, by id. */
export function selectLogged(tx: Tx, ids: readonly string[]) {
  return tx
    .selectFrom('predictions')
    .select(['id', 'inputs', 'outputs', 'outputs_sha256', 'time_zone', 'language', 'include'])
    .where('id', '=', sql<string>`any(${ids})`)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Predictions among which a sample is chosen. */
const sampledFromMax = 100_000;

/**
 * The ids of a sample of the newest predictions, in turn of up to `pairsMax` pairs of version and snapshot, the newest
 * of each first: of the newest pair, and of others that `seed` chooses.
 */
export async function selectSample(tx: Tx, most: number, pairsMax: number, seed: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with newest as (
      select id, version_id, snapshot_id from predictions where erased_at is null order by id desc limit ${sampledFromMax}),
    pairs as (
      select version_id, snapshot_id from newest group by version_id, snapshot_id
      order by max(id) = (select max(id) from newest) desc, md5(version_id || snapshot_id || ${seed}), version_id
      limit ${pairsMax}),
    ranked as (
      select id, row_number() over (partition by version_id, snapshot_id order by id desc) as rank
      from newest join pairs using (version_id, snapshot_id))
    select id from ranked order by rank, id desc limit ${most}`.execute(tx);
  return rows.map(({ id }) => id).sort();
}

/** Active workspaces that have predictions, in whose zone it is one of the given hours, and none checked since. */
export async function selectUnchecked(
  tx: Tx,
  { now, since, hours }: { readonly now: Date; readonly since: Date; readonly hours: readonly [number, number] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces as w
    where status = 'active'
      and extract(hour from ${now}::timestamptz at time zone w.time_zone) >= ${hours[0]}
      and extract(hour from ${now}::timestamptz at time zone w.time_zone) < ${hours[1]}
      and exists (select from predictions as p where p.workspace_id = w.id and p.erased_at is null)
      and not exists (select from replays as r where r.workspace_id = w.id and r.origin = 'self_check'
        and r.created_at > ${since})
    order by id`.execute(tx);
  return rows.map(({ id }) => id);
}
