/** Carries `{id, workspace_id}`: plans a batch, or ends it once all its units have. */
export const batchQueue = 'batches';

/** Carries `{id, workspace_id, position, unit}`: scores a piece of a file. */
export const unitQueue = 'batch-units';

export type BatchJob = { readonly id: string; readonly workspace_id: string };
export type UnitJob = BatchJob & { readonly position: number; readonly unit: number };

/** One job of a unit waits at a time. */
export function unitKey({ id, position, unit }: Omit<UnitJob, 'workspace_id'>): string {
  return `${id} ${position} ${unit}`;
}
