import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../lib/failure.ts';
import { ProcessDied } from '../lib/processes/pool.ts';
import type { Handler, Log } from '../lib/queue/worker.ts';
import type { Job, JobFailure } from './job.ts';

/** Attempts counting the first. The queue delivers a job three times more, so that giving it up may fail as well. */
const attemptsMax = 6;
/** What is away is waited for within an attempt, first so long, then twice as long each time. */
const pauseMs = 1_000;
const pauseMaxMs = 64_000;

/**
 * How a worker does a job: what is away for minutes is waited for, what may go better is tried again, and what cannot
 * be done or fails every time is given up.
 */
export function attempt(job: Job, log: Log): Handler {
  const { giveUp } = job;
  if (giveUp === undefined) return (data, signal) => job.run(data, signal);
  return async (data, signal, failures) => {
    // The worker itself died each time, else the last attempt would have given up.
    if (failures >= attemptsMax) return giveUp(data, workersDied);
    try {
      await runPatiently(job, data, signal, log);
    } catch (error) {
      const isFinal = failures + 1 >= attemptsMax || !isWorthRetrying(error);
      if (signal.aborted || !isFinal) throw error;
      log.warn({ err: error, queue: job.queue, job: data }, 'job given up');
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
 * Whether doing it again may go better: what is away comes back, what was replaced while it was being read has another
 * name, and a fault of ours may be one of this process. All other Failures are final.
 */
export function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof Failure) || isAway(error) || isVanished(error);
}

/** Of bytes. What somebody asked for in vain has a documented reason. */
function isVanished(error: Failure): boolean {
  return error.code === 'not_found' && error.reason === undefined;
}

/** Whether what failed is waited for: a database or a storage that does not answer, or has no room. */
export function isAway(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'unavailable' || error.code === 'insufficient_storage';
  return isFull(error);
}

/** Of a disk, as the system says it of files in a work folder. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

const workersDied: JobFailure = {
  code: 'internal',
  detail: `it was begun ${attemptsMax} times, and each time the worker that did it died`,
};

/** A Failure as the API shows it. */
export function refusalOf({ code, reason, message }: Failure): JobFailure {
  return { code: reason ?? code, detail: message };
}

function failureOf(error: unknown): JobFailure {
  if (error instanceof Failure && isVanished(error)) return { code: 'gone', detail: 'Bytes that it needs are gone.' };
  if (error instanceof Failure) return refusalOf(error);
  if (isFull(error)) return { code: 'insufficient_storage', detail: 'The disk that workers compute on is full.' };
  const what =
    error instanceof ProcessDied
      ? `its process was ended by ${error.signal ?? `exit code ${error.exitCode}`}, perhaps for want of memory`
      : 'it met a fault of the service, which the log of the worker describes';
  return { code: 'internal', detail: `it was tried ${attemptsMax} times, and at last ${what}` };
}
