import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Role } from '../../access/authorize.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Notifications } from '../../schema/tables.ts';
import type { EventType } from '../../trail/catalog.ts';
import type { Language } from '../mails/texts.ts';

/** What somebody sees in a workspace of what they are told. */
export type Inbox = {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  /** Of what is of the workspace. */
  readonly types: readonly EventType[];
  /** Of what is of the organization as a whole or of the account; a key sees none of that. */
  readonly wholeTypes: readonly EventType[];
};

export type Counts = { readonly unseen: number; readonly unread: number };

const columns = [
  ...(['id', 'position', 'workspace_id', 'event_id', 'type', 'title', 'body', 'said', 'link'] as const),
  ...(['created_at', 'seen_at', 'read_at', 'archived_at'] as const),
];

/** What an inbox shows, of whatever state. */
const isIn = ({ userId, organizationId, workspaceId, types, wholeTypes }: Inbox) => sql<SqlBool>`(
  in_app and user_id = ${userId} and organization_id = ${organizationId}
  and ((workspace_id = ${workspaceId} and type = any(${types}))
    or (workspace_id is null and type = any(${wholeTypes}))))`;

export type NotificationFilter = { readonly unseen: boolean; readonly unread: boolean; readonly archived: boolean };

/** Newest first. */
export async function selectNotifications(
  tx: Tx,
  inbox: Inbox,
  { unseen, unread, archived }: NotificationFilter,
  before: string | null,
  most: number,
) {
  return tx
    .selectFrom('notifications')
    .select(columns)
    .where(isIn(inbox))
    .where('archived_at', archived ? 'is not' : 'is', null)
    .$if(unseen, (query) => query.where('seen_at', 'is', null))
    .$if(unread, (query) => query.where('read_at', 'is', null))
    .$if(before !== null, (query) =>
      query.where('position', '<', (eb) =>
        eb.selectFrom('notifications as last').select('last.position').where('last.id', '=', before!),
      ),
    )
    .orderBy('position', 'desc')
    .limit(most)
    .execute();
}
export type NotificationRow = Awaited<ReturnType<typeof selectNotifications>>[number];

export async function selectNotification(tx: Tx, inbox: Inbox, id: string): Promise<NotificationRow | undefined> {
  return tx.selectFrom('notifications').select(columns).where('id', '=', id).where(isIn(inbox)).executeTakeFirst();
}

/** What is in the inbox after a position, whatever its type: who follows looks at that. */
export async function selectAfter(
  tx: Tx,
  { userId, organizationId, workspaceId, wholeTypes }: Inbox,
  after: number,
  most: number,
): Promise<NotificationRow[]> {
  return tx
    .selectFrom('notifications')
    .select(columns)
    .where('in_app', '=', true)
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .where((or) =>
      or.or([or('workspace_id', '=', workspaceId), ...(wholeTypes.length > 0 ? [or('workspace_id', 'is', null)] : [])]),
    )
    .where('position', '>', after)
    .orderBy('position')
    .limit(most)
    .execute();
}

/** The position of the newest in the inbox; 0 before the first. */
export async function newestPosition(tx: Tx, inbox: Inbox): Promise<number> {
  const row = await tx
    .selectFrom('notifications')
    .select(({ fn }) => fn.max('position').as('position'))
    .where(isIn(inbox))
    .executeTakeFirstOrThrow();
  return row.position ?? 0;
}

export const marks = {
  seen: { seen_at: sql<Date>`coalesce(seen_at, now())` },
  // What has been read has been seen.
  read: { seen_at: sql<Date>`coalesce(seen_at, now())`, read_at: sql<Date>`coalesce(read_at, now())` },
  unread: { read_at: null },
  archive: { archived_at: sql<Date>`coalesce(archived_at, now())` },
  unarchive: { archived_at: null },
} as const;
export type Mark = keyof typeof marks;

/** Returns undefined for one that is not in the inbox. */
export async function markOne(tx: Tx, inbox: Inbox, id: string, mark: Mark): Promise<NotificationRow | undefined> {
  return tx
    .updateTable('notifications')
    .set(marks[mark])
    .where('id', '=', id)
    .where(isIn(inbox))
    .returning(columns)
    .executeTakeFirst();
}

