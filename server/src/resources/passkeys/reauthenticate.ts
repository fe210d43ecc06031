import { countAttempt, forgetAttempts, ofDevice } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import type { UserScope } from '../../access/scope.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { Assertion } from '../../lib/crypto/webauthn.ts';
import { recordDenialOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { proofBucket, proveAgain } from '../sessions/renew.ts';
import { findUser } from '../users/find.ts';
import { challengeOver, issueChallenge, requestOptions, takeChallenge } from './challenge.ts';
import { selectByCredential, selectPasskeys } from './sql.ts';
import { readUse, takeUse } from './use.ts';

/**
 * Begins to have whoever is signed in prove once more who they are, by one of their passkeys. Returns what a browser is
 * told. Throws Failure 'conflict' without a passkey.
 */
export async function beginPasskeyReauthentication(app: App, ctx: Context<UserScope>) {
  return system(app.db, 'reauthenticate', async (tx) => {
    const own = await selectPasskeys(tx, ctx.actor.id!);
    if (own.length === 0) throw refuse('conflict', 'you have no passkey: prove it by your password');
    const challenge = await issueChallenge(app, tx, 'passkey_reauthentication', ctx.credentialId!);
    return requestOptions(app, challenge, own);
  });
}

/**
 * Takes what a passkey of whoever is signed in has signed. The session gets a new token, which the returned cookie
 * holds. Throws Failure 'token_invalid', 'sign_in_failed', 'rate_limited'.
 */
export async function reauthenticateByPasskey(
  app: App,
  ctx: Context<UserScope>,
  assertion: Assertion,
): Promise<string> {
  const userId = ctx.actor.id!;
  const sessionId = ctx.credentialId!;
  const bucket = proofBucket(userId);
  const { passkey, challenge } = await system(app.db, 'reauthenticate', async (tx) => {
    await countAttempt(tx, bucket, ofDevice);
    const challenge = await takeChallenge(app, tx, 'passkey_reauthentication', assertion, sessionId);
    return { passkey: await selectByCredential(tx, assertion.id), challenge };
  });
  if (challenge === undefined) throw challengeOver();
  const isOwn = passkey?.user_id === userId;
  const use = isOwn ? await readUse(app, passkey, challenge, assertion) : null;
  const renewed = await system(app.db, 'reauthenticate', async (tx) => {
    const user = await findUser(tx, userId);
    if (!user || !passkey || !use) return null;
    if (!(await takeUse(app, tx, { user, passkey, use }))) {
      const target = { type: 'passkey', id: passkey.id };
      await recordDenialOfUser(tx, ctx, user.id, 'session-reauthentication', target);
      return null;
    }
    await forgetAttempts(tx, [bucket]);
    return proveAgain(app, tx, ctx, 'passkey');
  });
  if (renewed === null) throw refuse('sign_in_failed', 'the passkey is not yours, or did not sign as it must');
  return renewed;
}
