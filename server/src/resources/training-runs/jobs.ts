import type { App } from '../app.ts';
import type { Job } from '../job.ts';
import { trainingQueue } from './queue.ts';
import { trainRun } from './train.ts';

export const trainingJobs = (app: App): Job[] => [
  {
    queue: trainingQueue,
    perGroup: 1,
    run: (data, signal) => trainRun(app, data as { id: string; workspace_id: string }, signal),
  },
];
