import type { Context } from '../access/context.ts';
import type { Scope } from '../access/scope.ts';
import { type Database, system, type Tx, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { Answer } from '../lib/http/server.ts';

/** How long an Idempotency-Key is remembered. */
export const keptMs = 24 * 60 * 60 * 1000;

/**
 * Creates something with `work` in one transaction, and answers `status` with what `work` returns. If the request has
 * an Idempotency-Key, that result is kept in the same transaction: the same request again gets the same answer and
 * creates nothing. `present` makes the answer from the kept result, anew each time: for what must not be kept, such as
 * a secret, or is valid only for a while.
 * Throws Failure 'idempotency_key_reused' when the key came with another body before.
 */
export async function create<T>(
  db: Database,
  ctx: Context<Scope>,
  status: 200 | 201 | 202,
  work: (tx: Tx) => Promise<T>,
  present: (tx: Tx, made: T) => Promise<unknown> = async (_, made) => made,
): Promise<Answer> {
  const { idempotency } = ctx;
  if (!idempotency) return { status, body: await tenant(db, ctx, async (tx) => present(tx, await work(tx))) };
  return tenant(db, ctx, async (tx) => {
    const { key, route, bodyHash } = idempotency;
    const { organizationId, workspaceId } = ctx;
    const ofScope = workspaceId === null ? 'is' : '=';
    // Waits until any other request with this key has committed or rolled back.
    const claimed = await tx
      .insertInto('idempotency_keys')
      .values({ organization_id: organizationId, workspace_id: workspaceId, route, key, body_hash: bodyHash })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (Number(claimed.numInsertedOrUpdatedRows ?? 0) === 0) {
      const kept = await tx
        .selectFrom('idempotency_keys')
        .select(['body_hash', 'status', 'response'])
        .where('workspace_id', ofScope, workspaceId)
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
      .where('workspace_id', ofScope, workspaceId)
      .where('route', '=', route)
      .where('key', '=', key)
      .execute();
    return { status, body: await present(tx, made) };
  });
}

/** Deletes the keys that are older than `keptMs`; returns how many there were. */
export async function expireIdempotencyKeys(db: Database): Promise<number> {
  const before = new Date(Date.now() - keptMs);
  const { numDeletedRows } = await system(db, 'sweep', (tx) =>
    tx.deleteFrom('idempotency_keys').where('created_at', '<', before).executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
