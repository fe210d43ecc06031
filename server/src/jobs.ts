import type { App } from './resources/app.ts';
import { batchJobs } from './resources/batches/jobs.ts';
import { batchQueue, unitQueue } from './resources/batches/queue.ts';
import { erasureJobs } from './resources/erasures/jobs.ts';
import { erasureQueue } from './resources/erasures/queue.ts';
import { ingestionJobs } from './resources/ingestions/jobs.ts';
import { ingestionQueue } from './resources/ingestions/queue.ts';
import type { Job } from './resources/job.ts';
import { trainingJobs } from './resources/training-runs/jobs.ts';
import { trainingQueue } from './resources/training-runs/queue.ts';

/** The queues there are. */
export const queueNames = [batchQueue, unitQueue, erasureQueue, ingestionQueue, trainingQueue];

/** All work that queues carry. */
export const allJobs = (app: App): Job[] => [
  ...batchJobs(app),
  ...erasureJobs(app),
  ...ingestionJobs(app),
  ...trainingJobs(app),
];
