import { sql } from 'kysely';
import { hasFactor } from '../../access/credentials/session.ts';
import type { Tx } from '../../access/transactions.ts';

export async function selectTotp(tx: Tx, userId: string) {
  return tx
    .selectFrom('totp_credentials')
    .select(['secret', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Keeps a secret that is still to be confirmed, in place of another such. Returns false when one is confirmed. */
export async function upsertTotp(tx: Tx, userId: string, secret: string): Promise<boolean> {
  const done = await tx
    .insertInto('totp_credentials')
    .values({ user_id: userId, secret })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ secret }).where('totp_credentials.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return Number(done.numInsertedOrUpdatedRows ?? 0) > 0;
}

/** Notes that a code of a step was taken. Returns false when one of that step or a later one was before. */
export async function takeStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const done = await tx
    .updateTable('totp_credentials')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where((or) => or.or([or('last_step', 'is', null), or('last_step', '<', step)]))
    .executeTakeFirst();
  return Number(done.numUpdatedRows) > 0;
}

export async function markConfirmed(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('totp_credentials')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteFactors(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('totp_credentials').where('user_id', '=', userId).execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Replaces all recovery codes of a user. */
export async function replaceCodes(tx: Tx, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** Uses up a recovery code. Returns false for one unknown or used. */
export async function takeCode(tx: Tx, userId: string, hash: string): Promise<boolean> {
  const done = await tx
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) > 0;
}

export async function countCodes(tx: Tx, userId: string): Promise<number> {
  const { left } = await tx
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Whether a user has a second factor of any kind. */
export async function selectHasFactor(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users as u')
    .select(hasFactor(sql.ref('u.id')).as('has_factor'))
    .where('u.id', '=', userId)
    .executeTakeFirst();
  return row?.has_factor ?? false;
}

/** Whether an organization of the user wants a second factor. */
export async function isRequired(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('grants as g')
    .innerJoin('organizations as o', 'o.id', 'g.organization_id')
    .select('o.id')
    .where('g.user_id', '=', userId)
    .where('o.second_factor', '=', 'required')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertChallenge(tx: Tx, userId: string, tokenHash: string, expiresAt: Date): Promise<void> {
  await tx
    .insertInto('sign_in_challenges')
    .values({ user_id: userId, token_hash: tokenHash, expires_at: expiresAt })
    .execute();
}

/** The user of a challenge that is still to be met. */
export async function selectChallenge(tx: Tx, tokenHash: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sign_in_challenges')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row?.user_id;
}

/** Uses up a challenge. Returns false when it was used already. */
export async function deleteChallenge(tx: Tx, tokenHash: string): Promise<boolean> {
  const done = await tx.deleteFrom('sign_in_challenges').where('token_hash', '=', tokenHash).executeTakeFirst();
  return Number(done.numDeletedRows) > 0;
}

export async function deleteChallenges(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
}

export async function deleteExpiredChallenges(tx: Tx): Promise<void> {
  await tx.deleteFrom('sign_in_challenges').where('expires_at', '<=', sql<Date>`now()`).execute();
}
