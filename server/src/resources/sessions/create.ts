import {
  accountBucket,
  countAttempt,
  forgetAttempts,
  networkBucket,
  ofAccount,
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
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { canonicalEmail } from '../users/email.ts';
import { type Begun, beginSession } from './begin.ts';
import { doerOf } from './doer.ts';
import { selectAccount } from './sql.ts';

/**
 * Signs in with address and password. An unknown address and a wrong password are refused alike, after the same work.
 * Throws Failure 'sign_in_failed', 'rate_limited'.
 */
export async function signIn(
  app: App,
  head: Head,
  email: string,
  password: string,
): Promise<Begun & { userId: string }> {
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
  return system(app.db, 'sign in', async (tx) => {
    const still = matches ? await selectAccount(tx, canonical, null) : undefined;
    // The password may have been changed meanwhile.
    if (!account || still?.phc !== account.phc) {
      if (account) await recordOfUser(tx, doerOf(head, account), account.id, 'session-creation', { outcome: 'denied' });
      return null;
    }
    // Others of the same network may be guessing.
    if (!account.device_id) await uncountAttempt(tx, networkBucket(head.ip));
    await forgetAttempts(tx, [accountBucket(canonical), ...(account.device_id ? [`device ${account.device_id}`] : [])]);
    return { ...(await beginSession(app, tx, head, { user: account, method: 'password' })), userId: account.id };
  }).then((begun) => {
    if (begun === null) throw refuse('sign_in_failed', 'the address or the password is wrong');
    return begun;
  });
}
