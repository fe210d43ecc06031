import { sql } from 'kysely';
import type { Transaction } from './db.ts';

/** The column `status` of a row of a table, and nothing else of it; undefined without such a row. */
export async function selectStatus<T>(tx: Transaction<T>, table: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`
    select status from ${sql.table(table)} where id = ${id}`.execute(tx);
  return rows[0]?.status;
}
