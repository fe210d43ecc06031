import { type Context, operatorContext } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, system } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { requireOrganization } from '../organizations/require.ts';
import { deleteAll } from './sql.ts';

/**
 * Deletes all rules of an organization, of its workspaces and of their keys, for the operator of the host, when nobody
 * comes in any more. Returns how many there were. Throws Failure 'not_found'.
 */
export function clearRules(db: Database, organizationId: string): Promise<number> {
  return system(db, 'clear rules', async (tx) => {
    await requireOrganization(tx, organizationId);
    const rows = await deleteAll(tx, organizationId);
    const whole = operatorContext(organizationId);
    for (const { id, workspace_id, cidr, applies_to, api_key_id } of rows) {
      const ctx = { ...whole, workspaceId: workspace_id } as Context<Scope>;
      await record(tx, ctx, 'ip-rule-deletion', { type: 'ip_rule', id }, { cidr, applies_to, api_key_id });
    }
    return rows.length;
  });
}
