import { sql } from 'kysely';
import type { Role } from '../../access/authorize.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { EventType } from '../../trail/catalog.ts';
import type { Language } from '../mails/texts.ts';

type Place = Pick<Scope, 'organizationId' | 'workspaceId'>;

/** How many mails about one notification each a user was to get within the last hour, and since when. */
export type Recent = { readonly user_id: string; readonly count: number; readonly oldest: Date };

export async function selectNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(tx);
  return rows[0].now;
}

export async function selectRecent(tx: Tx, userIds: readonly string[]): Promise<Recent[]> {
  const { rows } = await sql<Recent>`
    select user_id, count(*)::int as count, min(created_at) as oldest from notification_mails
    where user_id = any(${userIds}) and not is_digest and created_at > now() - interval '1 hour' group by user_id`.execute(
    tx,
  );
  return rows;
}

export type SingleMail = { readonly id: string; readonly place: Place; readonly userId: string };
export type Digest = { readonly place: Place; readonly userId: string; readonly dueAt: Date };

export async function insertSingles(tx: Tx, mails: readonly SingleMail[]): Promise<void> {
  await tx
    .insertInto('notification_mails')
    .values(
      mails.map(({ id, place, userId }) => ({
        ...{ id, organization_id: place.organizationId, workspace_id: place.workspaceId, user_id: userId },
        ...{ is_digest: false, is_open: false, due_at: sql<Date>`now()` },
      })),
    )
    .execute();
}

/**
 * The digests that gather for users in places, each due at its `dueAt` or before. Nobody begins to send them before the
 * transaction ends.
 */
