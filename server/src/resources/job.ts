import { Type } from 'typebox';
import { objectOf } from '../api/named.ts';
import type { Failed } from '../schema/json.ts';

/**
 * A job of a queue. Any worker may run it, perhaps more than once, so it must be idempotent. `data` is what the
 * resource's own code has sent to the queue, so the resource's jobs.ts may cast it to its type.
 */
export type Job = {
  readonly queue: string;
  /** The maximum number of jobs that run at once for one workspace. */
  readonly perGroup: number;
  /** Throws what a retry may cure. `signal` asks the job to stop soon; another worker then runs it again. */
  run(data: unknown, signal: AbortSignal): Promise<void>;
  /** Ends the work as failed after too many failed attempts. A job without `giveUp` counts its attempts itself. */
  giveUp?(data: unknown, failure: JobFailure): Promise<void>;
};

/** A failure as the API shows it. */
export type JobFailure = Failed;
export const failureSchema = objectOf('JobFailure', { code: Type.String(), detail: Type.String() });

/** The number of child processes that tasks of hours, such as ingestions and training, leave free for other tasks. */
export const longTasksLeave = 1;

/** The progress phase of a running job that has no child process yet. */
export const waitingPhase = 'waiting for a process';
