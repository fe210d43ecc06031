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
import { hasSecondFactor, takeProof } from '../second-factors/check.ts';
import { renewSession } from './sql.ts';

/**
 * Has whoever is signed in prove once more who they are, by password and, where it is set up, second factor. The
 * session gets a new token, which the returned cookie holds. Throws Failure 'sign_in_failed', 'rate_limited'.
 */
export async function reauthenticate(
  app: App,
  ctx: Context<UserScope>,
  { password, code }: { readonly password: string; readonly code?: string },
): Promise<string> {
  const userId = ctx.actor.id!;
  const sessionId = ctx.credentialId!;
  const bucket = `session ${sessionId}`;
  const phc = await system(app.db, 'reauthenticate', async (tx) => {
    await countAttempt(tx, bucket, ofDevice);
    return findPassword(tx, userId);
  });
  if (!(await app.hasher.check(phc, password))) throw refuse('sign_in_failed', 'the password is wrong');
  const renewed = await system(app.db, 'reauthenticate', async (tx) => {
    if ((await hasSecondFactor(tx, userId)) && !(code && (await takeProof(app, tx, userId, code)))) return null;
    await forgetAttempts(tx, [bucket]);
    const token = await renewSession(tx, sessionId);
    if (token === undefined) throw refuse('unauthenticated', 'the session has ended: sign in again');
    await recordOfUser(tx, ctx, userId, 'session-reauthentication', { target: { type: 'session', id: sessionId } });
    return setCookie(sessionCookie, token, lifeMs / 1_000);
  });
  if (renewed === null) throw refuse('sign_in_failed', 'the code is wrong or missing: you have a second factor');
  return renewed;
}
