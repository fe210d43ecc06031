import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type BacktestJob, backtestQueue } from './queue.ts';
import { failBacktest, runBacktest } from './run.ts';

export const backtestsPerWorkspace = 1;

export const backtestJobs = (app: App): Job[] => [
  {
    queue: backtestQueue,
    perGroup: backtestsPerWorkspace,
    leaves: leaves.evaluation,
    run: (data, signal) => runBacktest(app, data as BacktestJob, signal),
    giveUp: (data, failure) => failBacktest(app, data as BacktestJob, failure),
  },
];
