import type { Context } from '../../access/context.ts';

/** Where a part of the tables is kept, by the path its manifests give it. */
export function partKey({ organizationId, workspaceId }: Context, path: string): string {
  return `${organizationId}/${workspaceId}/lake/${path}`;
}

/** Where the frozen tables of a snapshot are kept. */
export function frozenKey({ organizationId, workspaceId }: Context, id: string): string {
  return `${organizationId}/${workspaceId}/snapshots/${id}.frozen`;
}

/**
 * Where a dictionary of names is kept. Each that an erasure makes begins a line of its own, which those made of it go
 * on: what lies outside of the line may have the name.
 */
export function identifiersKey(ctx: Context, line: string, id: string): string {
  return `${identifiersFolder(ctx)}${line}/${id}`;
}

/** The line of a dictionary; of none, the first. */
export function lineOf(key: string | null): string {
  return key?.split('/').at(-2) ?? 'first';
}

export function identifiersFolder({ organizationId, workspaceId }: Context): string {
  return `${organizationId}/${workspaceId}/identifiers/`;
}
