import { countAttempt, networkBucket, ofNetwork, uncountAttempt } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import { recogniseSftpUser, type SftpPrincipal } from '../../access/credentials/sftp-user.ts';
import { refusalFrom } from '../../access/ip-rules.ts';
import { system, tenant } from '../../access/transactions.ts';
import type { SignIn } from '../../lib/sftp/server.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { updateUse } from './sql.ts';

/**
 * The user of SFTP whom a password or a proved key lets in from an address; null for nobody. Attempts with passwords
 * are counted by network before they are looked at; by login they need not be: a password has 256 random bits.
 * Throws Failure 'rate_limited'.
 */
export async function signInToSftp({ db }: App, attempt: SignIn): Promise<SftpPrincipal | null> {
  const { ip, proof } = attempt;
  const bucket = networkBucket(ip);
  const isGuess = 'password' in proof;
  if (isGuess) await system(db, 'sign in', (tx) => countAttempt(tx, bucket, ofNetwork));
  const principal = await recogniseSftpUser(db, attempt);
  if (!principal || principal.isSuspended || refusalFrom(principal.allowed, ip) !== null) return null;
  if (isGuess) await system(db, 'sign in', (tx) => uncountAttempt(tx, bucket));
  return principal;
}

/** Notes that a user has signed in, once its channel opens. */
export function noteSignIn({ db }: App, ctx: Context): Promise<void> {
  const id = ctx.actor.id!;
  return tenant(db, ctx, async (tx) => {
    await updateUse(tx, id, ctx.ip!);
    await record(tx, ctx, 'sftp-sign-in', { type: 'sftp_user', id });
  });
}
