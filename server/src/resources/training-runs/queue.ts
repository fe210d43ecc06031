/** Carries `{id, workspace_id}`. */
export const trainingQueue = 'training-runs';
