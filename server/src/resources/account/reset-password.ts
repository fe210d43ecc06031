import {
  accountBucket,
  countAttempt,
  forgetAttempts,
  networkBucket,
  ofMails,
  ofNetwork,
} from '../../access/attempts.ts';
import { isGoodToken, issueToken, takeToken } from '../../access/one-time-tokens.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { seal, unseal } from '../../lib/crypto/sealed.ts';
import type { Head } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { mayUseOwnSignIn } from '../domains/find.ts';
import { sendMail } from '../mails/send.ts';
import { type Language, resetPassword, useSingleSignOn } from '../mails/texts.ts';
import { checkPolicy } from '../passwords/policy.ts';
import { doerOf } from '../sessions/doer.ts';
import { canonicalEmail } from '../users/email.ts';
import { findUser, findUserByEmail, namesAround } from '../users/find.ts';
import { languageAccepted } from './accept-language.ts';
import { replacePassword } from './change-password.ts';
import { type ResetJob, resetQueue } from './queue.ts';

const jobContext = 'password-resets';

/**
 * Asks for a mail with which to choose a new password. Nothing tells whether the address has an account: that is looked
 * up later, in a job. Throws Failure 'rate_limited'.
 */
export async function requestReset(app: App, head: Head, email: string): Promise<void> {
  const canonical = canonicalEmail(email);
  const sealed = seal(app.keys.sealing, canonical, jobContext);
  const accepted = languageAccepted(head.headers['accept-language'] as string | undefined);
  await system(app.db, 'request reset', async (tx) => {
    await countAttempt(tx, networkBucket(head.ip), ofNetwork);
    await countAttempt(tx, `reset mail ${canonical}`, ofMails);
    await app.queue.send(tx, resetQueue, { sealed, accepted } satisfies ResetJob);
  });
}

/** Sends the mail, if the address has an account, in the language that its user chose, else in their browser's. */
export async function sendReset(app: App, { sealed, accepted }: ResetJob): Promise<void> {
  const email = unseal(app.keys.sealing, sealed, jobContext);
  await system(app.db, 'send reset', async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) return;
    const language = (!user.language_chosen && accepted) || (user.language as Language);
    if (!(await mayUseOwnSignIn(tx, user))) {
      await sendMail(app, tx, user.email, useSingleSignOn(language, `${app.publicUrl()}/sign-in`));
      return;
    }
    const token = await issueToken(tx, app.keys.sealing, 'password_reset', { subject: user.id, userId: user.id });
    const link = `${app.publicUrl()}/password-reset#${token}`;
    await sendMail(app, tx, user.email, resetPassword(language, link, token));
  });
}

/**
 * Sets the password of the user to whom the token was sent. All sessions end, and the user signs in with the new one.
 * Throws Failure 'token_invalid', 'weak_password', 'rate_limited'.
 */
export async function confirmReset(app: App, head: Head, token: string, password: string): Promise<void> {
  checkPolicy(password, []);
  if (!(await system(app.db, 'confirm reset', (tx) => isGoodToken(tx, 'password_reset', token)))) throw used();
  const phc = await app.hasher.make(password);
  await system(app.db, 'confirm reset', async (tx) => {
    const taken = await takeToken(tx, app.keys.sealing, 'password_reset', token);
    const user = taken && (await findUser(tx, taken.subject));
    if (!user || !(await mayUseOwnSignIn(tx, user))) throw used();
    checkPolicy(password, await namesAround(tx, user));
    await replacePassword(app, tx, doerOf(head, user), { user, phc, except: null });
    await forgetAttempts(tx, [accountBucket(canonicalEmail(user.email))]);
  });
}

function used() {
  return refuse('token_invalid', 'the token has been used, replaced, or is older than an hour: ask again');
}
