export type IngestionJob = { readonly id: string; readonly workspace_id: string };

/** At most one job runs at a time per workspace, because each ingestion builds on the snapshot of the one before. */
export const ingestionQueue = 'ingestions';

export const ingestionsPerWorkspace = 1;
