import {
  countAttempt,
  networkBucket,
  ofChallenges,
  ofDevice,
  ofNetwork,
  uncountAttempt,
} from '../../access/attempts.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Assertion } from '../../lib/crypto/webauthn.ts';
import type { Head } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { mayUseOwnSignIn } from '../domains/find.ts';
import { type Begun, beginSession } from '../sessions/begin.ts';
import { findDevice } from '../sessions/device.ts';
import { doerOf } from '../sessions/doer.ts';
import { recordRefusal } from '../sessions/record-refusal.ts';
import { findUser } from '../users/find.ts';
import { challengeOver, issueChallenge, requestOptions, takeChallenge } from './challenge.ts';
import { selectByCredential } from './sql.ts';
import { readUse, takeUse } from './use.ts';

/**
 * Begins to sign somebody in by a passkey, without asking who it is. Returns what a browser is told. Throws Failure
 * 'rate_limited'.
 */
export async function beginPasskeySignIn(app: App, head: Head) {
  return system(app.db, 'sign in', async (tx) => {
    await countAttempt(tx, challengesBucket(head), ofChallenges);
    return requestOptions(app, await issueChallenge(app, tx, 'passkey_sign_in', newId('pch')), []);
  });
}

/**
 * Signs in whoever has a passkey sign the challenge. It stands for password and second factor: the authenticator has
 * verified its user. An unknown passkey and a wrong signature are refused alike. Throws Failure 'token_invalid',
 * 'sign_in_failed', 'sso_required', 'rate_limited'.
 */
export async function signInWithPasskey(
  app: App,
  head: Head,
  assertion: Assertion,
): Promise<Begun & { readonly userId: string }> {
  const { passkey, challenge, bucket } = await system(app.db, 'sign in', async (tx) => {
    const passkey = await selectByCredential(tx, assertion.id);
    const device = passkey && (await findDevice(tx, head, passkey.user_id));
    // Whoever has used the device before is not held up by what others of the network try.
    const [bucket, patience] = device
      ? ([`device ${device.id}`, ofDevice] as const)
      : ([networkBucket(head.ip), ofNetwork] as const);
    await countAttempt(tx, bucket, patience);
    return { passkey, bucket, challenge: await takeChallenge(app, tx, 'passkey_sign_in', assertion) };
  });
  if (challenge === undefined) throw challengeOver();
  // Who is signed in follows from the passkey, and the authenticator must say the same (§7.2, step 6).
  const isNamed = assertion.response.userHandle !== undefined;
  const use = passkey && isNamed ? await readUse(app, passkey, challenge, assertion) : null;
  const begun = await system(app.db, 'sign in', async (tx) => {
    const user = passkey && (await findUser(tx, passkey.user_id));
    if (!user) return null;
    const doer = doerOf(head, user);
    if (!use) {
      await recordRefusal(tx, doer, user.id, 'passkey');
      return null;
    }
    if (!(await takeUse(app, tx, { user, passkey, use }))) {
      await recordRefusal(tx, doer, user.id, 'passkey', passkey.id);
      return null;
    }
    if (!(await mayUseOwnSignIn(tx, user))) {
      await recordRefusal(tx, doer, user.id, 'passkey');
      return 'elsewhere';
    }
    for (const counted of [bucket, challengesBucket(head)]) await uncountAttempt(tx, counted);
    return { ...(await beginSession(app, tx, head, { user, method: 'passkey' })), userId: user.id };
  });
  if (begun === 'elsewhere') throw refuse('sso_required', 'people of your domain sign in by single sign-on');
  if (begun === null) throw refuse('sign_in_failed', 'the passkey is none of this service, or did not sign as it must');
  return begun;
}

function challengesBucket({ ip }: Head): string {
  return `challenges ${networkBucket(ip)}`;
}