/** Marks all that is unread up to a position as read. Returns how many there were. */
export async function markReadUntil(tx: Tx, inbox: Inbox, position: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('notifications')
    .set(marks.read)
    .where(isIn(inbox))
    .where('position', '<=', position)
    .where('read_at', 'is', null)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** One more than is counted at most. */
const countedMax = 100;

/** Counts up to `countedMax` of what is neither archived nor read, or seen. */
export async function selectCounts(tx: Tx, inbox: Inbox): Promise<Counts> {
  const { rows } = await sql<Counts>`select
    (select count(*)::int from (select from notifications where ${isIn(inbox)}
      and seen_at is null and archived_at is null limit ${countedMax}) as unseen) as unseen,
    (select count(*)::int from (select from notifications where ${isIn(inbox)}
      and read_at is null and archived_at is null limit ${countedMax}) as unread) as unread`.execute(tx);
  return rows[0];
}

export type InboxStanding = Counts & { readonly at: number; readonly position: number; readonly authEpoch: number };

/** The newest position of each inbox and what it counts, and the count of changes of rights in its workspace. */
export async function selectStandings(tx: Tx, inboxes: readonly Inbox[]): Promise<InboxStanding[]> {
  const sets: (readonly string[])[] = [];
  const known = new Map<string, number>();
  /** Few callers differ in what they may see: each list of types is sent once. */
  const setOf = (types: readonly string[]): number => {
    const text = types.join();
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, sets.length);
    return sets.push(types) - 1;
  };
  const asked = inboxes.map(({ userId, organizationId, workspaceId, types, wholeTypes }) => ({
    ...{ user_id: userId, organization_id: organizationId, workspace_id: workspaceId },
    ...{ types: setOf(types), whole_types: setOf(wholeTypes) },
  }));
  const counted = (column: 'seen_at' | 'read_at') => sql`(
    select count(*)::int from (
      (select from notifications as n where n.in_app and n.user_id = i.user_id and n.workspace_id = i.workspace_id
        and n.type = any(s.types) and n.${sql.ref(column)} is null and n.archived_at is null limit ${countedMax})
      union all
      (select from notifications as n where n.in_app and n.user_id = i.user_id and n.workspace_id is null
        and n.organization_id = i.organization_id and n.type = any(w.types)
        and n.${sql.ref(column)} is null and n.archived_at is null limit ${countedMax})
      limit ${countedMax}) as counted)`;
  const { rows } = await sql<InboxStanding>`
    with sets as materialized (
      select ordinality - 1 as at, array(select jsonb_array_elements_text(value)) as types
      from jsonb_array_elements(${JSON.stringify(sets)}::jsonb) with ordinality)
    select i.ordinality - 1 as at, here.auth_epoch as "authEpoch",
      greatest(
        (select coalesce(max(position), 0) from notifications as n
          where n.in_app and n.user_id = i.user_id and n.workspace_id = i.workspace_id),
        (select coalesce(max(position), 0) from notifications as n
          where n.in_app and n.user_id = i.user_id and n.workspace_id is null
            and n.organization_id = i.organization_id and cardinality(w.types) > 0)) as position,
      ${counted('seen_at')} as unseen, ${counted('read_at')} as unread
    from rows from (jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as (user_id text, organization_id text, workspace_id text, types int, whole_types int))
      with ordinality as i (user_id, organization_id, workspace_id, types, whole_types, ordinality)
    join workspaces as here on here.id = i.workspace_id
    join sets as s on s.at = i.types join sets as w on w.at = i.whole_types`.execute(tx);
  return rows;
}

/** The roles of a user in an organization as a whole. */
export async function selectWholeRoles(tx: Tx, organizationId: string, userId: string): Promise<Role[]> {
  const rows = await tx
    .selectFrom('grants')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', 'is', null)
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ role }) => role as Role);
}

/** In which the day of an organization as a whole begins, as of a workspace that names no zone. */
const zoneByDefault = 'America/Sao_Paulo';

/** Somebody who may be told of what happens in a place. */
export type Listener = {
  readonly organizationId: string;
  readonly workspaceId: string | null;
  readonly userId: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly roles: readonly Role[];
};

/**
 * Everybody with a role in these workspaces, and in these organizations as a whole, where also those are who are
 * `concerned`. `tx` is of the system.
 */
export async function selectListeners(
  tx: Tx,
  workspaceIds: readonly string[],
  organizationIds: readonly string[],
  concerned: readonly { readonly organizationId: string; readonly userId: string }[],
): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select w.organization_id as "organizationId", w.id as "workspaceId", u.id as "userId", u.language,
      w.time_zone as "timeZone", array_agg(distinct g.role) as roles
    from workspaces as w
      join grants as g on g.organization_id = w.organization_id and coalesce(g.workspace_id, w.id) = w.id
      join users as u on u.id = g.user_id and u.status = 'active'
    where w.id = any(${workspaceIds}) group by w.id, u.id
    union all
    select g.organization_id, null, u.id, u.language, ${zoneByDefault}, array[g.role]
    from grants as g join users as u on u.id = g.user_id and u.status = 'active'
    where g.workspace_id is null and g.organization_id = any(${organizationIds})
    union all
    select distinct c.organization_id, null, u.id, u.language, ${zoneByDefault}, '{}'::text[]
    from unnest(${concerned.map(({ organizationId }) => organizationId)}::text[],
        ${concerned.map(({ userId }) => userId)}::text[]) as c (organization_id, user_id)
      join users as u on u.id = c.user_id and u.status = 'active'
    where not exists (select from grants as g where g.user_id = u.id and g.organization_id = c.organization_id
      and g.workspace_id is null)`.execute(tx);
  return rows;
}

/** Who made keys, by their ids. `tx` is of the system. */
export async function selectMakers(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.selectFrom('api_keys').select(['id', 'user_id']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, user_id }) => [id, user_id]));
}

/** The names of models, by their ids. `tx` is of the system. */
export async function selectModelNames(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.selectFrom('models').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type NewNotification = Omit<Insertable<Notifications>, 'type'> & { readonly type: EventType };

/** Adds those that are not there yet. */
export async function insertNotifications(tx: Tx, rows: readonly NewNotification[]): Promise<void> {
  await tx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .execute();
}

/** Deletes notifications of more than so many days, at most `most`; returns how many. */
export async function deleteOldNotifications(tx: Tx, days: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notifications where id in (
      select id from notifications where created_at < now() - ${days} * interval '1 day' limit ${most})`.execute(tx);
  return Number(numAffectedRows);
}

/** Deletes all that a user was told. `tx` is of the system. */
export async function deleteInbox(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('notifications').where('user_id', '=', userId).execute();
}
