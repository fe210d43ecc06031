import { sql } from 'kysely';
import { devicePrefix, idleMs, lifeMs, sessionPrefix } from '../../access/credentials/session.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { hashToken, makeToken } from '../../lib/crypto/tokens.ts';

export type Method = 'password' | 'password_totp' | 'password_recovery_code' | 'link' | 'passkey' | 'oidc' | 'saml';

/** Who signs in with an address: the user, their password, and the device if it is one of theirs. */
export async function selectAccount(tx: Tx, canonicalEmail: string, deviceHash: string | null) {
  return tx
    .selectFrom('users as u')
    .leftJoin('password_credentials as p', 'p.user_id', 'u.id')
    .leftJoin('devices as d', (join) =>
      join
        .onRef('d.user_id', '=', 'u.id')
        .on('d.token_hash', '=', deviceHash ?? '')
        .on('d.is_proved', '=', true),
    )
    .select(['u.id', 'u.email', 'u.language', 'p.phc', 'd.id as device_id'])
    .where('u.email_canonical', '=', canonicalEmail)
    .where('u.status', '=', 'active')
    .executeTakeFirst();
}

/** Returns the id of the device, if it is one of the user's. */
export async function selectDevice(tx: Tx, userId: string, hash: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('devices')
    .select('id')
    .where('user_id', '=', userId)
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  return row?.id;
}

/** `isProved` says whether the user has proved on it who they are by what the account itself has. */
export async function insertDevice(tx: Tx, userId: string, userAgent: string | null, isProved: boolean) {
  const token = makeToken(devicePrefix);
  const id = newId('dev');
  await tx
    .insertInto('devices')
    .values({ id, user_id: userId, token_hash: hashToken(token), user_agent: userAgent, is_proved: isProved })
    .execute();
  return { id, token };
}

export async function markProved(tx: Tx, deviceId: string): Promise<void> {
  await tx.updateTable('devices').set({ is_proved: true }).where('id', '=', deviceId).execute();
}

/** The connection through which somebody signs in, and when they proved to its provider who they are, if it tells. */
export type Through = { readonly connectionId: string; readonly authenticatedAt: Date | null };

export type NewSession = {
  readonly userId: string;
  readonly deviceId: string;
  readonly method: Method;
  readonly through?: Through | undefined;
  readonly ip: string | null;
  readonly userAgent: string | null;
};

export async function insertSession(tx: Tx, { userId, deviceId, method, through, ip, userAgent }: NewSession) {
  const token = makeToken(sessionPrefix);
  const id = newId('ses');
  await tx
    .insertInto('sessions')
    .values({
      ...{ id, user_id: userId, device_id: deviceId, token_hash: hashToken(token), method, ip, user_agent: userAgent },
      ...(through
        ? {
            sso_connection_id: through.connectionId,
            // Never told is long ago: it is no recent proof.
            authenticated_at: through.authenticatedAt ?? new Date(0),
          }
        : { account_authenticated_at: sql<Date>`now()` }),
      expires_at: new Date(Date.now() + lifeMs),
    })
    .execute();
  return { id, token };
}

/** How a session was begun, which does not change before the transaction ends; undefined when it has ended. */
export async function lockMethod(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sessions')
    .select('method')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.method;
}

/**
 * Gives a session a new token, after its user has proved who they are. One that was begun with one factor becomes one
 * of a passkey, when they did it by one. Undefined when it has ended.
 */
export async function renewSession(tx: Tx, id: string, by: 'password' | 'passkey'): Promise<string | undefined> {
  const proved = sql<Method>`case when method in ('password', 'link') then 'passkey' else method end`;
  const token = makeToken(sessionPrefix);
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({
      ...{ token_hash: hashToken(token), last_seen_at: sql<Date>`now()` },
      ...{ authenticated_at: sql<Date>`now()`, account_authenticated_at: sql<Date>`now()` },
    })
    .$if(by === 'passkey', (query) => query.set({ method: proved }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0 ? token : undefined;
}

/** Notes that the user of a session has proved a passkey in it. */
export async function markPasskey(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ method: 'passkey' })
    .where('id', '=', id)
    .where('method', 'in', ['password', 'link'])
    .execute();
}

export type EndReason = 'signed_out' | 'ended_by_user' | 'unrecognized_device' | 'password_changed';

/** Ends sessions of a user: one, or all but one. Returns how many there were. */
export async function endSessions(
  tx: Tx,
  userId: string,
  reason: EndReason,
  { only, except }: { readonly only?: string; readonly except?: string | null } = {},
): Promise<number> {
  let query = tx
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()`, ended_reason: reason })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
  if (only !== undefined) query = query.where('id', '=', only);
  if (except != null) query = query.where('id', '<>', except);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** The sessions of a user that have not ended, newest first. */
export async function selectSessions(tx: Tx, userId: string) {
  return tx
    .selectFrom('sessions')
    .select(['id', 'method', 'ip', 'user_agent', 'created_at', 'authenticated_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('last_seen_at', '>', sql<Date>`now() - ${idleMs} * interval '1 ms'`)
    .orderBy('id', 'desc')
    .execute();
}
export type SessionRow = Awaited<ReturnType<typeof selectSessions>>[number];

export async function updateSeen(tx: Tx, { id, deviceId }: { id: string; deviceId: string }): Promise<void> {
  const seen = { last_seen_at: sql<Date>`now()` };
  await tx.updateTable('sessions').set(seen).where('id', '=', id).execute();
  await tx.updateTable('devices').set(seen).where('id', '=', deviceId).execute();
}

/** Deletes sessions whose life was over `ms` ago, at most `most`. Returns how many. */
export async function deleteSessions(tx: Tx, ms: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where id in (
      select id from sessions where expires_at < now() - ${ms} * interval '1 ms'
      order by expires_at limit ${most} for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

/** Deletes devices that were last seen `ms` ago and that no session is of, at most `most`. Returns how many. */
export async function deleteDevices(tx: Tx, ms: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from devices where id in (
      select id from devices as d where last_seen_at < now() - ${ms} * interval '1 ms'
        and not exists (select from sessions as s where s.device_id = d.id)
      limit ${most} for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

/** The Creators of an organization as a whole. */
export async function selectCreators(tx: Tx, organizationId: string) {
  return tx
    .selectFrom('grants as g')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .select(['u.email', 'u.language'])
    .where('g.organization_id', '=', organizationId)
    .where('g.workspace_id', 'is', null)
    .where('g.role', '=', 'creator')
    .where('u.status', '=', 'active')
    .orderBy('u.id')
    .execute();
}

/** The organizations that want single sign-on and whose break-glass admin a user is. */
export async function selectBypassed(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('break_glass_admins as b')
    .innerJoin('organizations as o', 'o.id', 'b.organization_id')
    .select('o.id')
    .where('b.user_id', '=', userId)
    .where('o.single_sign_on', '=', 'required')
    .orderBy('o.id')
    .execute();
  return rows.map(({ id }) => id);
}
