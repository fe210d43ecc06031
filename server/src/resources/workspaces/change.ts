import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

export type NewWorkspace = {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly language: 'en' | 'pt-BR';
};

export async function insertWorkspace(tx: Tx, workspace: NewWorkspace): Promise<void> {
  await tx.insertInto('workspaces').values(workspace).execute();
}

/** The data a workspace is read by: its newest snapshot, and the dictionary of the names in it. */
export type Data = { readonly snapshotId: string | null; readonly identifiersKey: string | null };

/** Replaces the data, unless they are other than `before` by now. Says whether it did. */
export async function replaceData(tx: Tx, ctx: Context, before: Data, after: Data): Promise<boolean> {
  const replaced = await tx
    .updateTable('workspaces')
    .set({ snapshot_id: after.snapshotId, identifiers_key: after.identifiersKey })
    .where('id', '=', ctx.workspaceId)
    .where('snapshot_id', 'is not distinct from', before.snapshotId)
    .where('identifiers_key', 'is not distinct from', before.identifiersKey)
    .executeTakeFirst();
  return Number(replaced.numUpdatedRows) > 0;
}

/** Replaces the dictionary of names alone. */
export async function setIdentifiers(tx: Tx, ctx: Context, identifiersKey: string | null): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ identifiers_key: identifiersKey })
    .where('id', '=', ctx.workspaceId)
    .execute();
}

/** Has the workspace read a version of the graph model from now on. */
export async function setGfmVersion(tx: Tx, ctx: Context, id: string): Promise<void> {
  await tx.updateTable('workspaces').set({ gfm_version_id: id }).where('id', '=', ctx.workspaceId).execute();
}
