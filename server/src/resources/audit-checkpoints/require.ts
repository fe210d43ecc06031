import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type CheckpointRow, selectCheckpoint, selectCheckpoints } from './sql.ts';

/** The checkpoint of the scope's tree at a size; the newest without one. Throws Failure 'not_found'. */
export async function requireCheckpoint(tx: Tx, ctx: Context<Scope>, size?: number): Promise<CheckpointRow> {
  const tree = treeOf(ctx);
  if (size === undefined) {
    const [newest] = await selectCheckpoints(tx, tree, null, 1);
    if (!newest) throw refuse('not_found', 'nothing is sealed yet');
    return newest;
  }
  const found = await selectCheckpoint(tx, tree, size);
  if (!found) throw refuse('not_found', `there is no checkpoint of ${size} leaves`);
  return found;
}

/** The tree of a scope. */
export function treeOf({ organizationId, workspaceId }: Context<Scope>): string {
  return workspaceId ?? organizationId;
}
