import type { App } from '../app.ts';
import type { Job } from '../job.ts';
import { auditExportQueue, type ExportJob } from './queue.ts';
import { failExport, runExport } from './run.ts';

export const auditExportJobs = (app: App): Job[] => [
  {
    queue: auditExportQueue,
    perGroup: 1,
    leaves: 0,
    run: (data, signal) => runExport(app, data as ExportJob, signal),
    giveUp: (data, failure) => failExport(app, data as ExportJob, failure),
  },
];
