import type { Role } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { presentMember } from './member.ts';
import { requireCreator, requireMember } from './require.ts';
import { insertMembershipEvent, lockMembers, updateRole } from './sql.ts';

/**
 * Gives a member of the scope another role. When it returns, no process answers by the old one any more.
 * Throws Failure 'not_found', 'last_creator'.
 */
export async function setRole(db: Database, ctx: Context<Scope>, userId: string, role: Role) {
  const member = await tenant(db, ctx, async (tx) => {
    await lockMembers(tx, ctx);
    const row = await requireMember(tx, ctx, userId);
    if (row.role === role) return row;
    await updateRole(tx, row.id, role);
    await requireCreator(tx, ctx);
    const event = { kind: 'role_changed', userId, email: row.email, oldRole: row.role, newRole: role } as const;
    await insertMembershipEvent(tx, ctx, event);
    await record(tx, ctx, 'member-role-update', { type: 'user', id: userId }, { from: row.role, to: role });
    return { ...row, role };
  });
  await untilLeasesEnd();
  return presentMember(member);
}
