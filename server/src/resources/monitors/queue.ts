export type ObservationJob = { readonly version_id: string; readonly workspace_id: string };

export const observationQueue = 'observations';
