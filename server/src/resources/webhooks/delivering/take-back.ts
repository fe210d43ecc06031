import { system } from '../../../access/transactions.ts';
import type { App } from '../../app.ts';
import { endIdle, insertAttempts, type LostClaim, type NewAttempt, takeBackClaims } from './sql.ts';

/** Deliveries that are changed in one transaction. */
const most = 500;
/** How often a delivery may be interrupted beside the attempts of its schedule. */
const interruptionsMax = 20;

/** Queues again what processes had that are gone, and ends what waits for webhooks that are disabled or deleted. */
export async function tidyDeliveries(
  { db, webhooks }: Pick<App, 'db' | 'webhooks'>,
  signal?: AbortSignal,
): Promise<void> {
  const attemptsMax = webhooks.schedule.length + interruptionsMax;
  for (let count = most; count === most && !signal?.aborted; )
    count = await system(db, 'take back webhook deliveries', async (tx) => {
      const lost = await takeBackClaims(tx, most, attemptsMax);
      await insertAttempts(tx, lost.map(interrupted));
      return lost.length;
    });
  for (const kind of ['lanes', 'tests'] as const)
    for (let count = most; count === most && !signal?.aborted; )
      count = await system(db, 'end idle webhook deliveries', (tx) => endIdle(tx, kind, most));
}

/** What is known of an attempt whose process never told how it went: the receiver may have had it. */
function interrupted(lost: LostClaim): NewAttempt {
  const { id, organization_id, workspace_id, webhook_id, trigger, attempts, ago_ms } = lost;
  return {
    ...{ delivery_id: id, number: attempts, organization_id, workspace_id, webhook_id, trigger, ago_ms },
    ...{ succeeded: false, url: '', remote_ip: null, dns_ms: null, connect_ms: null, tls_ms: null },
    ...{ first_byte_ms: null, total_ms: ago_ms, status_code: null, response_headers: null, response_body: null },
    ...{ error_class: 'interrupted', error: 'the service stopped during this attempt; the receiver may have had it' },
  };
}
