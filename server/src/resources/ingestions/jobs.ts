import type { App } from '../app.ts';
import type { Job } from '../job.ts';
import { ingestionQueue } from './queue.ts';
import { runIngestion } from './run.ts';

export const ingestionJobs = (app: App): Job[] => [
  {
    queue: ingestionQueue,
    perGroup: 1,
    run: (data, signal) => runIngestion(app, data as { id: string; workspace_id: string }, signal),
  },
];
