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
 * Returns the storage key of a dictionary of names. Each erasure starts a new line with the dictionary that it writes;
 * later dictionaries made from that one stay in its line. Only dictionaries outside the current line may contain the
 * erased name. The key ends with the SHA-256 of the bytes, by which whoever opens them checks them.
 */
export function identifiersKey(ctx: Context, line: string, id: string, sha256: string): string {
  return `${identifiersFolder(ctx)}${line}/${id}-${sha256}`;
}

/** Returns the line of a dictionary's key; `first` for null. */
export function lineOf(key: string | null): string {
  return key?.split('/').at(-2) ?? 'first';
}

export function identifiersFolder({ organizationId, workspaceId }: Context): string {
  return `${organizationId}/${workspaceId}/identifiers/`;
}
