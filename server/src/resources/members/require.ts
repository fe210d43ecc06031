import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { canonicalEmail } from '../users/email.ts';
import { hasCreator, type MemberRow, selectMember, selectMemberByEmail } from './sql.ts';

/** Returns the id of the user with this email address who has a role in the workspace. Throws Failure 'not_found'. */
export async function requireMemberByEmail(db: Database, ctx: Context, email: string): Promise<string> {
  const userId = await tenant(db, ctx, (tx) => selectMemberByEmail(tx, ctx, canonicalEmail(email)));
  if (userId === undefined)
    throw refuse('not_found', `no user ${email} has a role in the workspace ${ctx.workspaceId}`);
  return userId;
}

/** The member with a role in exactly this scope. Throws Failure 'not_found'. */
export async function requireMember(tx: Tx, ctx: Context<Scope>, userId: string): Promise<MemberRow> {
  const row = await selectMember(tx, ctx, userId);
  if (row) return row;
  const place = ctx.workspaceId === null ? 'the organization as a whole' : 'this workspace alone';
  throw refuse('not_found', `no user ${userId} has a role in ${place}`);
}

/** Throws Failure 'last_creator' unless the organization still has a Creator. */
export async function requireCreator(tx: Tx, ctx: Context<Scope>): Promise<void> {
  if (await hasCreator(tx, ctx)) return;
  throw refuse('last_creator', 'the organization would have no Creator: make somebody else one first');
}