export async function openDigests(tx: Tx, digests: readonly Digest[]) {
  return tx
    .insertInto('notification_mails')
    .values(
      digests.map(({ place, userId, dueAt }) => ({
        ...{ id: newId('nml'), organization_id: place.organizationId, workspace_id: place.workspaceId },
        ...{ user_id: userId, is_digest: true, is_open: true, due_at: dueAt },
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'workspace_id', 'user_id'])
        .where('is_open', '=', true)
        .doUpdateSet({ due_at: sql<Date>`least(notification_mails.due_at, excluded.due_at)` }),
    )
    .returning(['id', 'organization_id', 'workspace_id', 'user_id'])
    .execute();
}

export type ClaimedMail = {
  readonly id: string;
  readonly organization_id: string;
  readonly workspace_id: string | null;
  readonly user_id: string;
  readonly is_digest: boolean;
  readonly attempts: number;
  readonly claim: string;
};

/** Holds while there are mails that are due and that nobody is sending. */
export const isAnyMailDue = `exists (select from notification_mails
  where status = 'waiting' and due_at <= now() and (leased_until is null or leased_until <= now()))`;

/**
 * Claims due mails, so many that at most `most` are being sent at once by all processes; nothing is added to them from
 * then on. A claim ends after `leaseMs`.
 */
export async function claimMails(tx: Tx, most: number, leaseMs: number): Promise<ClaimedMail[]> {
  await sql`select pg_advisory_xact_lock(hashtext('lastro notification mails'))`.execute(tx);
  // A separate statement, whose snapshot is taken once the lock is held.
  const { rows } = await sql<ClaimedMail>`
    update notification_mails set is_open = false, attempts = attempts + 1, claim = ${newId('clm')},
      leased_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where id in (
      select id from notification_mails
      where status = 'waiting' and due_at <= now() and (leased_until is null or leased_until <= now())
      order by due_at
      limit greatest(0, ${most} - (
        select count(*) from notification_mails where status = 'waiting' and leased_until > now()))
      for update skip locked)
    returning id, organization_id, workspace_id, user_id, is_digest, attempts, claim`.execute(tx);
  return rows;
}

export type MailEnd = {
  readonly status: 'waiting' | 'sent' | 'failed' | 'suppressed' | 'dropped';
  /** Of one that is tried again: after how long. */
  readonly againInMs?: number;
  readonly failure?: string;
};

/** Says what became of a mail, unless another has claimed it meanwhile. */
export async function settleMail(tx: Tx, { id, claim }: ClaimedMail, end: MailEnd): Promise<void> {
  const { status, againInMs = 0, failure = null } = end;
  await tx
    .updateTable('notification_mails')
    .set({
      ...{ status, failure, claim: null, leased_until: null },
      ...(status === 'waiting'
        ? { due_at: sql<Date>`now() + ${againInMs} * interval '1 ms'` }
        : { ended_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}

export type Receiver = {
  readonly email: string;
  readonly language: Language;
  readonly place: string;
  /** Those that hold in the place of the mail. */
  readonly roles: readonly Role[];
  readonly is_suppressed: boolean;
};

/** Whom a mail is to; undefined once the account is no longer active. */
export async function selectReceiver(tx: Tx, mail: ClaimedMail): Promise<Receiver | undefined> {
  const { rows } = await sql<Receiver>`
    select u.email, u.language, coalesce(w.name, o.name) as place,
      array(select g.role from grants as g where g.user_id = u.id and g.organization_id = o.id
        and (g.workspace_id is null or g.workspace_id = w.id)) as roles,
      exists (select from mail_suppressions as s where s.user_id = u.id and s.email = u.email) as is_suppressed
    from users as u join organizations as o on o.id = ${mail.organization_id}
      left join workspaces as w on w.id = ${mail.workspace_id}
    where u.id = ${mail.user_id} and u.status = 'active'`.execute(tx);
  return rows[0];
}

export type MailItem = {
  readonly type: EventType;
  readonly title: string;
  readonly body: string;
  readonly link: string | null;
  readonly created_at: Date;
};

/** What a mail tells, the oldest first. */
export async function selectItems(tx: Tx, mailId: string): Promise<MailItem[]> {
  return tx
    .selectFrom('notifications')
    .select(['type', 'title', 'body', 'link', 'created_at'])
    .where('mail_id', '=', mailId)
    .orderBy('position')
    .$castTo<MailItem>()
    .execute();
}

/** Whose mail it is, and of which types it tells; undefined for one that is not known any more. */
export async function selectMailTypes(tx: Tx, mailId: string) {
  const mail = await tx
    .selectFrom('notification_mails as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.organization_id', 'm.workspace_id', 'm.user_id', 'u.email', 'u.language'])
    .where('m.id', '=', mailId)
    .executeTakeFirst();
  if (!mail) return undefined;
  const items = await tx.selectFrom('notifications').select('type').distinct().where('mail_id', '=', mailId).execute();
  return { ...mail, language: mail.language as Language, types: items.map(({ type }) => type as EventType).sort() };
}

/** Notes that a server refuses an address for good. */
export async function insertSuppression(tx: Tx, userId: string, email: string, reason: string): Promise<void> {
  await tx
    .insertInto('mail_suppressions')
    .values({ id: newId('sup'), user_id: userId, email, reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The addresses of a user to which no notification is sent, newest first. */
export async function selectSuppressions(tx: Tx, userId: string) {
  return tx
    .selectFrom('mail_suppressions')
    .select(['id', 'email', 'reason', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}
export type SuppressionRow = Awaited<ReturnType<typeof selectSuppressions>>[number];

/** Returns whether there was one. */
export async function deleteSuppression(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('mail_suppressions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes mails of more than so many days that wait for nothing, at most `most`; returns how many. */
export async function deleteOldMails(tx: Tx, days: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notification_mails where id in (
      select id from notification_mails
      where created_at < now() - ${days} * interval '1 day' and status <> 'waiting' limit ${most})`.execute(tx);
  return Number(numAffectedRows);
}

/** Deletes all mails of a user, and the list of addresses to which no notification is sent. `tx` is of the system. */
export async function deleteMailsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('notification_mails').where('user_id', '=', userId).execute();
  await tx.deleteFrom('mail_suppressions').where('user_id', '=', userId).execute();
}
