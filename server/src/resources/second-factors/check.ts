import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { hashToken, makeToken } from '../../lib/crypto/tokens.ts';
import { stepOfCode } from '../../lib/crypto/totp.ts';
import type { App } from '../app.ts';
import { hashCode, openSecret } from './codes.ts';
import {
  countCodes,
  deleteChallenge,
  deleteChallenges,
  deleteExpiredChallenges,
  deleteFactors,
  insertChallenge,
  isRequired,
  selectChallenge,
  selectHasFactor,
  selectTotp,
  takeCode,
  takeStep,
} from './sql.ts';

/** How long somebody who has given the password may take for the code. */
export const challengeMs = 5 * 60_000;
const challengePrefix = 'lsc';

/** By which of the two a second factor was proved. */
export type Proof = 'totp' | 'recovery_code';

/** The count of the codes that were tried for a user. */
export function codeBucket(userId: string): string {
  return `account code ${userId}`;
}

/** Whether a user has set up an app, without whose codes their password signs nobody in. */
export async function hasTotp(tx: Tx, userId: string): Promise<boolean> {
  return (await selectTotp(tx, userId))?.confirmed_at != null;
}

/** Whether a user has a second factor: an app or a passkey. */
export function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  return selectHasFactor(tx, userId);
}

/**
 * Refuses what has taken a second factor off a user, in the same transaction, if it was the last one and an
 * organization of the user wants one. The user must be locked: two factors may not go at once. Throws Failure
 * 'second_factor_required'.
 */
export async function requireFactorLeft(tx: Tx, userId: string): Promise<void> {
  if ((await selectHasFactor(tx, userId)) || !(await isRequired(tx, userId))) return;
  throw refuse('second_factor_required', 'an organization that you are in wants a second factor of its members');
}

/** What a user has set up. */
export async function describeFactor(tx: Tx, userId: string) {
  const isSet = await hasTotp(tx, userId);
  return { totp: isSet, recovery_codes_left: isSet ? await countCodes(tx, userId) : 0 };
}

/**
 * Takes a code of the user's app, or one of the recovery codes; each is taken once. Returns which it was, undefined for
 * a wrong or used one.
 */
export async function takeProof(
  app: Pick<App, 'keys'>,
  tx: Tx,
  userId: string,
  code: string,
): Promise<Proof | undefined> {
  const totp = await selectTotp(tx, userId);
  if (totp?.confirmed_at == null) return undefined;
  const digits = code.replaceAll(' ', '');
  const step = stepOfCode(openSecret(app, userId, totp.secret), digits, totp.last_step);
  if (step !== undefined) return (await takeStep(tx, userId, step)) ? 'totp' : undefined;
  return (await takeCode(tx, userId, hashCode(code))) ? 'recovery_code' : undefined;
}

/**
 * Begins to ask for the code of somebody who has given the right password. Returns the token that the code goes with.
 */
export async function challenge(tx: Tx, userId: string): Promise<{ token: string; expiresAt: Date }> {
  await deleteExpiredChallenges(tx);
  const token = makeToken(challengePrefix);
  const expiresAt = new Date(Date.now() + challengeMs);
  await insertChallenge(tx, userId, hashToken(token), expiresAt);
  return { token, expiresAt };
}

/** The user of whom a challenge asks the code. Throws Failure 'token_invalid'. */
export async function challenged(tx: Tx, token: string): Promise<string> {
  const userId = await selectChallenge(tx, hashToken(token));
  if (userId === undefined) throw over();
  return userId;
}

/** Ends a challenge that was met: of two who meet it at once, one does. Throws Failure 'token_invalid'. */
export async function meet(tx: Tx, token: string): Promise<void> {
  if (!(await deleteChallenge(tx, hashToken(token)))) throw over();
}

/** Ends the sign-ins of a user that wait for a code. */
export function forgetChallenges(tx: Tx, userId: string): Promise<void> {
  return deleteChallenges(tx, userId);
}

/** Takes the second factor off a user who goes. */
export function forgetFactors(tx: Tx, userId: string): Promise<void> {
  return deleteFactors(tx, userId);
}

function over() {
  return refuse('token_invalid', 'the sign-in is older than five minutes, or has ended: begin anew');
}
