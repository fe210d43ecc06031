import type { Answer } from '../lib/http/server.ts';
import type { Context } from './context.ts';
import { type Database, type Tx, tenant } from './doors.ts';
import { refuse } from './errors.ts';

/**
 * Runs a creation in one transaction and answers `status` with what it returns. With an Idempotency-Key the answer is
 * kept in the same transaction: the same request again gets the same answer and has no second effect.
 * Throws Failure 'idempotency_key_reused' where the key came with another body.
 */
export async function create<T>(
  db: Database,
  ctx: Context,
  status: 200 | 201 | 202,
  work: (tx: Tx) => Promise<T>,
): Promise<Answer> {
  const { idempotency } = ctx;
  if (!idempotency) return { status, body: await tenant(db, ctx, work) };
  return tenant(db, ctx, async (tx) => {
    const { key, route, bodyHash } = idempotency;
    const own = { workspace_id: ctx.workspaceId, route, key };
    // Waits for another request with this key to commit or roll back.
    const claimed = await tx
      .insertInto('idempotency_keys')
      .values({ ...own, organization_id: ctx.organizationId, body_hash: bodyHash })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'route', 'key']).doNothing())
      .executeTakeFirst();
    if (Number(claimed.numInsertedOrUpdatedRows ?? 0) === 0) {
      const kept = await tx
        .selectFrom('idempotency_keys')
        .select(['body_hash', 'status', 'response'])
        .where('workspace_id', '=', own.workspace_id)
        .where('route', '=', route)
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      if (kept.body_hash !== bodyHash)
        throw refuse('idempotency_key_reused', 'this Idempotency-Key came with another body before; use a new key');
      return { status: kept.status!, headers: { 'idempotent-replayed': 'true' }, body: kept.response };
    }
    const body = await work(tx);
    await tx
      .updateTable('idempotency_keys')
      .set({ status, response: JSON.stringify(body) })
      .where('workspace_id', '=', own.workspace_id)
      .where('route', '=', route)
      .where('key', '=', key)
      .execute();
    return { status, body };
  });
}
