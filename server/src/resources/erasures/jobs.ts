import type { App } from '../app.ts';
import type { Job } from '../job.ts';
import { type ErasureJob, erasureQueue } from './queue.ts';
import { failErasure, runErasure } from './run.ts';

export const erasureJobs = (app: App): Job[] => [
  {
    queue: erasureQueue,
    perGroup: 1,
    run: (data, signal) => runErasure(app, data as ErasureJob, signal),
    giveUp: (data, failure) => failErasure(app, data as ErasureJob, failure),
  },
];
