import type { Role } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { insertGrant, insertMembershipEvent } from './sql.ts';

export type NewMember = { readonly userId: string; readonly email: string; readonly role: Role };

/**
 * Gives a user a role in the workspace of `ctx`, or in its organization and all workspaces of it. Returns false, and
 * changes nothing, for a user who has one there.
 */
export async function addMember(tx: Tx, ctx: Context<Scope>, { userId, email, role }: NewMember): Promise<boolean> {
  if (!(await insertGrant(tx, ctx, userId, role))) return false;
  await insertMembershipEvent(tx, ctx, { kind: 'joined', userId, email, newRole: role });
  await record(tx, ctx, 'member-addition', { type: 'user', id: userId }, { role, workspace_id: ctx.workspaceId });
  return true;
}
