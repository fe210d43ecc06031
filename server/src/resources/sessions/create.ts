import { setTimeout as sleep } from 'node:timers/promises';
import {
  accountBucket,
  countAttempt,
  forgetAttempts,
  networkBucket,
  ofAccount,
  ofCodes,
  ofDevice,
  ofNetwork,
  uncountAttempt,
} from '../../access/attempts.ts';
import { deviceCookie } from '../../access/credentials/session.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { hashToken } from '../../lib/crypto/tokens.ts';
import { readCookie } from '../../lib/http/cookies.ts';
import type { Head } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { findEnforcer, mayUseOwnSignIn } from '../domains/find.ts';
import { challenge, challenged, codeBucket, hasTotp, meet, takeProof } from '../second-factors/check.ts';
import { canonicalEmail } from '../users/email.ts';
import { findUser } from '../users/find.ts';
import { type Begun, beginSession } from './begin.ts';
import { doerOf } from './doer.ts';
import { recordRefusal } from './record-refusal.ts';
import { selectAccount } from './sql.ts';

/** Signed in, or still to give the code of the second factor, which goes with the token. */
export type SignIn = (Begun & { readonly userId: string }) | { readonly token: string; readonly expiresAt: Date };

/**
 * From the check of a password to its refusal. In it the attempt is recorded, which takes some milliseconds and is done
 * for accounts alone: the time of the answer must not tell whether there is one.
 */
const refusingMs = 50;

/**
 * Signs in with address and password, or begins to, where the user has a second factor. An unknown address and a wrong
 * password are refused alike, after the same time. Throws Failure 'sign_in_failed', 'rate_limited'.
 */
export async function signIn(app: App, head: Head, email: string, password: string): Promise<SignIn> {
  const canonical = canonicalEmail(email);
  const device = readCookie(head, deviceCookie);
  const account = await system(app.db, 'sign in', (tx) =>
    selectAccount(tx, canonical, device === undefined ? null : hashToken(device)),
  );
  // Whoever has used the device before is not held up by those who guess the password elsewhere.
  const buckets = account?.device_id
    ? ([[`device ${account.device_id}`, ofDevice]] as const)
    : ([
        [accountBucket(canonical), ofAccount],
        [networkBucket(head.ip), ofNetwork],
      ] as const);
  await system(app.db, 'sign in', async (tx) => {
    for (const [bucket, patience] of buckets) await countAttempt(tx, bucket, patience);
  });
  const matches = await app.hasher.check(account?.phc ?? null, password);
  const refusing = sleep(refusingMs);
  const begun = await system(app.db, 'sign in', async (tx): Promise<SignIn | null> => {
    const still = matches ? await selectAccount(tx, canonical, null) : undefined;
    // The password may have been changed meanwhile. Who must sign in elsewhere is refused as for a wrong one.
    if (!account || still?.phc !== account.phc || !(await mayUseOwnSignIn(tx, account))) {
      if (account) await recordRefusal(tx, doerOf(head, account), account.id, 'password');
      return null;
    }
    // Others of the same network may be guessing.
    if (!account.device_id) await uncountAttempt(tx, networkBucket(head.ip));
    await forgetAttempts(tx, [accountBucket(canonical), ...(account.device_id ? [`device ${account.device_id}`] : [])]);
    if (await hasTotp(tx, account.id)) return challenge(tx, account.id);
    return { ...(await beginSession(app, tx, head, { user: account, method: 'password' })), userId: account.id };
  });
  if (begun !== null) return begun;
  const isElsewhere = await system(app.db, 'sign in', async (tx) => (await findEnforcer(tx, canonical)) !== undefined);
  const hint = isElsewhere ? '; people of this domain sign in by single sign-on' : '';
  await refusing;
  throw refuse('sign_in_failed', `the address or the password is wrong${hint}`);
}

/**
 * Signs in whoever has given the password and now gives the code. Throws Failure 'token_invalid', 'sign_in_failed',
 * 'rate_limited'.
 */
export async function proveSecondFactor(
  app: App,
  head: Head,
  token: string,
  code: string,
): Promise<Begun & { readonly userId: string }> {
  const userId = await system(app.db, 'sign in', async (tx) => {
    const id = await challenged(tx, token);
    await countAttempt(tx, codeBucket(id), ofCodes);
    return id;
  });
  const begun = await system(app.db, 'sign in', async (tx) => {
    const user = await findUser(tx, userId);
    const proof = user && (await takeProof(app, tx, userId, code));
    // What the organization wants may have changed meanwhile.
    if (!user || !proof || !(await mayUseOwnSignIn(tx, user))) {
      if (user) await recordRefusal(tx, doerOf(head, user), userId, 'second_factor');
      return null;
    }
    await meet(tx, token);
    await forgetAttempts(tx, [codeBucket(userId)]);
    return beginSession(app, tx, head, { user, method: `password_${proof}` });
  });
  if (begun === null) throw refuse('sign_in_failed', 'the code is wrong, or has been used');
  return { ...begun, userId };
}
