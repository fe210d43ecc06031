import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../lib/failure.ts';
import { ProcessDied } from '../lib/processes/pool.ts';
import type { Handler, Log } from '../lib/queue/worker.ts';
import { damagedText, isUnreadable } from '../serving/open-stored.ts';
import type { Job, JobFailure } from './job.ts';

/** The first attempt counts. The queue delivers a job three times more than this, so that `giveUp` can fail too. */
const attemptsMax = 6;
/**
 * How long an attempt first waits for an unavailable dependency. Each further wait is twice as long, up to the maximum.
 */
const pauseMs = 1_000;
const pauseMaxMs = 64_000;

/**
 * Makes the handler by which a worker runs a job. An attempt waits for a dependency that is unavailable for minutes. An
 * error that a retry may cure is thrown, so that the queue retries the job. Any other error, and the error of attempt
 * number `attemptsMax`, ends in `giveUp`.
 */
export function attempt(job: Job, log: Log, onGivenUp: (queue: string) => void = () => {}): Handler {
  const { giveUp } = job;
  if (giveUp === undefined) return (data, signal) => job.run(data, signal);
  return async (data, signal, failures) => {
    // The worker itself died each time: otherwise the last attempt would have called `giveUp`.
    if (failures >= attemptsMax) {
      onGivenUp(job.queue);
      return giveUp(data, workersDied);
    }
    try {
      await runPatiently(job, data, signal, log);
    } catch (error) {
      // An erasure removes the bytes that it has replaced, also those that a job has just been about to open.
      const isReplaced = failures === 0 && isUnreadable(error) && error.code === 'not_found';
      const isFinal = failures + 1 >= attemptsMax || !(isWorthRetrying(error) || isReplaced);
      if (signal.aborted || !isFinal) throw error;
      log.warn({ err: error, queue: job.queue, job: data }, 'job given up');
      onGivenUp(job.queue);
      await giveUp(data, failureOf(error));
    }
  };
}

async function runPatiently(job: Job, data: unknown, signal: AbortSignal, log: Log): Promise<void> {
  for (let waitMs = pauseMs; ; waitMs *= 2) {
    try {
      return await job.run(data, signal);
    } catch (error) {
      if (!isAway(error) || waitMs > pauseMaxMs || signal.aborted) throw error;
      log.warn({ err: error, queue: job.queue, job: data }, 'job waits for what is away');
      await sleep(waitMs, undefined, { signal });
    }
  }
}

/**
 * Whether a retry may succeed: an unavailable dependency may come back, bytes that were replaced while they were being
 * read have a new key, and an error that is no Failure may be a fault of this process only. All other Failures are
 * final.
 */
export function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof Failure) || isAway(error) || isVanished(error);
}

/**
 * Whether stored bytes are missing. A Failure 'not_found' for something that a caller asked for has a documented
 * reason.
 */
function isVanished(error: Failure): boolean {
  return error.code === 'not_found' && error.reason === undefined;
}

/**
 * Whether the error is worth waiting for: a database or storage that does not answer, or one that has no space left.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'unavailable' || error.code === 'insufficient_storage';
  return isFull(error);
}

/** Whether the disk of the work folder is full, by the system's error code. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

const workersDied: JobFailure = {
  code: 'internal',
  detail: `it was begun ${attemptsMax} times, and each time the worker that did it died`,
};

/** Returns the code and detail of a Failure as the API shows them. */
export function refusalOf(failure: Failure): JobFailure {
  const { code, reason, message, because } = failure;
  if (isUnreadable(failure)) return { code: reason ?? code, detail: damagedText('What it reads') };
  return { code: reason ?? code, detail: message, ...(because && { because }) };
}

export function failureOf(error: unknown): JobFailure {
  if (error instanceof Failure && isVanished(error)) return { code: 'gone', detail: 'Bytes that it needs are gone.' };
  if (error instanceof Failure) return refusalOf(error);
  if (isFull(error)) return { code: 'insufficient_storage', detail: 'The disk that workers compute on is full.' };
  const what =
    error instanceof ProcessDied
      ? `its process was ended by ${error.signal ?? `exit code ${error.exitCode}`}, perhaps for want of memory`
      : 'it met a fault of the service, which the log of the worker describes';
  return { code: 'internal', detail: `it was tried ${attemptsMax} times, and at last ${what}` };
}
