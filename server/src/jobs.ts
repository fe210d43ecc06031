import type { App } from './resources/app.ts';
import { ingestionJobs } from './resources/ingestions/jobs.ts';
import type { Job } from './resources/job.ts';
import { trainingJobs } from './resources/training-runs/jobs.ts';

/** All work that queues carry. */
export const allJobs = (app: App): Job[] => [...ingestionJobs(app), ...trainingJobs(app)];
