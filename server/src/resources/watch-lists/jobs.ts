import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type RescoringJob, rescoringQueue, rescoringsPerWorkspace } from './queue.ts';
import { failRescoring, rescore } from './rescore.ts';

export const watchListJobs = (app: App): Job[] => [
  {
    queue: rescoringQueue,
    perGroup: rescoringsPerWorkspace,
    leaves: leaves.evaluation,
    run: (data, signal) => rescore(app, data as RescoringJob, signal),
    giveUp: (data, failure) => failRescoring(app, data as RescoringJob, failure),
  },
];
