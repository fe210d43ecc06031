/** Carries `{id, workspace_id}`. One at a time in a workspace: each builds on the snapshot of the one before. */
export const ingestionQueue = 'ingestions';
