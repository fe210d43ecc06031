import type { Context } from '../../access/context.ts';
import { organizationContext } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Doer } from '../../trail/record-of-user.ts';
import { takeGrant } from './remove.ts';
import { selectGrants } from './sql.ts';

/** Gives up every role of a user who goes, in a transaction of the system. Throws Failure 'last_creator'. */
export async function leaveAll(tx: Tx, doer: Doer, userId: string): Promise<void> {
  const { actor, channel, ip, userAgent, requestId } = doer;
  for (const { organization_id, workspace_id } of await selectGrants(tx, userId)) {
    const ctx = {
      ...organizationContext(organization_id, actor),
      ...{ workspaceId: workspace_id, channel, ip, userAgent, requestId },
    } as Context<Scope>;
    await takeGrant(tx, ctx, userId, 'left');
  }
}
