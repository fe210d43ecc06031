import type { Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Workspaces } from '../../schema/tables.ts';
import type { Data, NewWorkspace } from './workspace.ts';

export async function insertWorkspace(tx: Tx, workspace: NewWorkspace): Promise<void> {
  await tx.insertInto('workspaces').values(workspace).execute();
}

export async function updateWorkspace(tx: Tx, { workspaceId }: Context, change: Updateable<Workspaces>): Promise<void> {
  await tx.updateTable('workspaces').set(change).where('id', '=', workspaceId).execute();
}

/** Replaces the workspace's data. Returns false when they no longer equal `before`. */
export async function updateData(tx: Tx, { workspaceId }: Context, before: Data, after: Data): Promise<boolean> {
  const updated = await tx
    .updateTable('workspaces')
    .set({ snapshot_id: after.snapshotId, identifiers_key: after.identifiersKey })
    .where('id', '=', workspaceId)
    .where('snapshot_id', 'is not distinct from', before.snapshotId)
    .where('identifiers_key', 'is not distinct from', before.identifiersKey)
    .executeTakeFirst();
  return Number(updated.numUpdatedRows) > 0;
}
