import { sql } from 'kysely';
import type { Role } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';

const columns = [
  ...(['id', 'organization_id', 'workspace_id', 'email', 'role', 'invited_by', 'created_at', 'sent_at'] as const),
  ...(['times_sent', 'expires_at', 'accepted_at', 'revoked_at'] as const),
];

/** The invitations to exactly this scope, newest first. */
export async function selectInvitations(tx: Tx, ctx: Context<Scope>, before: string | null, most: number) {
  return tx
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', ctx.organizationId)
    .where('workspace_id', 'is not distinct from', ctx.workspaceId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number];

/** An invitation that is neither accepted nor revoked; it may have expired. */
export async function lockOpen(tx: Tx, ctx: Context<Scope>, id: string): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitations')
    .select(columns)
    .where('id', '=', id)
    .where('organization_id', '=', ctx.organizationId)
    .where('workspace_id', 'is not distinct from', ctx.workspaceId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export type NewInvitation = {
  readonly id: string;
  readonly email: string;
  readonly canonical: string;
  readonly role: Role;
  readonly tokenHash: string;
  readonly expiresAt: Date;
};

/** Returns undefined when the address has an open invitation to the same place. */
export async function insertInvitation(
  tx: Tx,
  ctx: Context<Scope>,
  { id, email, canonical, role, tokenHash, expiresAt }: NewInvitation,
): Promise<InvitationRow | undefined> {
  return tx
    .insertInto('invitations')
    .values({
      ...{ id, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, email, email_canonical: canonical },
      ...{ role, token_hash: tokenHash, expires_at: expiresAt },
      invited_by: ctx.actor.type === 'user' ? ctx.actor.id : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function updateSent(
  tx: Tx,
  id: string,
  { tokenHash, expiresAt }: Pick<NewInvitation, 'tokenHash' | 'expiresAt'>,
): Promise<InvitationRow> {
  return tx
    .updateTable('invitations')
    .set({
      ...{ token_hash: tokenHash, expires_at: expiresAt },
      ...{ sent_at: sql<Date>`now()`, times_sent: sql<number>`times_sent + 1` },
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function markRevoked(tx: Tx, id: string): Promise<InvitationRow> {
  return tx
    .updateTable('invitations')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Marks the invitation of a token as accepted. Undefined for one unknown, accepted, revoked or expired. */
export async function takeInvitation(tx: Tx, tokenHash: string) {
  return tx
    .updateTable('invitations')
    .set({ accepted_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning([...columns, 'email_canonical'])
    .executeTakeFirst();
}

/** Marks the open invitations of an address to an organization and its workspaces as accepted; the oldest first. */
export async function takeOpen(tx: Tx, organizationId: string, emailCanonical: string) {
  const rows = await tx
    .updateTable('invitations')
    .set({ accepted_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('email_canonical', '=', emailCanonical)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning([...columns, 'email_canonical'])
    .execute();
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether the invitation of a token may be accepted now. */
export async function isAcceptable(tx: Tx, tokenHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('invitations')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** What a mail calls the place of an invitation. */
export async function selectPlaceName(tx: Tx, { organizationId, workspaceId }: Context<Scope>): Promise<string> {
  const { name } = await tx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (workspaceId === null) return name;
  const workspace = await tx.selectFrom('workspaces').select('name').where('id', '=', workspaceId).executeTakeFirst();
  return `${workspace?.name} (${name})`;
}
