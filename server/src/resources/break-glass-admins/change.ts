import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import { type AdminRow, deleteAdmin, insertAdmin, isCreator, selectAdmins } from './sql.ts';

/**
 * Makes a Creator of the whole organization a break-glass admin, who may sign in with password and second factor where
 * others must not. Throws Failure 'not_found' for a user who is no such Creator.
 */
export function addAdmin(db: Database, ctx: Context<OrganizationScope>, userId: string): Promise<AdminRow> {
  const { organizationId } = ctx;
  return system(db, 'add break-glass admin', async (tx) => {
    if (!(await isCreator(tx, organizationId, userId)))
      throw refuse('not_found', `no user ${userId} is a Creator of the organization as a whole`);
    if (await insertAdmin(tx, ctx, userId))
      await record(tx, ctx, 'break-glass-admin-addition', { type: 'user', id: userId });
    return (await selectAdmins(tx, organizationId)).find(({ user_id }) => user_id === userId)!;
  });
}

/**
 * Makes a break-glass admin a member like others. When it returns, no process answers them as one any more.
 * Throws Failure 'not_found', and 'break_glass_required' for the last one who could sign in.
 */
export async function removeAdmin(db: Database, ctx: Context<OrganizationScope>, userId: string): Promise<void> {
  await system(db, 'remove break-glass admin', async (tx) => {
    if (!(await deleteAdmin(tx, ctx, userId))) throw refuse('not_found', `${userId} is no break-glass admin`);
    await record(tx, ctx, 'break-glass-admin-removal', { type: 'user', id: userId });
  });
  await untilLeasesEnd();
}
