import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type ReplayJob, replayQueue } from './queue.ts';
import { failReplay, runReplay } from './run.ts';

export const replaysPerWorkspace = 1;

export const replayJobs = (app: App): Job[] => [
  {
    queue: replayQueue,
    perGroup: replaysPerWorkspace,
    leaves: leaves.evaluation,
    run: (data, signal) => runReplay(app, data as ReplayJob, signal),
    giveUp: (data, failure) => failReplay(app, data as ReplayJob, failure),
  },
];
