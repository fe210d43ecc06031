/** Carries `{id, workspace_id}`: plans a batch, or ends it once all its units have. */
export const batchQueue = 'batches';

/** Carries `{id, workspace_id, position, unit}`: scores a piece of a file. */
export const unitQueue = 'batch-units';

export type BatchJob = { readonly id: string; readonly workspace_id: string };
export type UnitJob = BatchJob & { readonly position: number; readonly unit: number };
