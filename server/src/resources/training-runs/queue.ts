export type TrainingJob = { readonly id: string; readonly workspace_id: string };

export const trainingQueue = 'training-runs';

export const runsPerWorkspace = 1;
