import { organizationContext } from '../../access/context.ts';
import { system } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { refuse } from '../../errors.ts';
import { signUrl, verifySignedUrl } from '../../lib/crypto/signed-url.ts';
import type { Head } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { turnOffMails } from '../notification-preferences/change.ts';
import { selectMailTypes } from './sql.ts';

export const unsubscribePath = '/v1/api/notification-mails/unsubscription';
/** Longer than mails are kept by which their types are known. */
const linkDays = 365;
const dayMs = 24 * 60 * 60 * 1_000;

/** The address by which whoever has a mail turns mails about its types off. */
export function unsubscribeUrl({ keys, publicUrl }: Pick<App, 'keys' | 'publicUrl'>, mailId: string): string {
  const expires = new Date(Date.now() + linkDays * dayMs);
  const grant = { path: unsubscribePath, method: 'POST', expires, claims: { mail: mailId } };
  return `${publicUrl()}${signUrl(grant, keys.addresses)}`;
}

export type Unsubscription = NonNullable<Awaited<ReturnType<typeof selectMailTypes>>>;

/**
 * What the address of a request would turn off; nothing is changed. Throws Failure 'signature_invalid',
 * 'signature_expired', 'gone'.
 */
export async function readUnsubscription(app: App, { url }: Pick<Head, 'url'>): Promise<Unsubscription> {
  const mailId = mailOf(app, url);
  return (await system(app.db, 'unsubscribe', (tx) => selectMailTypes(tx, mailId))) ?? gone();
}

/** Turns mails about the types of a mail off for its user, in the place of the mail. Throws as `readUnsubscription`. */
export async function unsubscribe(app: App, { url, ip }: Pick<Head, 'url' | 'ip'>): Promise<Unsubscription> {
  const found = await readUnsubscription(app, { url });
  const { organization_id, workspace_id, user_id, email, types } = found;
  const actor = { type: 'user', id: user_id, label: email } as const;
  const ctx =
    workspace_id === null
      ? organizationContext(organization_id, actor)
      : await workspaceContext(app.db, workspace_id, actor);
  await system(app.db, 'unsubscribe', (tx) => turnOffMails(tx, { ...ctx, ip }, user_id, types));
  return found;
}

function mailOf({ keys }: App, url: string): string {
  const check = verifySignedUrl({ method: 'POST', url }, keys.addresses, new Date());
  if (check.status === 'ok') return check.claims.mail;
  if (check.status === 'tampered') throw refuse('signature_invalid', 'the link is not as it was sent');
  throw refuse('signature_expired', 'the link has expired: use that of a newer mail');
}

function gone(): never {
  throw refuse('gone', 'the mail is too old: change the notification preferences instead');
}
