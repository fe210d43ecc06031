import type { App } from '../app.ts';
import type { Job } from '../job.ts';
import { erasureQueue } from './queue.ts';
import { runErasure } from './run.ts';

export const erasureJobs = (app: App): Job[] => [
  {
    queue: erasureQueue,
    perGroup: 1,
    run: (data, signal) => runErasure(app, data as { id: string; workspace_id: string }, signal),
  },
];
