import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';

export async function selectAdmins(tx: Tx, organizationId: string) {
  return tx
    .selectFrom('break_glass_admins as b')
    .innerJoin('users as u', 'u.id', 'b.user_id')
    .select(['b.user_id', 'u.email', 'u.display_name', 'b.created_at'])
    .select(sql<boolean>`is_ready_break_glass(b.organization_id, b.user_id)`.as('is_ready'))
    .where('b.organization_id', '=', organizationId)
    .orderBy('b.created_at')
    .orderBy('b.user_id')
    .execute();
}
export type AdminRow = Awaited<ReturnType<typeof selectAdmins>>[number];

/** Whether a user is a Creator of the whole organization, and stays so until the transaction ends. */
export async function isCreator(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('grants')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', 'is', null)
    .where('user_id', '=', userId)
    .where('role', '=', 'creator')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false when the user is one already. */
export async function insertAdmin(
  tx: Tx,
  { organizationId, actor }: Context<OrganizationScope>,
  userId: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('break_glass_admins')
    .values({ organization_id: organizationId, user_id: userId, created_by: actor.id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

/** Returns false when the user is none. */
export async function deleteAdmin(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  userId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('break_glass_admins')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows) > 0;
}
