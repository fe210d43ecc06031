import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { endKey } from './revoke.ts';
import { lockKey } from './sql.ts';

/**
 * Deletes a key of one's own; who manages members deletes those of others too. When it returns, no process accepts it.
 * Throws Failure 'not_found', 'permission_denied'.
 */
export async function deleteKey(db: Database, ctx: Context, id: string): Promise<void> {
  await tenant(db, ctx, async (tx) => {
    const key = await lockKey(tx, id);
    if (!key) throw refuse('not_found', `there is no key ${id}`);
    if (key.user_id !== ctx.actor.id && !ctx.permissions.has('manage_members'))
      throw refuse('permission_denied', 'the key acts as somebody else: they may delete it, and a Creator');
    await endKey(tx, ctx, id);
  });
  await untilLeasesEnd();
}
