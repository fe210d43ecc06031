import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/** Has the database answer. */
export async function ask(tx: Tx): Promise<void> {
  await sql`select 1`.execute(tx);
}
