export type BacktestJob = { readonly id: string; readonly workspace_id: string };

export const backtestQueue = 'backtests';
