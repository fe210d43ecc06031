import type { Context } from '../../access/context.ts';

/** Returns the storage key of a table part, from its path in manifests. */
export function partKey({ organizationId, workspaceId }: Context, path: string): string {
  return `${organizationId}/${workspaceId}/lake/${path}`;
}

/** Returns the storage key of the frozen tables of a snapshot. */
export function frozenKey({ organizationId, workspaceId }: Context, id: string): string {
  return `${organizationId}/${workspaceId}/snapshots/${id}.frozen`;
}

/**
 * Returns the storage key of a dictionary of names in a line (see `lineOf`). Only dictionaries outside the current line
 * may contain a name that was erased. The key ends with the SHA-256 of the bytes, by which whoever opens them checks
 * them.
 */
export function identifiersKey(ctx: Context, line: string, id: string, sha256: string): string {
  return `${identifiersFolder(ctx)}${line}/${id}-${sha256}`;
}

export function identifiersFolder({ organizationId, workspaceId }: Context): string {
  return `${organizationId}/${workspaceId}/identifiers/`;
}
