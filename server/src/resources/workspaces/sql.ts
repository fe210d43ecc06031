import type { Insertable, Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Workspaces } from '../../schema/tables.ts';
import type { Data, WorkspaceRow } from './workspace.ts';

export async function insertWorkspace(tx: Tx, workspace: Insertable<Workspaces>): Promise<void> {
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

const columns = ['id', 'name', 'status', 'time_zone', 'language', 'created_at'] as const;

export async function selectWorkspace(tx: Tx, id: string): Promise<WorkspaceRow> {
  return tx.selectFrom('workspaces').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

/** The workspaces of an organization, newest first. */
export async function selectWorkspaces(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  before: string | null,
  most: number,
): Promise<WorkspaceRow[]> {
  return tx
    .selectFrom('workspaces')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
