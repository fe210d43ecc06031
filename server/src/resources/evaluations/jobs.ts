import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type EvaluationJob, evaluationQueue } from './queue.ts';
import { failEvaluation, runEvaluation } from './run.ts';

export const evaluationsPerWorkspace = 1;

export const evaluationJobs = (app: App): Job[] => [
  {
    queue: evaluationQueue,
    perGroup: evaluationsPerWorkspace,
    leaves: leaves.evaluation,
    run: (data, signal) => runEvaluation(app, data as EvaluationJob, signal),
    giveUp: (data, failure) => failEvaluation(app, data as EvaluationJob, failure),
  },
];
