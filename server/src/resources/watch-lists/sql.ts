import { type Insertable, sql, type Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { type Listed, type RowPage, selectPage } from '../../lib/db/page.ts';
import type { DB, WatchListMoves, WatchLists } from '../../schema/tables.ts';
import type { EntryRow, EntryStatus, ListedRow, MoveRow, WatchListRow } from './watch-list.ts';

/** Rows that one statement writes. */
const rowsAtOnce = 5_000;

/** Holds for a list `l` of a workspace `w` that can be scored: its alias is there, and there are data. */
const isServed = `w.status = 'active' and w.snapshot_id is not null
  and exists (select from aliases as a where a.model_id = l.model_id and a.alias = l.alias)`;
/** Holds where all of it is to be rescored: another version answers, there are newer data, or it is another day. */
const isOutdated = `(l.snapshot_id is distinct from w.snapshot_id
  or (l.as_of at time zone w.time_zone)::date < (now() at time zone w.time_zone)::date
  or not exists (select from aliases as a where a.model_id = l.model_id and a.alias = l.alias
    and a.version_id = l.version_id))`;
const isDue = `${isServed} and (${isOutdated}
  or exists (select from watch_list_entries as e where e.list_id = l.id and e.status = 'waiting'))`;

/** Holds while a list is to be rescored that no job is at. */
export const isAnyListDue = `exists (select from watch_lists as l join workspaces as w on w.id = l.workspace_id
  where l.rest_until <= now() and ${isDue})`;

const listed = sql`
  select l.*, counted.*, moved.*, (${sql.raw(isDue)}) as is_due,
    (select a.version_id from aliases as a where a.model_id = l.model_id and a.alias = l.alias) as alias_version_id
  from watch_lists as l join workspaces as w on w.id = l.workspace_id
  cross join lateral (
    select count(*)::int as total, (count(*) filter (where status = 'scored'))::int as scored,
      (count(*) filter (where status = 'unknown'))::int as unknown,
      (count(*) filter (where status = 'refused'))::int as refused,
      (count(*) filter (where status = 'waiting'))::int as waiting
    from watch_list_entries as e where e.list_id = l.id) as counted
  cross join lateral (
    select count(*)::int as moves, max(at) as last_moved_at from watch_list_moves as m where m.list_id = l.id) as moved`;

/** The lists of the workspace, newest first. */
export async function selectLists(tx: Tx, before: string | null, most: number): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    ${listed} where ${before}::text is null or l.id < ${before} order by l.id desc limit ${most}`.execute(tx);
  return rows;
}

export async function selectList(tx: Tx, id: string): Promise<ListedRow | undefined> {
  const { rows } = await sql<ListedRow>`${listed} where l.id = ${id}`.execute(tx);
  return rows[0];
}

/** Returns a list and locks its row until the transaction ends. */
export function lockList(tx: Tx, id: string): Promise<WatchListRow | undefined> {
  return tx.selectFrom('watch_lists').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Counts the lists of the workspace; others that add one wait until the transaction ends. */
export async function countLists(tx: Tx, { workspaceId }: Context): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`watch lists ${workspaceId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from watch_lists`.execute(tx);
  return rows[0].count;
}

export async function insertList(tx: Tx, row: Insertable<WatchLists>): Promise<void> {
  await tx.insertInto('watch_lists').values(row).execute();
}

export async function updateList(tx: Tx, id: string, change: Updateable<WatchLists>): Promise<void> {
  await tx.updateTable('watch_lists').set(change).where('id', '=', id).execute();
}

export async function deleteList(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('watch_lists').where('id', '=', id).execute();
}

/** Lists that are to be rescored, of all workspaces; until `rest` is over they are the caller's. */
export async function claimDue(
  tx: Tx,
  restHours: number,
  most: number,
): Promise<{ id: string; workspace_id: string }[]> {
  const { rows } = await sql<{ id: string; workspace_id: string }>`
    update watch_lists set rest_until = now() + ${restHours} * interval '1 hour'
    where id in (
      select l.id from watch_lists as l join workspaces as w on w.id = l.workspace_id
      where l.rest_until <= now() and ${sql.raw(isDue)}
      order by l.rest_until limit ${most} for update of l skip locked)
    returning id, workspace_id`.execute(tx);
  return rows;
}

/** Whether all of a list is to be rescored, or else only what was added. */
export async function isWholeDue(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_outdated: boolean }>`
    select ${sql.raw(isOutdated)} as is_outdated
    from watch_lists as l join workspaces as w on w.id = l.workspace_id where l.id = ${id}`.execute(tx);
  return rows[0].is_outdated;
}

/** Where the files of the version that an alias points at are stored, and its GFM version; one, or none without it. */
export function selectAliasVersion(tx: Tx, { model_id, alias }: Pick<WatchListRow, 'model_id' | 'alias'>) {
  return tx
    .selectFrom('model_versions as v')
    .innerJoin('aliases as a', (join) => join.onRef('a.model_id', '=', 'v.model_id').onRef('a.version_id', '=', 'v.id'))
    .select(['v.id', 'v.model_id', 'v.storage_prefix', 'v.files', 'v.gfm_version_id'])
    .where('a.model_id', '=', model_id)
    .where('a.alias', '=', alias)
    .execute();
}

/** Which entries a list has, as lists are asked for. */
export function entriesOf(id: string, filters: Listed['filters']): Listed {
  return { table: 'watch_list_entries', filters: { list_id: id, ...filters } };
}

export function selectEntries(tx: Tx, of: Listed, before: string | null, most: number): Promise<RowPage<EntryRow>> {
  return selectPage(tx, { ...of, before, most, bytesMax: pageBytesMax });
}

/** The keys of a list that are to be scored, by id: all, or those that were not yet. */
export function selectKeys(tx: Tx, id: string, which: 'all' | 'waiting'): Promise<{ id: string; key: string }[]> {
  let query = tx.selectFrom('watch_list_entries').select(['id', 'key']).where('list_id', '=', id).orderBy('id');
  if (which === 'waiting') query = query.where('status', '=', 'waiting');
  return query.execute();
}

/** Adds keys that the list does not have; returns how many these were. */
export async function insertKeys(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  id: string,
  keys: readonly string[],
): Promise<number> {
  let added = 0;
  for (let at = 0; at < keys.length; at += rowsAtOnce) {
    const own = keys.slice(at, at + rowsAtOnce);
    const { numAffectedRows } = await sql`
      insert into watch_list_entries (id, organization_id, workspace_id, list_id, key)
      select k.id, ${organizationId}, ${workspaceId}, ${id}, k.key
      from unnest(${own.map(() => newId('wle'))}::text[], ${own}::text[]) as k (id, key)
      on conflict (list_id, key) do nothing`.execute(tx);
    added += Number(numAffectedRows);
  }
  return added;
}

/** Removes the entries of a list with these keys, or all with others; returns how many there were. */
export async function deleteKeys(
  tx: Tx,
  id: string,
  which: 'these' | 'others',
  keys: readonly string[],
): Promise<number> {
  const those = which === 'these' ? sql`key = any(${keys}::text[])` : sql`key <> all(${keys}::text[])`;
  const { numAffectedRows } = await sql`
    delete from watch_list_entries where list_id = ${id} and ${those}`.execute(tx);
  return Number(numAffectedRows);
}

export async function countKeys(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from watch_list_entries where list_id = ${id}`.execute(tx);
  return rows[0].count;
}

export type KnownEntry = Pick<EntryRow, 'id' | 'score' | 'told_score' | 'told_band' | 'history'>;

/** What is known of entries of a list that it still has; they are locked until the transaction ends. */
export function lockEntries(tx: Tx, id: string, which: 'all' | 'waiting'): Promise<KnownEntry[]> {
  let query = tx
    .selectFrom('watch_list_entries')
    .select(['id', 'score', 'told_score', 'told_band', 'history'])
    .where('list_id', '=', id)
    .orderBy('id')
    .forUpdate();
  if (which === 'waiting') query = query.where('status', '=', 'waiting');
  return query.execute();
}

export type ScoredEntry = {
  readonly id: string;
  readonly status: EntryStatus;
  readonly score: number | null;
  readonly band: string | null;
  /** Whether this is what was told last from now on. */
  readonly isTold: boolean;
  readonly history: string;
};

/** Writes what entries were scored as. */
export async function updateEntries(tx: Tx, entries: readonly ScoredEntry[], asOf: Date): Promise<void> {
  for (let at = 0; at < entries.length; at += rowsAtOnce) {
    const own = entries.slice(at, at + rowsAtOnce);
    await sql`
      update watch_list_entries as e set status = s.status, score = s.score, band = s.band, as_of = ${asOf},
        told_score = case when s.is_told then s.score else e.told_score end,
        told_band = case when s.is_told then s.band else e.told_band end,
        told_at = case when s.is_told then ${asOf}::timestamptz else e.told_at end,
        history = s.history::jsonb
      from unnest(${own.map(({ id }) => id)}::text[], ${own.map(({ status }) => status)}::text[],
        ${own.map(({ score }) => score)}::float8[], ${own.map(({ band }) => band)}::text[],
        ${own.map(({ isTold }) => isTold)}::boolean[], ${own.map(({ history }) => history)}::text[])
        as s (id, status, score, band, is_told, history)
      where e.id = s.id`.execute(tx);
  }
}

export async function insertMoves(tx: Tx, moves: readonly Insertable<WatchListMoves>[]): Promise<void> {
  for (let at = 0; at < moves.length; at += movesAtOnce)
    await tx
      .insertInto('watch_list_moves')
      .values(moves.slice(at, at + movesAtOnce))
      .execute();
}

/** Below the parameters that a statement may have. */
const movesAtOnce = 1_000;

/** Which moves a list has, as lists are asked for. */
export function movesOf(id: string, filters: Listed['filters']): Listed {
  return { table: 'watch_list_moves', filters: { list_id: id, ...filters } };
}

/** Moves with the keys of whom they are of, newest first. */
export async function selectMoves(tx: Tx, of: Listed, before: string | null, most: number): Promise<RowPage<MoveRow>> {
  const page = await selectPage<Omit<MoveRow, 'key'>, DB>(tx, {
    ...of,
    ...{ before, most, bytesMax: pageBytesMax },
  });
  const ids = [...new Set(page.rows.map(({ entry_id }) => entry_id))];
  const entries =
    ids.length === 0
      ? []
      : await tx.selectFrom('watch_list_entries').select(['id', 'key']).where('id', 'in', ids).execute();
  const keys = new Map(entries.map(({ id, key }) => [id, key]));
  return { ...page, rows: page.rows.map((row) => ({ ...row, key: keys.get(row.entry_id)! })) };
}

/** Removes the entries of a workspace with these keys, with their moves. */
export async function deleteNamed(tx: Tx, { workspaceId }: Context, keys: readonly string[]): Promise<void> {
  await sql`
    delete from watch_list_entries where workspace_id = ${workspaceId} and key = any(${keys}::text[])`.execute(tx);
}
