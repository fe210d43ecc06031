import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { type BatchJob, batchesPerWorkspace, batchQueue, type UnitJob, unitQueue } from './queue.ts';
import { advanceBatch, failBatch } from './work/advance.ts';
import { failUnit, runUnit } from './work/run-unit.ts';

/** The most units of a workspace that are scored at once. */
const unitsPerWorkspace = 32;

export const batchJobs = (app: App): Job[] => [
  {
    queue: batchQueue,
    perGroup: batchesPerWorkspace,
    leaves: leaves.scoring,
    run: (data, signal) => advanceBatch(app, data as BatchJob, signal),
    giveUp: (data, failure) => failBatch(app, data as BatchJob, failure),
  },
  {
    queue: unitQueue,
    perGroup: unitsPerWorkspace,
    leaves: leaves.scoring,
    run: (data, signal) => runUnit(app, data as UnitJob, signal),
    giveUp: (data, failure) => failUnit(app, data as UnitJob, failure),
  },
];
