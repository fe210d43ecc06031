export type RescoringJob = { readonly id: string; readonly workspace_id: string };

export const rescoringQueue = 'rescorings';
/** Lists of one workspace that are rescored at once. */
export const rescoringsPerWorkspace = 1;
