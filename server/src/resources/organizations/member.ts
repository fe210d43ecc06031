import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { selectMember } from './sql.ts';

/** Returns the id of the user with this email address who has a role in the workspace. Throws Failure 'not_found'. */
export async function requireMember(db: Database, ctx: Context, email: string): Promise<string> {
  const userId = await tenant(db, ctx, (tx) => selectMember(tx, ctx, email));
  if (userId === undefined)
    throw refuse('not_found', `no user ${email} has a role in the workspace ${ctx.workspaceId}`);
  return userId;
}
