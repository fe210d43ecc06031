import { sql } from 'kysely';
import type { Role } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';

/** A role of a user in one place: a workspace, or an organization as a whole. */
export type MemberRow = {
  readonly id: string;
  readonly user_id: string;
  readonly workspace_id: string | null;
  readonly role: string;
  readonly email: string;
  readonly display_name: string;
  readonly created_at: Date;
};

function members(tx: Tx, { organizationId }: Context<Scope>) {
  return tx
    .selectFrom('grants as g')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .select(['g.id', 'g.user_id', 'g.workspace_id', 'g.role', 'u.email', 'u.display_name', 'g.created_at'])
    .where('g.organization_id', '=', organizationId);
}

/** Who has a role that holds in the scope: in a workspace also those with one in the whole organization. */
export async function selectMembers(
  tx: Tx,
  ctx: Context<Scope>,
  after: string | null,
  most: number,
): Promise<MemberRow[]> {
  return members(tx, ctx)
    .where((or) =>
      or.or([
        or('g.workspace_id', 'is', null),
        ...(ctx.workspaceId === null ? [] : [or('g.workspace_id', '=', ctx.workspaceId)]),
      ]),
    )
    .$if(after !== null, (query) => query.where('g.id', '<', after))
    .orderBy('g.id', 'desc')
    .limit(most)
    .execute();
}

/** The role of a user in exactly this scope. */
export async function selectMember(tx: Tx, ctx: Context<Scope>, userId: string): Promise<MemberRow | undefined> {
  return members(tx, ctx)
    .where('g.user_id', '=', userId)
    .where('g.workspace_id', 'is not distinct from', ctx.workspaceId)
    .executeTakeFirst();
}

/** Returns the id of the user with this address who has a role that holds in the workspace. */
export async function selectMemberByEmail(tx: Tx, ctx: Context, canonical: string): Promise<string | undefined> {
  const row = await members(tx, ctx)
    .where('u.email_canonical', '=', canonical)
    .where((or) => or.or([or('g.workspace_id', 'is', null), or('g.workspace_id', '=', ctx.workspaceId)]))
    .executeTakeFirst();
  return row?.user_id;
}

/** Waits until no other transaction changes the members of the organization. */
export async function lockMembers(tx: Tx, { organizationId }: Context<Scope>): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
}

/** Whether somebody is a Creator of the whole organization, and so of each of its workspaces. */
export async function hasCreator(tx: Tx, { organizationId }: Context<Scope>): Promise<boolean> {
  const row = await tx
    .selectFrom('grants as g')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .select('g.id')
    .where('g.organization_id', '=', organizationId)
    .where('g.workspace_id', 'is', null)
    .where('g.role', '=', 'creator')
    .where('u.status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives a user a role in the scope. Returns false when they have one there. */
export async function insertGrant(tx: Tx, ctx: Context<Scope>, userId: string, role: Role): Promise<boolean> {
  const { organizationId, workspaceId } = ctx;
  const inserted = await tx
    .insertInto('grants')
    .values({ id: newId('grt'), organization_id: organizationId, workspace_id: workspaceId, user_id: userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(inserted.numInsertedOrUpdatedRows ?? 0) > 0;
}

export async function updateRole(tx: Tx, id: string, role: Role): Promise<void> {
  await tx.updateTable('grants').set({ role }).where('id', '=', id).execute();
}

export async function deleteGrant(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('grants').where('id', '=', id).execute();
}

/** The places in which a user has a role, for when their account goes. */
export async function selectGrants(tx: Tx, userId: string) {
  return tx
    .selectFrom('grants')
    .select(['id', 'organization_id', 'workspace_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .orderBy('id')
    .execute();
}

export type MembershipEvent = {
  readonly kind:
    | 'invited'
    | 'invitation_resent'
    | 'invitation_revoked'
    | 'joined'
    | 'role_changed'
    | 'removed'
    | 'left';
  readonly userId: string | null;
  readonly email: string;
  readonly oldRole?: string;
  readonly newRole?: string;
};

export async function insertMembershipEvent(tx: Tx, ctx: Context<Scope>, event: MembershipEvent): Promise<void> {
  const { organizationId, workspaceId, actor } = ctx;
  await tx
    .insertInto('membership_events')
    .values({
      ...{ id: newId('mev'), organization_id: organizationId, workspace_id: workspaceId },
      ...{ kind: event.kind, user_id: event.userId, email: event.email },
      ...{ old_role: event.oldRole ?? null, new_role: event.newRole ?? null },
      ...{ actor_type: actor.type, actor_id: actor.id, actor_label: actor.label },
    })
    .execute();
}

/** What has become of the members of the scope, oldest first, page by page. */
export async function selectHistory(tx: Tx, ctx: Context<Scope>, after: string, most: number) {
  return tx
    .selectFrom('membership_events as e')
    .leftJoin('workspaces as w', 'w.id', 'e.workspace_id')
    .select(['e.id', 'e.recorded_at', 'e.kind', 'e.user_id', 'e.email', 'e.old_role', 'e.new_role', 'e.workspace_id'])
    .select(['e.actor_type', 'e.actor_id', 'e.actor_label', sql<string | null>`w.name`.as('workspace_name')])
    .where('e.organization_id', '=', ctx.organizationId)
    .where('e.id', '>', after)
    .orderBy('e.id')
    .limit(most)
    .execute();
}
export type HistoryRow = Awaited<ReturnType<typeof selectHistory>>[number];
