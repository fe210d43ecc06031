import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { updateData, updateWorkspace } from './sql.ts';
import type { Data } from './workspace.ts';

/** Replaces the workspace's data if they still equal `before`. Returns whether it replaced them. */
export function replaceData(tx: Tx, ctx: Context, before: Data, after: Data): Promise<boolean> {
  return updateData(tx, ctx, before, after);
}

/** Replaces the dictionary of names and keeps the snapshot. */
export function setIdentifiers(tx: Tx, ctx: Context, identifiersKey: string | null): Promise<void> {
  return updateWorkspace(tx, ctx, { identifiers_key: identifiersKey });
}

/** Sets the GFM version that the workspace uses. */
export function setGfmVersion(tx: Tx, ctx: Context, id: string): Promise<void> {
  return updateWorkspace(tx, ctx, { gfm_version_id: id });
}

/** Archives the workspace, or takes it out of the archive. */
export function setStatus(tx: Tx, ctx: Context, status: 'active' | 'archived'): Promise<void> {
  return updateWorkspace(tx, ctx, { status });
}
