import { serveTasks } from './lib/processes/serve.ts';
import { scoreUnit } from './resources/batches/scoring/score-unit.ts';
import { inspectFiles } from './resources/batches/work/inspect-files.ts';
import { forgetName, lookFor } from './resources/erasures/compute.ts';
import { ingest } from './resources/ingestions/compute.ts';
import { fineTuneEncoder, pretrain } from './resources/rfm-versions/compute.ts';
import { train } from './resources/training-runs/compute.ts';

/** The tasks that child processes run, by name. */
export const handlers = { forgetName, ingest, inspectFiles, lookFor, pretrain, scoreUnit, fineTuneEncoder, train };

serveTasks(handlers);
