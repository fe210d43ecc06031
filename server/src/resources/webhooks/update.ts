import type { Context } from '../../access/context.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { readAddress } from './address.ts';
import { type AskedWebhook, originOf } from './create.ts';
import { readHeaders, sealHeaders } from './headers.ts';
import { requireWebhook } from './require.ts';
import {
  lockWebhook,
  markActive,
  markDeleted,
  markDisabled,
  resetLane,
  updateWebhook,
  type WebhookFields,
} from './sql.ts';
import { readEvents } from './subscription.ts';

export type WebhookChange = Partial<AskedWebhook> & { readonly status?: 'active' | 'disabled' };

/**
 * Changes a webhook. What waits to be sent goes to the address, with the headers, that it has at that moment.
 * Throws Failure 'not_found', 'outbound_refused', 'schema_mismatch'.
 */
export function changeWebhook(app: App, ctx: Context, id: string, asked: WebhookChange): Promise<void> {
  const { status, ...rest } = asked;
  const fields = readFields(app, id, rest);
  return tenant(app.db, ctx, async (tx) => {
    const before = requireWebhook(await lockWebhook(tx, id), id);
    await updateWebhook(tx, id, fields);
    const isEnabled = status === 'active' && before.status === 'disabled';
    if (isEnabled) await markActive(tx, id);
    if (status === 'disabled') await markDisabled(tx, [id], 'requested');
    // Another address, or another token, may answer where the one before did not.
    if (isEnabled || fields.url !== undefined || fields.headers !== undefined) await resetLane(tx, id);
    await record(tx, ctx, 'webhook-update', { type: 'webhook', id }, { changed: Object.keys(asked) });
  });
}

function readFields(app: App, id: string, asked: Partial<AskedWebhook>): Partial<WebhookFields> {
  const { url, description, events, resource_ids, headers, rate_limit } = asked;
  const own = headers === undefined ? undefined : readHeaders(headers ?? {});
  return {
    ...(url === undefined ? {} : { url: readAddress(app, url) }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: readEvents(events) }),
    ...(resource_ids === undefined ? {} : { resource_ids }),
    ...(own === undefined ? {} : { headers: sealHeaders(app.keys.sealing, id, own), header_names: Object.keys(own) }),
    ...(rate_limit === undefined ? {} : { rate_limit }),
  };
}

/** Deletes a webhook: nothing more is sent to it, and what was sent stays to be read. Throws Failure 'not_found'. */
export function deleteWebhook(db: Database, ctx: Context, id: string): Promise<void> {
  return tenant(db, ctx, async (tx: Tx) => {
    const url = await markDeleted(tx, id);
    if (url === undefined) throw refuse('not_found', `there is no webhook ${id}`);
    await record(tx, ctx, 'webhook-deletion', { type: 'webhook', id }, { url: originOf(url) });
  });
}
