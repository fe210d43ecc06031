export type ValidationJob = { readonly id: string; readonly workspace_id: string };

export const validationQueue = 'validations';
