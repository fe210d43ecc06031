import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type ValidationJob, validationQueue } from './queue.ts';
import { failValidation, runValidation } from './run.ts';

export const validationsPerWorkspace = 1;

export const validationJobs = (app: App): Job[] => [
  {
    queue: validationQueue,
    perGroup: validationsPerWorkspace,
    leaves: leaves.evaluation,
    run: (data, signal) => runValidation(app, data as ValidationJob, signal),
    giveUp: (data, failure) => failValidation(app, data as ValidationJob, failure),
  },
];
