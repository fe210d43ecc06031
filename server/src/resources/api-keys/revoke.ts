import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import { markRevoked } from './sql.ts';

/** Revokes a key, and returns once no process accepts it any more. Throws Failure 'not_found'. */
export async function revokeKey(db: Database, ctx: Context, id: string): Promise<void> {
  await tenant(db, ctx, (tx) => endKey(tx, ctx, id));
  await untilLeasesEnd();
}

/** Revokes a key. Throws Failure 'not_found'. */
export async function endKey(tx: Tx, ctx: Context, id: string): Promise<void> {
  if (!(await markRevoked(tx, id))) throw refuse('not_found', `there is no key ${id}`);
  await record(tx, ctx, 'api-key-deletion', { type: 'api_key', id });
}
