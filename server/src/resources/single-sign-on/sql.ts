import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { canonicalEmail } from '../users/email.ts';

export async function selectIdentity(tx: Tx, connectionId: string, subject: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sso_identities')
    .select('user_id')
    .where('connection_id', '=', connectionId)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
}

export async function insertIdentity(
  tx: Tx,
  { connectionId, subject, userId }: { connectionId: string; subject: string; userId: string },
): Promise<void> {
  await tx.insertInto('sso_identities').values({ connection_id: connectionId, subject, user_id: userId }).execute();
}

/** Notes that an assertion was taken. Returns false for one that was before. */
export async function insertAssertion(
  tx: Tx,
  { connectionId, assertionId, keptUntil }: { connectionId: string; assertionId: string; keptUntil: Date },
): Promise<boolean> {
  await tx.deleteFrom('saml_assertions').where('expires_at', '<=', sql<Date>`now()`).execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('saml_assertions')
    .values({ connection_id: connectionId, assertion_id: assertionId, expires_at: keptUntil })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

/** Whether a user has a role in the organization or one of its workspaces. */
export async function isMember(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
  const row = await grants(tx, userId).where('organization_id', '=', organizationId).executeTakeFirst();
  return row !== undefined;
}

/** Whether a user has a role in another organization. */
export async function isMemberElsewhere(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
  const row = await grants(tx, userId).where('organization_id', '<>', organizationId).executeTakeFirst();
  return row !== undefined;
}

function grants(tx: Tx, userId: string) {
  return tx.selectFrom('grants').select('id').where('user_id', '=', userId).limit(1);
}

/**
 * Whether somebody has been removed from a place of the organization, under this account or this address, and has not
 * come back to it since.
 */
export async function wasRemoved(
  tx: Tx,
  organizationId: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<boolean> {
  const { rows } = await sql<{ kind: string }>`
    select distinct on (workspace_id) kind from membership_events
    where organization_id = ${organizationId} and kind in ('joined', 'removed', 'left')
      and (user_id = ${id} or lower(email) = ${canonicalEmail(email)})
    order by workspace_id, id desc`.execute(tx);
  return rows.some(({ kind }) => kind === 'removed');
}

/** Whether the provider of a connection knows a user, by whatever subject. */
export async function hasIdentity(tx: Tx, connectionId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('sso_identities')
    .select('subject')
    .where('connection_id', '=', connectionId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes what providers know of a user off one who goes. */
export async function deleteIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sso_identities').where('user_id', '=', userId).execute();
}

/** Waits until no other transaction makes an account of this address. */
export async function lockAddress(tx: Tx, canonical: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('address ' || ${canonical}::text, 0))`.execute(tx);
}
