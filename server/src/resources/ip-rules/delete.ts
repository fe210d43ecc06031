import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import { requireWayIn } from './lock-out.ts';
import { deleteRow, selectLevel } from './sql.ts';

/**
 * Deletes a rule of the scope. When it returns, no process lets anybody in by it. Deleting the last one of a level lets
 * everybody in there. Throws Failure 'not_found', 'would_lock_out'.
 */
export async function deleteRule(db: Database, ctx: Context<Scope>, id: string, isConfirmed: boolean): Promise<void> {
  await tenant(db, ctx, async (tx) => {
    const row = await deleteRow(tx, ctx, id);
    if (!row) throw refuse('not_found', `there is no rule ${id}`);
    if (!isConfirmed) requireWayIn(ctx, await selectLevel(tx, ctx, row.api_key_id));
    const told = { cidr: row.cidr, applies_to: row.applies_to, api_key_id: row.api_key_id };
    await record(tx, ctx, 'ip-rule-deletion', { type: 'ip_rule', id }, told);
  });
  await untilLeasesEnd();
}
