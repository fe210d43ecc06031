import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { lockWebhook, type WebhookRow } from './sql.ts';

/** Throws Failure 'not_found' for what is no webhook of the workspace. */
export function requireWebhook(row: WebhookRow | undefined, id: string): WebhookRow {
  if (!row) throw refuse('not_found', `there is no webhook ${id}`);
  return row;
}

/** Holds a webhook to which something can be sent as it is. Throws Failure 'not_found', 'webhook_disabled'. */
export async function requireActive(tx: Tx, id: string): Promise<WebhookRow> {
  const row = requireWebhook(await lockWebhook(tx, id), id);
  if (row.status !== 'active') throw refuse('webhook_disabled', `the webhook ${id} is disabled: enable it first`);
  return row;
}
