import type { Context } from '../../tenancy/context.ts';

/** Where a part of the tables is kept, by the path its manifests give it. */
export function partKey({ organizationId, workspaceId }: Context, path: string): string {
  return `${organizationId}/${workspaceId}/lake/${path}`;
}

/** Where the frozen tables of a snapshot are kept. */
export function frozenKey({ organizationId, workspaceId }: Context, id: string): string {
  return `${organizationId}/${workspaceId}/snapshots/${id}.frozen`;
}
