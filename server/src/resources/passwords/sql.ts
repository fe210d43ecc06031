import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

export async function upsertCredential(tx: Tx, userId: string, phc: string): Promise<void> {
  const change = { phc, changed_at: sql<Date>`now()` };
  await tx
    .insertInto('password_credentials')
    .values({ user_id: userId, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute();
}

export async function selectHash(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('password_credentials')
    .select('phc')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.phc ?? null;
}

export async function deleteCredential(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('password_credentials').where('user_id', '=', userId).execute();
}
