import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';

/** The user of this address who has a role in the workspace. Throws Failure 'not_found'. */
export async function requireMember(db: Database, ctx: Context, email: string): Promise<string> {
  const row = await tenant(db, ctx, (tx) =>
    tx
      .selectFrom('users as u')
      .innerJoin('grants as g', 'g.user_id', 'u.id')
      .select('u.id')
      .where('u.email_canonical', '=', email.trim().toLowerCase())
      .where((of) => of.or([of('g.workspace_id', 'is', null), of('g.workspace_id', '=', ctx.workspaceId)]))
      .executeTakeFirst(),
  );
  if (!row) throw refuse('not_found', `no user ${email} has a role in the workspace ${ctx.workspaceId}`);
  return row.id;
}
