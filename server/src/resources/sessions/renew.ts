import type { Context } from '../../access/context.ts';
import { lifeMs, sessionCookie } from '../../access/credentials/session.ts';
import type { UserScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { setCookie } from '../../lib/http/cookies.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { tellOfBreakGlass } from './break-glass.ts';
import { lockMethod, markPasskey, renewSession } from './sql.ts';

/**
 * Where proofs that a user tries within their sessions are counted: of all sessions together, since an identity
 * provider may begin as many as it likes, without knowing the password.
 */
export function proofBucket(userId: string): string {
  return `proof ${userId}`;
}

/**
 * Notes that whoever is signed in has proved once more who they are, and by what. The session gets a new token, which
 * the returned cookie holds. Throws Failure 'unauthenticated' when it has ended.
 */
export async function proveAgain(
  app: App,
  tx: Tx,
  ctx: Context<UserScope>,
  by: 'password' | 'passkey',
): Promise<string> {
  const { id: userId, label: email } = ctx.actor;
  const id = ctx.credentialId!;
  const method = await lockMethod(tx, id);
  const token = method && (await renewSession(tx, id, by));
  if (token === undefined) throw refuse('unauthenticated', 'the session has ended: sign in again');
  await recordOfUser(tx, ctx, userId!, 'session-reauthentication', {
    target: { type: 'session', id },
    payload: { by },
  });
  // From now on the session is enough for a break-glass admin, as if they had signed in so.
  if (method === 'password' && by === 'passkey') await tellOfBreakGlass(app, tx, ctx, { id: userId!, email });
  return setCookie(sessionCookie, token, lifeMs / 1_000);
}

/** Notes that whoever is signed in has made a passkey, and so proved it, in a session that had proved the rest. */
export function notePasskey(tx: Tx, ctx: Context<UserScope>): Promise<void> {
  return markPasskey(tx, ctx.credentialId!);
}
