import type { Context } from '../../access/context.ts';
import { lifeMs, sessionCookie } from '../../access/credentials/session.ts';
import type { UserScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { setCookie } from '../../lib/http/cookies.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import { renewSession } from './sql.ts';

/**
 * Notes that whoever is signed in has proved once more who they are, and by what. The session gets a new token, which
 * the returned cookie holds. Throws Failure 'unauthenticated' when it has ended.
 */
export async function proveAgain(tx: Tx, ctx: Context<UserScope>, by: 'password' | 'passkey'): Promise<string> {
  const id = ctx.credentialId!;
  const token = await renewSession(tx, id, by);
  if (token === undefined) throw refuse('unauthenticated', 'the session has ended: sign in again');
  await recordOfUser(tx, ctx, ctx.actor.id!, 'session-reauthentication', {
    target: { type: 'session', id },
    payload: { by },
  });
  return setCookie(sessionCookie, token, lifeMs / 1_000);
}
