import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { requireCreator, requireMember } from './require.ts';
import { deleteGrant, insertMembershipEvent, lockMembers } from './sql.ts';

/**
 * Removes a member of the scope, whose sessions and keys end in the same transaction (a trigger sees to it, whoever
 * removes). When it returns, no process answers them any more. Throws Failure 'not_found', 'last_creator'.
 */
export async function removeMember(db: Database, ctx: Context<Scope>, userId: string): Promise<void> {
  await tenant(db, ctx, (tx) => takeGrant(tx, ctx, userId, userId === ctx.actor.id ? 'left' : 'removed'));
  await untilLeasesEnd();
}

/** Takes a role off a user. Throws as `removeMember` does. */
export async function takeGrant(tx: Tx, ctx: Context<Scope>, userId: string, kind: 'left' | 'removed'): Promise<void> {
  await lockMembers(tx, ctx);
  const row = await requireMember(tx, ctx, userId);
  // Recorded first: afterwards the user may be of another organization, and not to be seen.
  await insertMembershipEvent(tx, ctx, { kind, userId, email: row.email, oldRole: row.role });
  await record(tx, ctx, 'member-removal', { type: 'user', id: userId }, { role: row.role, left: kind === 'left' });
  await deleteGrant(tx, row.id);
  await requireCreator(tx, ctx);
}
