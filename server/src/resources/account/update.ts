import { countAttempt, ofMails } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { issueToken, revokeTokens, takeToken } from '../../access/one-time-tokens.ts';
import type { UserScope } from '../../access/scope.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { addressChanged, changeAddress, type Language } from '../mails/texts.ts';
import { leaveAll } from '../members/leave-all.ts';
import { forgetNotificationsOf } from '../notifications/forget-user.ts';
import { forgetPasskeys } from '../passkeys/forget.ts';
import { removePassword } from '../passwords/set.ts';
import { forgetFactors } from '../second-factors/check.ts';
import { forgetIdentities } from '../single-sign-on/forget.ts';
import { proveEmail } from '../users/add.ts';
import { closeUser, editUser } from '../users/change.ts';
import { canonicalEmail, readEmail, requireCorporate } from '../users/email.ts';
import { findUser, findUserByEmail } from '../users/find.ts';

/** Changes the name or the language of whoever asks. */
export async function changeUser(
  app: App,
  ctx: Context<UserScope>,
  change: { readonly name?: string; readonly language?: Language },
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await system(app.db, 'change user', async (tx) => {
    await editUser(tx, ctx.actor.id!, change);
    await recordOfUser(tx, ctx, ctx.actor.id!, 'user-update', { payload: { changed: Object.keys(change) } });
  });
}

/**
 * Asks to change the address of whoever asks: a mail goes to the new one, which proves it. Whether the new one has an
 * account, nothing tells. Throws Failure 'schema_mismatch', 'personal_address', 'rate_limited'.
 */
export async function requestEmail(app: App, ctx: Context<UserScope>, asked: string): Promise<void> {
  const email = readEmail(asked);
  requireCorporate(app, email);
  const userId = ctx.actor.id!;
  await system(app.db, 'request email', async (tx) => {
    await countAttempt(tx, `change mail ${userId}`, ofMails);
    const user = await findUser(tx, userId);
    if (!user || (await findUserByEmail(tx, email))) return;
    const token = await issueToken(tx, app.keys.sealing, 'email_change', { subject: userId, userId, data: { email } });
    const link = `${app.publicUrl()}/email#${token}`;
    await sendMail(app, tx, email, changeAddress(user.language as Language, link, token));
  });
}

/** Ends a change of address with the token of the mail, and tells the old one. Throws Failure 'token_invalid'. */
export async function verifyEmail(app: App, ctx: Context<UserScope>, token: string): Promise<void> {
  const userId = ctx.actor.id!;
  await system(app.db, 'verify email', async (tx) => {
    const taken = await takeToken(tx, app.keys.sealing, 'email_change', token);
    const user = await findUser(tx, userId);
    const email = taken?.subject === userId ? (taken.data as { email: string }).email : undefined;
    if (!user || email === undefined || (await findUserByEmail(tx, email)))
      throw refuse('token_invalid', 'the token has been used, replaced, or is older than an hour: ask again');
    await proveEmail(tx, userId, email);
    // A mail to the old address is no proof any more.
    await revokeTokens(tx, 'password_reset', userId);
    await recordOfUser(tx, ctx, userId, 'user-update', {
      payload: { changed: ['email'], from: canonicalEmail(user.email), to: canonicalEmail(email) },
    });
    await sendMail(app, tx, user.email, addressChanged(user.language as Language, email));
  });
}

/**
 * Deletes the account of whoever asks: all roles, sessions, keys, notifications and the password end; the trail keeps
 * id and label.
 * Throws Failure 'last_creator'.
 */
export async function deleteUser(app: App, ctx: Context<UserScope>): Promise<void> {
  const userId = ctx.actor.id!;
  await system(app.db, 'delete user', async (tx) => {
    await recordOfUser(tx, ctx, userId, 'user-deletion');
    await leaveAll(tx, ctx, userId);
    await removePassword(tx, userId);
    await forgetFactors(tx, userId);
    await forgetIdentities(tx, userId);
    await forgetPasskeys(tx, userId);
    await forgetNotificationsOf(tx, userId);
    await closeUser(tx, userId);
  });
  await untilLeasesEnd();
}
