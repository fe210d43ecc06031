import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';

/** Ends a key: nothing is answered to it from then on. Throws Failure 'not_found'. */
export async function revokeKey(db: Database, ctx: Context, id: string): Promise<void> {
  await tenant(db, ctx, async (tx) => {
    const done = await tx
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (Number(done.numUpdatedRows) === 0) throw refuse('not_found', `there is no key ${id}`);
    await record(tx, ctx, 'api-key-deletion', { type: 'api_key', id });
  });
  await untilLeasesEnd();
}
