import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/** Throws when the database does not answer. */
export async function ask(tx: Tx): Promise<void> {
  await sql`select 1`.execute(tx);
}
