import type { Permission } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import { keyPrefix } from '../../access/credentials/api-key.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { hashToken, hint, makeToken } from '../../lib/crypto/tokens.ts';
import { record } from '../../trail/record.ts';

export type NewKey = {
  readonly name: string;
  /** Whose role it acts with. */
  readonly userId: string;
  readonly scopes?: readonly Permission[];
  readonly expiresAt?: Date;
};

/** Makes a key of the workspace. `secret` is told here and never again. */
export function createKey(
  db: Database,
  ctx: Context,
  { name, userId, scopes, expiresAt }: NewKey,
): Promise<{ id: string; secret: string }> {
  return tenant(db, ctx, async (tx) => {
    const secret = makeToken(keyPrefix);
    const id = newId('key');
    await tx
      .insertInto('api_keys')
      .values({
        id,
        organization_id: ctx.organizationId,
        workspace_id: ctx.workspaceId,
        user_id: userId,
        name,
        hint: hint(secret),
        secret_hash: hashToken(secret),
        scopes: scopes ? [...scopes] : null,
        expires_at: expiresAt ?? null,
      })
      .execute();
    await record(tx, ctx, 'api-key-creation', { type: 'api_key', id }, { name });
    return { id, secret };
  });
}
