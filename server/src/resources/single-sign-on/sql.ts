import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

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

/** Whether the last thing that became of a user in the organization is that somebody removed them. */
export async function wasRemoved(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('membership_events')
    .select('kind')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('kind', 'in', ['joined', 'removed', 'left'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.kind === 'removed';
}
