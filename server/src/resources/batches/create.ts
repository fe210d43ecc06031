import type { Context } from '../../access/context.ts';
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
    await requireRoom('batches', (most) => countOpen(tx, most));
    const id = await startBatch(app, tx, ctx, asked);
    return getBatch(tx, id);
  });
}
