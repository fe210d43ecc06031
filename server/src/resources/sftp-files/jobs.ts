import type { App } from '../app.ts';
import { type Job, leaves } from '../job.ts';
import { checkSftpFile, giveUpSftpFile } from './check.ts';
import { type SftpFileJob, sftpFileQueue } from './queue.ts';

/** Files of a workspace that are looked at at once. */
const perWorkspace = 4;

export const sftpFileJobs = (app: App): Job[] => [
  {
    queue: sftpFileQueue,
    perGroup: perWorkspace,
    leaves: leaves.scoring,
    run: (data, signal) => checkSftpFile(app, data as SftpFileJob, signal),
    giveUp: (data, failure) => giveUpSftpFile(app, data as SftpFileJob, failure),
  },
];
