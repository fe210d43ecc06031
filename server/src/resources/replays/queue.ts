export type ReplayJob = { readonly id: string; readonly workspace_id: string };

export const replayQueue = 'replays';
