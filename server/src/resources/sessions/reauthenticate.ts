import { countAttempt, forgetAttempts, ofDevice } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import type { UserScope } from '../../access/scope.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { findPassword } from '../passwords/set.ts';
import { hasSecondFactor, hasTotp, takeProof } from '../second-factors/check.ts';
import { proofBucket, proveAgain } from './renew.ts';

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
  const bucket = proofBucket(userId);
  const phc = await system(app.db, 'reauthenticate', async (tx) => {
    await countAttempt(tx, bucket, ofDevice);
    // The password alone would be half a proof.
    if (!(await hasTotp(tx, userId)) && (await hasSecondFactor(tx, userId)))
      throw refuse('sign_in_failed', 'you have a passkey: prove by it who you are');
    return findPassword(tx, userId);
  });
  if (!(await app.hasher.check(phc, password))) throw refuse('sign_in_failed', 'the password is wrong');
  const renewed = await system(app.db, 'reauthenticate', async (tx) => {
    if ((await hasTotp(tx, userId)) && !(code && (await takeProof(app, tx, userId, code)))) return null;
    await forgetAttempts(tx, [bucket]);
    return proveAgain(app, tx, ctx, 'password');
  });
  if (renewed === null) throw refuse('sign_in_failed', 'the code is wrong or missing: you have a second factor');
  return renewed;
}
