import type { Context } from '../../../access/context.ts';
import { tenant } from '../../../access/transactions.ts';
import { create } from '../../../api/idempotency.ts';
import { refuse } from '../../../errors.ts';
import { newId } from '../../../lib/crypto/ids.ts';
import type { Answer } from '../../../lib/http/server.ts';
import { record } from '../../../trail/record.ts';
import type { App } from '../../app.ts';
import { readMoment } from '../moment.ts';
import { requireActive, requireWebhook } from '../require.ts';
import { selectWebhook } from '../sql.ts';
import { presentRecovery } from './recovery.ts';
import { countLost, insertRecovery } from './sql.ts';

type AskedRecovery = { readonly since: string; readonly until?: string; readonly dry_run?: boolean };

/**
 * Asks for all that never arrived at a webhook within a span of time to be sent again; a dry run only counts it.
 * Throws Failure 'not_found', 'webhook_disabled', 'conflict' while one is under way.
 */
export async function createRecovery(
  app: App,
  ctx: Context,
  webhookId: string,
  { since: from, until: to, dry_run: isDry = false }: AskedRecovery,
): Promise<Answer> {
  const since = readMoment(from, '/since');
  const until = to === undefined ? new Date() : readMoment(to, '/until');
  const span = { webhookId, since, until };
  if (isDry) return { status: 200, body: await tryOut(app, ctx, span) };
  return create(app.db, ctx, 202, async (tx) => {
    await requireActive(tx, webhookId);
    const row = await insertRecovery(tx, ctx, { ...span, id: newId('whr'), total: await countLost(tx, span) });
    if (!row) throw refuse('conflict', 'a recovery of this webhook is under way: wait for it to end');
    const told = { recovery_id: row.id, since: since.toISOString(), until: until.toISOString(), total: row.total };
    await record(tx, ctx, 'webhook-recovery', { type: 'webhook', id: webhookId }, told);
    return presentRecovery(row);
  });
}

function tryOut(app: App, ctx: Context, span: { webhookId: string; since: Date; until: Date }) {
  return tenant(app.db, ctx, async (tx) => {
    requireWebhook(await selectWebhook(tx, span.webhookId), span.webhookId);
    return {
      ...{ id: null, webhook_id: span.webhookId, status: 'dry_run', total: await countLost(tx, span) },
      ...{ since: span.since.toISOString(), until: span.until.toISOString() },
      ...{ queued: 0, expired: 0, failure: null, created_at: null, finished_at: null },
    };
  });
}
