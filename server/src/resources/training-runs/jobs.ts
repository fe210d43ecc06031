import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { runsPerWorkspace, type TrainingJob, trainingQueue } from './queue.ts';
import { failRun, trainRun } from './train.ts';

export const trainingJobs = (app: App): Job[] => [
  {
    queue: trainingQueue,
    perGroup: runsPerWorkspace,
    leaves: leaves.training,
    run: (data, signal) => trainRun(app, data as TrainingJob, signal),
    giveUp: (data, failure) => failRun(app, data as TrainingJob, failure),
  },
];
