import { countAttempt, networkBucket, ofMails, ofNetwork } from '../../access/attempts.ts';
import { issueToken, takeToken } from '../../access/one-time-tokens.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { seal, unseal } from '../../lib/crypto/sealed.ts';
import type { Head } from '../../lib/http/server.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { requireOwnSignIn } from '../domains/find.ts';
import { sendMail } from '../mails/send.ts';
import { alreadySignedUp, type Language, verifyAddress } from '../mails/texts.ts';
import { addOrganization } from '../organizations/add.ts';
import { checkPolicy } from '../passwords/policy.ts';
import { setPassword } from '../passwords/set.ts';
import { type Begun, beginSession } from '../sessions/begin.ts';
import { doerOf } from '../sessions/doer.ts';
import { addUser } from '../users/add.ts';
import { canonicalEmail, readEmail, requireCorporate } from '../users/email.ts';
import { findUserByEmail } from '../users/find.ts';
import { type SignUpJob, signUpQueue } from './queue.ts';

export type SignUp = {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly organization: string;
  readonly workspace: string;
  readonly timeZone: string;
  readonly language: Language;
};

/** What is kept, sealed, until the address has been proved. */
type Pending = Omit<SignUp, 'password'> & { readonly phc: string };

/**
 * Begins to sign an organization up: a mail goes to the address, which proves it. Nothing tells whether the address has
 * an account already, but the mail to it: what depends on that is done later, in a job.
 * Throws Failure 'schema_mismatch', 'personal_address', 'weak_password', 'sso_required', 'rate_limited'.
 */
export async function signUp(app: App, head: Head, { password, ...asked }: SignUp): Promise<void> {
  const email = readEmail(asked.email);
  requireCorporate(app, email);
  checkPolicy(password, [email, email.split('@')[0], asked.name, asked.organization, asked.workspace]);
  const canonical = canonicalEmail(email);
  await system(app.db, 'sign up', async (tx) => {
    await requireOwnSignIn(tx, email);
    await countAttempt(tx, networkBucket(head.ip), ofNetwork);
    await countAttempt(tx, `sign-up mail ${canonical}`, ofMails);
  });
  const pending: Pending = { ...asked, email, phc: await app.hasher.make(password) };
  const sealed = seal(app.keys.sealing, JSON.stringify(pending), jobContext);
  await system(app.db, 'sign up', (tx) => app.queue.send(tx, signUpQueue, { sealed } satisfies SignUpJob));
}

const jobContext = 'sign-ups';

/** Sends the mail to an address that somebody signs up with: the token that proves it, or that it has an account. */
export async function sendVerification(app: App, { sealed }: SignUpJob): Promise<void> {
  const pending = JSON.parse(unseal(app.keys.sealing, sealed, jobContext)) as Pending;
  const { email, language } = pending;
  await system(app.db, 'sign up', async (tx) => {
    const known = await findUserByEmail(tx, email);
    if (known) {
      await sendMail(app, tx, known.email, alreadySignedUp(known.language as Language));
      return;
    }
    const subject = canonicalEmail(email);
    const token = await issueToken(tx, app.keys.sealing, 'sign_up', { subject, data: pending });
    const link = `${app.publicUrl()}/sign-up/verification#${token}`;
    await sendMail(app, tx, email, verifyAddress(language, link, token));
  });
}

/**
 * Ends signing up: makes user, organization and workspace, and signs the user in.
 * Throws Failure 'token_invalid', 'sso_required' when single sign-on has been required meanwhile.
 */
export async function verifySignUp(app: App, head: Head, token: string): Promise<Begun & { userId: string }> {
  return system(app.db, 'sign up', async (tx) => {
    const taken = await takeToken(tx, app.keys.sealing, 'sign_up', token);
    const pending = taken?.data as Pending | undefined;
    if (!pending || (await findUserByEmail(tx, pending.email)))
      throw refuse('token_invalid', 'the token has been used, replaced, or is older than a day: sign up again');
    const { email, name, language, phc } = pending;
    await requireOwnSignIn(tx, email);
    const id = await addUser(tx, { email, name, language, isVerified: true });
    await setPassword(tx, id, phc);
    const doer = doerOf(head, { id, email });
    await addOrganization(tx, { ...pending, creator: { id, email } }, doer);
    await recordOfUser(tx, doer, id, 'user-creation');
    return {
      ...(await beginSession(app, tx, head, { user: { id, email, language }, method: 'password' })),
      userId: id,
    };
  });
}
