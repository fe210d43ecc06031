import { issueToken, takeToken } from '../../access/one-time-tokens.ts';
import { system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { Head } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { proveEmail } from '../users/add.ts';
import { findUser } from '../users/find.ts';
import { type Begun, beginSession } from './begin.ts';

/** Makes the token of a link by which a user may sign in once. It replaces the one before. */
export function issueLink(app: Pick<App, 'keys'>, tx: Tx, userId: string): Promise<string> {
  return issueToken(tx, app.keys.sealing, 'sign_in', { subject: userId, userId });
}

/** The link of a token, at the address of the service. */
export function linkOf(url: string, token: string): string {
  return `${url}/sign-in#${token}`;
}

/** Signs in with the token of a link. Throws Failure 'token_invalid'. */
export async function signInWithLink(app: App, head: Head, token: string): Promise<Begun & { userId: string }> {
  return system(app.db, 'sign in', async (tx) => {
    const taken = await takeToken(tx, app.keys.sealing, 'sign_in', token);
    const user = taken && (await findUser(tx, taken.subject));
    if (!user)
      throw refuse('token_invalid', 'the link has been used, replaced, or is older than a day: ask for another');
    // The operator of the host vouches for the address.
    if (user.email_verified_at === null) await proveEmail(tx, user.id, user.email);
    return { ...(await beginSession(app, tx, head, { user, method: 'link' })), userId: user.id };
  });
}
