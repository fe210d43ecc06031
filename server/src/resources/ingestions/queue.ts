export type IngestionJob = { readonly id: string; readonly workspace_id: string };

/** One at a time in a workspace: each builds on the snapshot of the one before. */
export const ingestionQueue = 'ingestions';
