export type EvaluationJob = { readonly id: string; readonly workspace_id: string };

export const evaluationQueue = 'evaluations';
