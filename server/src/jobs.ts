import type { App } from './resources/app.ts';
import { ingestionJobs } from './resources/ingestions/jobs.ts';
import { ingestionQueue } from './resources/ingestions/queue.ts';
import type { Job } from './resources/job.ts';
import { trainingJobs } from './resources/training-runs/jobs.ts';
import { trainingQueue } from './resources/training-runs/queue.ts';

/** The queues there are. */
export const queueNames = [ingestionQueue, trainingQueue];

/** All work that queues carry. */
export const allJobs = (app: App): Job[] => [...ingestionJobs(app), ...trainingJobs(app)];
