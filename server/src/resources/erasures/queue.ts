export type ErasureJob = { readonly id: string; readonly workspace_id: string };

export const erasureQueue = 'erasures';
