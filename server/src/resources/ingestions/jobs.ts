import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type IngestionJob, ingestionQueue, ingestionsPerWorkspace } from './queue.ts';
import { failIngestion, runIngestion } from './run.ts';

export const ingestionJobs = (app: App): Job[] => [
  {
    queue: ingestionQueue,
    perGroup: ingestionsPerWorkspace,
    leaves: leaves.ingestion,
    run: (data, signal) => runIngestion(app, data as IngestionJob, signal),
    giveUp: (data, failure) => failIngestion(app, data as IngestionJob, failure),
  },
];
