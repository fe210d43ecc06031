import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { type KeyRing, seal, unseal } from '../../lib/crypto/sealed.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireWebhook } from './require.ts';
import { deleteSecret, insertSecret, lockWebhook, retireSecret, type SecretRow, selectSecrets } from './sql.ts';
import { secretsMax } from './webhook.ts';

/** Marks a secret as one of Standard Webhooks; the bytes of the key follow in base64. */
const secretPrefix = 'whsec_';
const secretBytes = 32;

/** Makes the current secret of a webhook. Returns its id. */
export async function makeSecret(tx: Tx, ctx: Context, ring: KeyRing, webhookId: string): Promise<string> {
  const id = newId('whs');
  const secret = `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
  await insertSecret(tx, ctx, { id, webhook_id: webhookId, secret: seal(ring, secret, contextOf(id)) });
  return id;
}

export function openSecret(ring: KeyRing, { id, secret }: Pick<SecretRow, 'id' | 'secret'>): string {
  return unseal(ring, secret, contextOf(id));
}

/**
 * The signature header of a message: one signature for each secret, so that receivers with any of them find theirs
 * (Standard Webhooks 1.0). `timestamp` is in seconds since 1970.
 */
export function signature(secrets: readonly string[], messageId: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}

/**
 * Gives a webhook a new secret, and returns its id. Requests are signed with the one it had as well for `overlapHours`.
 * Throws Failure 'not_found', and 'conflict' while as many are good as may be.
 */
export function rotateSecret(app: App, ctx: Context, webhookId: string, overlapHours: number): Promise<string> {
  return tenant(app.db, ctx, async (tx) => {
    requireWebhook(await lockWebhook(tx, webhookId), webhookId);
    const isKept = overlapHours > 0 ? 1 : 0;
    const before = (await selectSecrets(tx, [webhookId])).filter(({ expires_at }) => expires_at !== null);
    if (before.length + isKept + 1 > secretsMax)
      throw refuse(
        'conflict',
        `${before.length} earlier secrets are good still, and ${secretsMax} in all may be: revoke one first`,
      );
    await retireSecret(tx, webhookId, overlapHours);
    const id = await makeSecret(tx, ctx, app.keys.sealing, webhookId);
    const target = { type: 'webhook', id: webhookId };
    await record(tx, ctx, 'webhook-secret-rotation', target, { overlap_hours: overlapHours });
    return id;
  });
}

/** Ends an earlier secret at once. Throws Failure 'not_found', and 'conflict' for the current one. */
export function revokeSecret(db: Database, ctx: Context, webhookId: string, id: string): Promise<void> {
  return tenant(db, ctx, async (tx) => {
    requireWebhook(await lockWebhook(tx, webhookId), webhookId);
    const secrets = await selectSecrets(tx, [webhookId]);
    if (secrets.some((secret) => secret.id === id && secret.expires_at === null))
      throw refuse('conflict', 'this is the current secret: rotate it first');
    if (!(await deleteSecret(tx, webhookId, id))) throw refuse('not_found', `there is no secret ${id}`);
    await record(tx, ctx, 'webhook-update', { type: 'webhook', id: webhookId }, { changed: ['secrets'] });
  });
}

function contextOf(id: string): string {
  return `webhook_secrets.secret.${id}`;
}
