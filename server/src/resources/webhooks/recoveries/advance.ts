import { system } from '../../../access/transactions.ts';
import { newId } from '../../../lib/crypto/ids.ts';
import type { App } from '../../app.ts';
import { insertDeliveries, type NewDelivery } from '../deliveries/sql.ts';
import { isActive, type LostRow, moveRecovery, type RecoveryRow, selectLost, takeRecovery } from './sql.ts';

/** Deliveries that are made ready in one transaction. */
const pieceMax = 500;

/**
 * Moves recoveries on, piece by piece and each in turn, until none is left or `signal` aborts. A piece and how far its
 * recovery has come are one transaction: whoever goes on after a crash repeats nothing.
 */
export async function advanceRecoveries(app: Pick<App, 'db'>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const isMoved = await system(app.db, 'recover webhook deliveries', async (tx) => {
      const recovery = await takeRecovery(tx);
      if (!recovery) return false;
      const { id, queued, expired, cursor } = recovery;
      const so = { queued, expired, cursor };
      if (!(await isActive(tx, recovery.webhook_id))) {
        const failure = { code: 'webhook_disabled', detail: 'The webhook was disabled or deleted meanwhile.' };
        await moveRecovery(tx, id, { ...so, status: 'failed', failure });
        return true;
      }
      const span = { webhookId: recovery.webhook_id, since: recovery.since, until: recovery.until };
      const rows = await selectLost(tx, span, cursor, pieceMax);
      const kept = rows.filter(({ is_kept }) => is_kept);
      await insertDeliveries(
        tx,
        kept.map((row) => again(recovery, row)),
      );
      await moveRecovery(tx, id, {
        status: rows.length < pieceMax ? 'succeeded' : 'running',
        queued: queued + kept.length,
        expired: expired + rows.length - kept.length,
        cursor: rows.at(-1)?.id ?? cursor,
      });
      return true;
    });
    if (!isMoved) return;
  }
}

function again({ id, organization_id, workspace_id, webhook_id }: RecoveryRow, row: LostRow): NewDelivery {
  return {
    ...{ id: newId('whd'), organization_id, workspace_id, webhook_id, message_id: row.message_id },
    ...{ event_id: row.event_id, event_type: row.event_type, trigger: 'recover', replay_of: row.id },
    ...{ recovery_id: id, status: 'queued' },
  };
}
