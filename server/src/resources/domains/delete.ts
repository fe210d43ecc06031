import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import { deleteRow } from './sql.ts';

/** Deletes a domain: people of it no longer sign in by single sign-on. Throws Failure 'not_found'. */
export async function deleteDomain(db: Database, ctx: Context<OrganizationScope>, id: string): Promise<void> {
  await tenant(db, ctx, async (tx) => {
    const row = await deleteRow(tx, ctx, id);
    if (!row) throw refuse('not_found', `there is no domain ${id}`);
    await record(tx, ctx, 'domain-deletion', { type: 'domain', id }, { domain: row.domain });
  });
}
