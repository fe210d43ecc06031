import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { insertWorkspace, updateData, updateWorkspace } from './sql.ts';
import type { Data, NewWorkspace } from './workspace.ts';

export function addWorkspace(tx: Tx, workspace: NewWorkspace): Promise<void> {
  return insertWorkspace(tx, workspace);
}

/** Replaces the data, unless they are other than `before` by now. Says whether it did. */
export function replaceData(tx: Tx, ctx: Context, before: Data, after: Data): Promise<boolean> {
  return updateData(tx, ctx, before, after);
}

/** Replaces the dictionary of names alone. */
export function setIdentifiers(tx: Tx, ctx: Context, identifiersKey: string | null): Promise<void> {
  return updateWorkspace(tx, ctx, { identifiers_key: identifiersKey });
}

/** Has the workspace read a version of the graph model from now on. */
export function setGfmVersion(tx: Tx, ctx: Context, id: string): Promise<void> {
  return updateWorkspace(tx, ctx, { gfm_version_id: id });
}
