import type { Context } from '../access/context.ts';
import { type Database, system, type Tx, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { Answer } from '../lib/http/server.ts';

/** As long as an Idempotency-Key holds. */
const keptMs = 24 * 60 * 60 * 1000;

/**
 * Runs a creation in one transaction and answers `status` with what it returns. With an Idempotency-Key that is kept in the
 * same transaction: the same request again gets the same answer and has no second effect. `present` makes the answer of
 * what was kept, each time: what must not be kept, or does not hold for as long.
 * Throws Failure 'idempotency_key_reused' where the key came with another body.
 */
export async function create<T>(
  db: Database,
  ctx: Context,
  status: 200 | 201 | 202,
  work: (tx: Tx) => Promise<T>,
  present: (tx: Tx, made: T) => Promise<unknown> = async (_, made) => made,
): Promise<Answer> {
  const { idempotency } = ctx;
  if (!idempotency) return { status, body: await tenant(db, ctx, async (tx) => present(tx, await work(tx))) };
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
      const body = await present(tx, kept.response as T);
      return { status: kept.status!, headers: { 'idempotent-replayed': 'true' }, body };
    }
    const made = await work(tx);
    await tx
      .updateTable('idempotency_keys')
      .set({ status, response: JSON.stringify(made) })
      .where('workspace_id', '=', own.workspace_id)
      .where('route', '=', route)
      .where('key', '=', key)
      .execute();
    return { status, body: await present(tx, made) };
  });
}

/** Forgets keys that hold no longer, and returns how many they were. */
export async function expireIdempotencyKeys(db: Database): Promise<number> {
  const before = new Date(Date.now() - keptMs);
  const { numDeletedRows } = await system(db, 'sweep', (tx) =>
    tx.deleteFrom('idempotency_keys').where('created_at', '<', before).executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
