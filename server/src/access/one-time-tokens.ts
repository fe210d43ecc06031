import { sql } from 'kysely';
import { type KeyRing, seal, unseal } from '../lib/crypto/sealed.ts';
import { checkToken, hashToken, makeToken } from '../lib/crypto/tokens.ts';
import type { Tx } from './transactions.ts';

/** What a token is good for, and for how many milliseconds. */
export const tokenLives = {
  sign_up: 24 * 60 * 60_000,
  email_change: 60 * 60_000,
  password_reset: 60 * 60_000,
  sign_in: 24 * 60 * 60_000,
  passkey_registration: 5 * 60_000,
  passkey_sign_in: 5 * 60_000,
  passkey_reauthentication: 5 * 60_000,
  sso_state: 10 * 60_000,
  sso_ticket: 60_000,
} as const;
export type TokenPurpose = keyof typeof tokenLives;

const tokenPrefix = 'lso';

/** A new token, for who needs it before it is issued. */
export function makeOneTimeToken(): string {
  return makeToken(tokenPrefix);
}

/**
 * Makes a token that can be brought back once. It replaces the one that was made before for the same purpose and
 * `subject`, such as an address. `data` are sealed until then. Only the hash of the token is kept.
 */
export async function issueToken(
  tx: Tx,
  ring: KeyRing,
  purpose: TokenPurpose,
  {
    subject,
    userId = null,
    data,
    token = makeOneTimeToken(),
  }: { subject: string; userId?: string | null; data?: object; token?: string },
): Promise<string> {
  const row = {
    token_hash: hashToken(token),
    user_id: userId,
    data: data === undefined ? null : seal(ring, JSON.stringify(data), contextOf(purpose, subject)),
    created_at: new Date(),
    expires_at: new Date(Date.now() + tokenLives[purpose]),
  };
  await tx
    .insertInto('one_time_tokens')
    .values({ purpose, subject, ...row })
    .onConflict((conflict) => conflict.columns(['purpose', 'subject']).doUpdateSet(row))
    .execute();
  return token;
}

export type TakenToken = { readonly subject: string; readonly userId: string | null; readonly data: unknown };

/** Takes a token: it is gone with the transaction. Undefined for one unknown, taken before, replaced or expired. */
export async function takeToken(
  tx: Tx,
  ring: KeyRing,
  purpose: TokenPurpose,
  token: string,
): Promise<TakenToken | undefined> {
  if (checkToken(token) !== tokenPrefix) return undefined;
  const row = await tx
    .deleteFrom('one_time_tokens')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const data: unknown = row.data === null ? null : JSON.parse(unseal(ring, row.data, contextOf(purpose, row.subject)));
  return { subject: row.subject, userId: row.user_id, data };
}

/** Whether a token is good now: for whoever is about to do costly work for it. */
export async function isGoodToken(tx: Tx, purpose: TokenPurpose, token: string): Promise<boolean> {
  if (checkToken(token) !== tokenPrefix) return false;
  const row = await tx
    .selectFrom('one_time_tokens')
    .select('subject')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the tokens of a user that are good for a purpose. */
export async function revokeTokens(tx: Tx, purpose: TokenPurpose, userId: string): Promise<void> {
  await tx.deleteFrom('one_time_tokens').where('purpose', '=', purpose).where('user_id', '=', userId).execute();
}

/** Deletes the tokens that have expired; returns how many there were. */
export async function expireTokens(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_tokens')
    .where('expires_at', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function contextOf(purpose: TokenPurpose, subject: string): string {
  return `one_time_tokens.data.${purpose}.${subject}`;
}
