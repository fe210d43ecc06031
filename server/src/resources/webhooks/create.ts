import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { readAddress } from './address.ts';
import { readHeaders, sealHeaders } from './headers.ts';
import { requireWebhook } from './require.ts';
import { makeSecret, openSecret } from './secret.ts';
import { countWebhooks, insertWebhook, selectSecret, selectSecrets, selectWebhook } from './sql.ts';
import { readEvents } from './subscription.ts';
import { presentWebhook, webhooksMax } from './webhook.ts';

export type AskedWebhook = {
  readonly url: string;
  readonly description?: string | null;
  readonly events: readonly string[];
  readonly resource_ids?: readonly string[] | null;
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly rate_limit?: number | null;
};

/**
 * Creates a webhook. Its secret is in the answer and, under the same Idempotency-Key, in the same answer again.
 * Throws Failure 'outbound_refused', 'schema_mismatch', 'limit_exceeded'.
 */
export function createWebhook(app: App, ctx: Context, asked: AskedWebhook): Promise<Answer> {
  const url = readAddress(app, asked.url);
  const events = readEvents(asked.events);
  const headers = readHeaders(asked.headers ?? {});
  const { description = null, resource_ids = null, rate_limit = null } = asked;
  return create(
    app.db,
    ctx,
    201,
    async (tx) => {
      const id = newId('whk');
      const sealed = sealHeaders(app.keys.sealing, id, headers);
      const header_names = Object.keys(headers);
      await insertWebhook(tx, ctx, {
        ...{ id, url, description, events, resource_ids, headers: sealed, header_names, rate_limit },
      });
      if ((await countWebhooks(tx, ctx)) > webhooksMax)
        throw refuse('limit_exceeded', `a workspace has at most ${webhooksMax} webhooks`);
      const secretId = await makeSecret(tx, ctx, app.keys.sealing, id);
      await record(tx, ctx, 'webhook-creation', { type: 'webhook', id }, { url: originOf(url), events });
      return { id, secretId };
    },
    (tx, { id, secretId }) => showWithSecret(app, tx, id, secretId),
  );
}

/** A webhook with one of its secrets: null when that has ended meanwhile. */
export async function showWithSecret(app: App, tx: Tx, id: string, secretId: string) {
  const row = requireWebhook(await selectWebhook(tx, id), id);
  const secret = await selectSecret(tx, secretId);
  return {
    ...presentWebhook(row, await selectSecrets(tx, [id])),
    secret: secret ? openSecret(app.keys.sealing, secret) : null,
  };
}

/** What is told of an address: its path and query are often secret. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
