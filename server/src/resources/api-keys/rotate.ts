import type { Context } from '../../access/context.ts';
import { keyPrefix } from '../../access/credentials/api-key.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { hashToken, hint, makeToken } from '../../lib/crypto/tokens.ts';
import { record } from '../../trail/record.ts';
import { type KeyRow, lockKey, replaceSecret, updateName } from './sql.ts';

/** Gives a key of one's own another name. Throws Failure 'not_found', 'permission_denied'. */
export function renameKey(db: Database, ctx: Context, id: string, name: string): Promise<KeyRow> {
  return tenant(db, ctx, async (tx) => {
    const key = await requireOwn(tx, ctx, id);
    if (key.name === name) return key;
    await record(tx, ctx, 'api-key-renaming', { type: 'api_key', id }, { from: key.name, to: name });
    return updateName(tx, id, name);
  });
}

/**
 * Gives a key of one's own a new secret, which is returned here and never again. The one before stays good for
 * `overlapHours`; the one before that ends at once. When it returns, no process accepts what has ended.
 * Throws Failure 'not_found', 'permission_denied'.
 */
export async function rotateKey(
  db: Database,
  ctx: Context,
  id: string,
  overlapHours: number,
): Promise<{ row: KeyRow; secret: string }> {
  const secret = makeToken(keyPrefix);
  const row = await tenant(db, ctx, async (tx) => {
    await requireOwn(tx, ctx, id);
    await record(tx, ctx, 'api-key-recycling', { type: 'api_key', id }, { overlap_hours: overlapHours });
    return replaceSecret(tx, id, { secretHash: hashToken(secret), hint: hint(secret), overlapHours });
  });
  await untilLeasesEnd();
  return { row, secret };
}

/** Whoever knows the secret acts as the key's maker, so that nobody else may have it. */
async function requireOwn(tx: Tx, ctx: Context, id: string): Promise<KeyRow> {
  const key = await lockKey(tx, id);
  if (!key) throw refuse('not_found', `there is no key ${id}`);
  if (key.user_id !== ctx.actor.id)
    throw refuse('permission_denied', 'the key acts as somebody else, who alone may rename or rotate it');
  return key;
}
