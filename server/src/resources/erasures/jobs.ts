import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type ErasureJob, erasureQueue } from './queue.ts';
import { failErasure, runErasure } from './run.ts';

export const erasuresPerWorkspace = 1;

export const erasureJobs = (app: App): Job[] => [
  {
    queue: erasureQueue,
    perGroup: erasuresPerWorkspace,
    leaves: leaves.erasure,
    run: (data, signal) => runErasure(app, data as ErasureJob, signal),
    giveUp: (data, failure) => failErasure(app, data as ErasureJob, failure),
  },
];
