import { Type } from 'typebox';
import { becauseSchema } from '../api/because.ts';
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
  /** How many child processes its tasks leave; a worker runs as many of these jobs at once as may have a process. */
  readonly leaves: number;
  /** Throws what a retry may cure. `signal` asks the job to stop soon; another worker then runs it again. */
  run(data: unknown, signal: AbortSignal): Promise<void>;
  /** Ends the work as failed after too many failed attempts. A job without `giveUp` counts its attempts itself. */
  giveUp?(data: unknown, failure: JobFailure): Promise<void>;
};

/** A failure as the API shows it. */
export type JobFailure = Failed;
export const failureSchema = objectOf('JobFailure', {
  code: Type.String(),
  detail: Type.String(),
  because: Type.Optional(becauseSchema),
});

/**
 * How many child processes tasks of each kind never hold. The longer a kind may take, the more it leaves: an ingestion
 * begins beside trainings and one more ingestion, and scoring beside all, whosever they are.
 */
export const leaves = { training: 3, ingestion: 1, erasure: 1, evaluation: 1, scoring: 0 } as const;

/** The child processes of a worker in which `computeProcesses` trainings run at once. */
export const poolSize = (computeProcesses: number): number => computeProcesses + leaves.training;

/** The progress phase of a running job that has no child process yet. */
export const waitingPhase = 'waiting for a process';
