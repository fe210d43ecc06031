import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import type { Answer } from '../../lib/http/server.ts';
import { outcomeOf } from '../../lib/outcome.ts';
import type { App } from '../app.ts';
import { requireRoom } from '../open-work.ts';
import { getBatch } from './get.ts';
import { countOpen } from './sql.ts';
import { type AskedBatch, startBatch } from './start.ts';

/**
 * Creates a batch that scores the rows of files. Throws Failure as `startBatch` does, 'limit_exceeded' and
 * 'quota_exceeded'.
 */
export async function createBatch(app: App, ctx: Context, asked: AskedBatch): Promise<Answer> {
  const requireQuota = await outcomeOf(app.allowances.require(ctx, 'batch_rows'));
  return create(app.db, ctx, 202, async (tx) => {
    requireQuota();
    return getBatch(tx, await addBatch(app, tx, ctx, asked));
  });
}

/**
 * Creates a batch within a transaction. Whether the quota allows it has been asked. Returns its id. Throws Failure as
 * `startBatch` does, 'limit_exceeded' and 'quota_exceeded'.
 */
export async function addBatch(app: App, tx: Tx, ctx: Context, asked: AskedBatch): Promise<string> {
  await requireRoom(tx, 'batches', countOpen);
  return startBatch(app, tx, ctx, asked);
}
