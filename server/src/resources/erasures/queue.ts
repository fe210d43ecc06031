/** Carries `{id, workspace_id}`. */
export const erasureQueue = 'erasures';
