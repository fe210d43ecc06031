import { countAttempt, forgetAttempts, ofDevice } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import { lifeMs, sessionCookie } from '../../access/credentials/session.ts';
import type { UserScope } from '../../access/scope.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { setCookie } from '../../lib/http/cookies.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { findPassword } from '../passwords/set.ts';
import { renewSession } from './sql.ts';

/**
 * Has whoever is signed in prove once more who they are. The session gets a new token, which the returned cookie holds.
 * Throws Failure 'sign_in_failed', 'rate_limited'.
 */
export async function reauthenticate(app: App, ctx: Context<UserScope>, password: string): Promise<string> {
  const userId = ctx.actor.id!;
  const sessionId = ctx.credentialId!;
  const bucket = `session ${sessionId}`;
  const phc = await system(app.db, 'reauthenticate', async (tx) => {
    await countAttempt(tx, bucket, ofDevice);
    return findPassword(tx, userId);
  });
  if (!(await app.hasher.check(phc, password))) throw refuse('sign_in_failed', 'the password is wrong');
  return system(app.db, 'reauthenticate', async (tx) => {
    await forgetAttempts(tx, [bucket]);
    const token = await renewSession(tx, sessionId);
    if (token === undefined) throw refuse('unauthenticated', 'the session has ended: sign in again');
    await recordOfUser(tx, ctx, userId, 'session-reauthentication', { target: { type: 'session', id: sessionId } });
    return setCookie(sessionCookie, token, lifeMs / 1_000);
  });
}
