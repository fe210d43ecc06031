import type { Permission } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import { keyPrefix } from '../../access/credentials/api-key.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { hashToken, hint, makeToken } from '../../lib/crypto/tokens.ts';
import { record } from '../../trail/record.ts';
import { insertKey } from './sql.ts';

export type NewKey = {
  readonly name: string;
  /** The user whose role the key acts with. */
  readonly userId: string;
  readonly scopes?: readonly Permission[];
  readonly expiresAt?: Date;
};

/** Creates a key of the workspace. `secret` is returned here and never again. */
export function createKey(
  db: Database,
  ctx: Context,
  { name, userId, scopes, expiresAt }: NewKey,
): Promise<{ id: string; secret: string }> {
  return tenant(db, ctx, async (tx) => {
    const secret = makeToken(keyPrefix);
    const id = newId('key');
    await insertKey(tx, ctx, {
      ...{ id, name, userId, hint: hint(secret), secretHash: hashToken(secret) },
      ...{ scopes: scopes ?? null, expiresAt: expiresAt ?? null },
    });
    await record(tx, ctx, 'api-key-creation', { type: 'api_key', id }, { name });
    return { id, secret };
  });
}
