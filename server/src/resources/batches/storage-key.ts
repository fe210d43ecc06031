import type { Context } from '../../access/context.ts';
import type { UnitJob } from './queue.ts';

type Workspace = Pick<Context, 'organizationId' | 'workspaceId'>;

/** The prefix of the storage keys of everything that a batch writes. */
export function batchFolder({ organizationId, workspaceId }: Workspace, batchId: string): string {
  return `${organizationId}/${workspaceId}/batches/${batchId}/`;
}

/** The storage key of what one attempt at a unit wrote. */
export function partKey(ctx: Workspace, { id, position, unit }: UnitJob, attempt: number): string {
  return `${partsFolder(ctx, id)}${position}-${unit}-${attempt}`;
}

export function partsFolder(ctx: Workspace, batchId: string): string {
  return `${batchFolder(ctx, batchId)}parts/`;
}

/** The storage key of a result that is joined from several parts. */
export function resultKey(ctx: Workspace, batchId: string, position: number): string {
  return `${batchFolder(ctx, batchId)}results/${position}`;
}
