import { Type } from 'typebox';
import { objectOf } from '../api/named.ts';
import type { Failed } from '../schema/json.ts';

/**
 * Work of a queue, done by any worker, perhaps more than once: it must be idempotent. `data` is what the resource's own
 * verb has sent, so that its jobs.ts may say of which type it is.
 */
export type Job = {
  readonly queue: string;
  /** At most so many at once for one workspace. */
  readonly perGroup: number;
  /** Throws what a retry may cure; `signal` asks it to stop soon and be run again by another worker. */
  run(data: unknown, signal: AbortSignal): Promise<void>;
  /** Ends as failed what came to nothing too often. Without it, the job counts its attempts itself. */
  giveUp?(data: unknown, failure: JobFailure): Promise<void>;
};

/** As the API shows it. */
export type JobFailure = Failed;
export const failureSchema = objectOf('JobFailure', { code: Type.String(), detail: Type.String() });

/** So many child processes what may take hours, as ingesting and training do, leaves free for the rest. */
export const longTasksLeave = 1;

/** The phase of what is running and has no child process yet. */
export const waitingPhase = 'waiting for a process';
