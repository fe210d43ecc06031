import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { observeVersion } from './observe.ts';
import { type ObservationJob, observationQueue } from './queue.ts';

export const observationJobs = (app: App): Job[] => [
  {
    queue: observationQueue,
    perGroup: 1,
    leaves: leaves.evaluation,
    run: (data, signal) => observeVersion(app, data as ObservationJob, signal),
    // Nothing waits for it: the next day is observed with this one.
    giveUp: async (data, failure) => app.log.warn({ ...(data as ObservationJob), failure }, 'version not observed'),
  },
];
