/** Jobs with `{id, workspace_id}`, which plan a batch, or end it once all its units have ended. */
export const batchQueue = 'batches';

/** Jobs with `{id, workspace_id, position, unit}`, which score a range of rows of a file. */
export const unitQueue = 'batch-units';

export type BatchJob = { readonly id: string; readonly workspace_id: string };
export type UnitJob = BatchJob & { readonly position: number; readonly unit: number };

/** The singleton key of a unit: at most one job of a unit waits in the queue. */
export function unitKey({ id, position, unit }: Omit<UnitJob, 'workspace_id'>): string {
  return `${id} ${position} ${unit}`;
}

/** The most batches of a workspace that are planned or finished at once. */
export const batchesPerWorkspace = 2;
