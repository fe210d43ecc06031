import { countAttempt, forgetAttempts, ofDevice } from '../../access/attempts.ts';
import type { Context } from '../../access/context.ts';
import type { UserScope } from '../../access/scope.ts';
import { system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { makeTotpSecret, stepOfCode, totpAddress } from '../../lib/crypto/totp.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { type Language, secondFactorChanged } from '../mails/texts.ts';
import { findUser, lockUser } from '../users/find.ts';
import { requireFactorLeft } from './check.ts';
import { hashCode, makeCodes, openSecret, sealSecret } from './codes.ts';
import { deleteFactors, markConfirmed, replaceCodes, selectTotp, takeStep, upsertTotp } from './sql.ts';

const issuer = 'Lastro';

/**
 * Makes a secret for the user's app, which is shown here and never again. Throws Failure 'conflict' if one is set up.
 */
export async function beginTotp(app: App, ctx: Context<UserScope>): Promise<{ secret: string; uri: string }> {
  const userId = ctx.actor.id!;
  const secret = makeTotpSecret();
  const isKept = await system(app.db, 'begin totp', (tx) => upsertTotp(tx, userId, sealSecret(app, userId, secret)));
  if (!isKept) throw refuse('conflict', 'an app is set up already: take it off first');
  return { secret, uri: totpAddress(secret, issuer, ctx.actor.label) };
}

/**
 * Sets the second factor up, with the first code of the app. Returns the recovery codes, which are shown here and never
 * again. Throws Failure 'code_invalid', 'conflict', 'rate_limited'.
 */
export async function confirmTotp(app: App, ctx: Context<UserScope>, code: string): Promise<string[]> {
  const userId = ctx.actor.id!;
  const bucket = `totp enrolment ${userId}`;
  await system(app.db, 'confirm totp', (tx) => countAttempt(tx, bucket, ofDevice));
  return system(app.db, 'confirm totp', async (tx) => {
    const totp = await selectTotp(tx, userId);
    if (!totp || totp.confirmed_at !== null) throw refuse('conflict', 'no app waits to be set up: begin anew');
    const step = stepOfCode(openSecret(app, userId, totp.secret), code.replaceAll(' ', ''), null);
    if (step === undefined || !(await takeStep(tx, userId, step)))
      throw refuse('code_invalid', 'the code is not the one that the app shows now');
    await markConfirmed(tx, userId);
    await forgetAttempts(tx, [bucket]);
    return giveCodes(app, tx, ctx, 'totp_set_up');
  });
}

/** Makes new recovery codes, and ends the old ones. Throws Failure 'conflict' without an app. */
export async function renewCodes(app: App, ctx: Context<UserScope>): Promise<string[]> {
  return system(app.db, 'renew codes', async (tx) => {
    if ((await selectTotp(tx, ctx.actor.id!))?.confirmed_at == null)
      throw refuse('conflict', 'recovery codes go with an app: set one up first');
    return giveCodes(app, tx, ctx, 'recovery_codes_renewed');
  });
}

/**
 * Takes the app off. Throws Failure 'conflict' without one, and 'second_factor_required' where an organization of the
 * user wants a second factor and there is no other.
 */
export async function removeTotp(app: App, ctx: Context<UserScope>): Promise<void> {
  const userId = ctx.actor.id!;
  await system(app.db, 'remove totp', async (tx) => {
    await lockUser(tx, userId);
    if (!(await selectTotp(tx, userId))) throw refuse('conflict', 'no app is set up');
    await deleteFactors(tx, userId);
    await requireFactorLeft(tx, userId);
    await tell(app, tx, ctx, 'totp_removed');
  });
}

async function giveCodes(app: App, tx: Tx, ctx: Context<UserScope>, what: Change): Promise<string[]> {
  const codes = makeCodes();
  await replaceCodes(tx, ctx.actor.id!, codes.map(hashCode));
  await tell(app, tx, ctx, what);
  return codes;
}

type Change = 'totp_set_up' | 'totp_removed' | 'recovery_codes_renewed';

async function tell(app: App, tx: Tx, ctx: Context<UserScope>, change: Change): Promise<void> {
  const user = await findUser(tx, ctx.actor.id!);
  await recordOfUser(tx, ctx, ctx.actor.id!, 'second-factor-update', { payload: { change } });
  if (user) await sendMail(app, tx, user.email, secondFactorChanged(user.language as Language));
}
