import { operator } from '../../access/actor.ts';
import { issueToken, takeToken } from '../../access/one-time-tokens.ts';
import { system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { Head } from '../../lib/http/server.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { proveEmail } from '../users/add.ts';
import { findUser, findUserByEmail } from '../users/find.ts';
import { type Begun, beginSession } from './begin.ts';

/** Makes the token of a link by which a user may sign in once. It replaces the one before. */
export function issueLink(app: Pick<App, 'keys'>, tx: Tx, userId: string): Promise<string> {
  return issueToken(tx, app.keys.sealing, 'sign_in', { subject: userId, userId });
}

/**
 * Makes the link of the operator of the host, by which the user of an address signs in once. Throws Failure
 * 'not_found'.
 */
export function issueOperatorLink(app: Pick<App, 'db' | 'keys' | 'publicUrl'>, email: string) {
  return system(app.db, 'sign-in link', async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw refuse('not_found', `there is no user ${email}`);
    const doer = { actor: operator, channel: 'cli', ip: null, userAgent: null, requestId: null } as const;
    await recordOfUser(tx, doer, user.id, 'sign-in-link-creation');
    const token = await issueLink(app, tx, user.id);
    return { user_id: user.id, token, link: linkOf(app.publicUrl(), token) };
  });
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
