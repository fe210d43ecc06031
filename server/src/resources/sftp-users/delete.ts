import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import { markRevoked } from './sql.ts';

/** Deletes a login for SFTP. When it returns, no process lets it do anything. Throws Failure 'not_found'. */
export async function deleteSftpUser(db: Database, ctx: Context, id: string): Promise<void> {
  await tenant(db, ctx, async (tx) => {
    const name = await markRevoked(tx, id);
    if (name === undefined) throw refuse('not_found', `there is no SFTP user ${id}`);
    await record(tx, ctx, 'sftp-user-deletion', { type: 'sftp_user', id }, { name });
  });
  await untilLeasesEnd();
}
