import type { Context } from '../../access/context.ts';
import { revokeTokens } from '../../access/one-time-tokens.ts';
import type { UserScope } from '../../access/scope.ts';
import { system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type Doer, recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { type Language, passwordChanged } from '../mails/texts.ts';
import { checkPolicy } from '../passwords/policy.ts';
import { findPassword, setPassword } from '../passwords/set.ts';
import { forgetChallenges } from '../second-factors/check.ts';
import { endAllSessions } from '../sessions/end.ts';
import { findUser, namesAround } from '../users/find.ts';

/**
 * Changes the password of whoever asks, who has just proved who they are. Their other sessions end, their keys stay.
 * Throws Failure 'weak_password'.
 */
export async function changePassword(app: App, ctx: Context<UserScope>, password: string): Promise<void> {
  const userId = ctx.actor.id!;
  const { user, names } = await system(app.db, 'change password', async (tx) => {
    const user = await findUser(tx, userId);
    if (!user) throw refuse('unauthenticated', 'the account is no longer here');
    return { user, names: await namesAround(tx, user) };
  });
  checkPolicy(password, names);
  const phc = await app.hasher.make(password);
  await system(app.db, 'change password', (tx) =>
    replacePassword(app, tx, ctx, { user, phc, except: ctx.credentialId }),
  );
}

/** Replaces a password, ends the sessions but one, and tells the user. */
export async function replacePassword(
  app: App,
  tx: Tx,
  doer: Doer,
  { user, phc, except }: { user: { id: string; email: string; language: string }; phc: string; except: string | null },
): Promise<void> {
  const isFirst = (await findPassword(tx, user.id)) === null;
  await setPassword(tx, user.id, phc);
  await endAllSessions(tx, user.id, 'password_changed', except);
  // Nothing that was begun with the old one goes on.
  await revokeTokens(tx, 'password_reset', user.id);
  await forgetChallenges(tx, user.id);
  await recordOfUser(tx, doer, user.id, 'password-update', { payload: { first: isFirst } });
  if (!isFirst) await sendMail(app, tx, user.email, passwordChanged(user.language as Language));
}
