import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/** The keys that are shown, or will be: the one of now first, then those to come. */
export async function selectHostKeys(tx: Tx) {
  return tx
    .selectFrom('sftp_host_keys')
    .select(['id', 'private_key', 'fingerprint', 'used_from'])
    .where(
      'used_from',
      '>=',
      sql<Date>`coalesce((select max(used_from) from sftp_host_keys where used_from <= now()), '-infinity')`,
    )
    .orderBy('used_from')
    .execute();
}

/** Whoever else makes the first key waits for this transaction. */
export async function lockHostKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sftp host keys'))`.execute(tx);
}

export async function insertHostKey(
  tx: Tx,
  key: { readonly id: string; readonly private_key: string; readonly fingerprint: string; readonly used_from: Date },
): Promise<void> {
  await tx.insertInto('sftp_host_keys').values(key).execute();
}
