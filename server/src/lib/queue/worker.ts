// Fetches jobs, runs them, keeps them alive with heartbeats, and takes over the jobs of workers that died.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { type ActiveGroups, openActiveGroups } from '../active-groups.ts';
import { assert } from '../failure.ts';
import { openRecentUse, type RecentUse } from '../recent-use.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { type Claim, type Claimed, claimJobs, countService } from './claim.ts';

/**
 * How often the database is asked for jobs: one cheap query for all queues of the process. A job waits half of this on
 * average.
 */
const pollMs = 100;
const errorDelayMs = 1_000;
const beatMs = 2_000;
/** Four missed heartbeats: the worker is dead, or has stood still for so long that its job is better done elsewhere. */
const deadAfterMs = 8_000;
/** Longest that a group rests between two jobs. */
const restMaxMs = 1_000;
const settleAttemptsMax = 20;
const settleDelayMs = 500;
const stopGraceMs = 20_000;

export type WorkOptions = {
  /** Most jobs at once in this process, of which each group has its share. */
  readonly concurrency: number;
  /**
   * How many of them this process takes as soon as they are there, all by default. Further ones it takes one at a look,
   * and looks the later the more it has, so that they go to processes that have less to do.
   */
  readonly atOnce?: number;
  /** Most jobs at once of one group, over all processes. */
  readonly perGroup: number;
};

/**
 * Does one job. `signal` asks it to stop soon: the process is closing and the job will be done elsewhere, or another
 * worker has the job already. `failures` counts earlier attempts that threw or whose worker died, 0 to 8.
 */
export type Handler = (data: unknown, signal: AbortSignal, failures: number) => Promise<void>;

export type Log = { warn(details: object, message: string): void };

/**
 * What became of a job in this process: it is done, it failed and is tried again later, the process closes and gave it
 * back, or another worker has it by now.
 */
export type Outcome = 'done' | 'failed' | 'given back' | 'lost';
export type OnEnd = (queue: string, outcome: Outcome, seconds: number) => void;

export type Workers = {
  add(queue: string, options: WorkOptions, handler: Handler): void;
  close(): Promise<void>;
};

type Worker = WorkOptions & {
  readonly queue: string;
  readonly handler: Handler;
  readonly running: Set<Running>;
  readonly active: ActiveGroups;
  /** Seconds of running jobs. */
  readonly use: RecentUse;
  /** Until when groups get no other job, by `performance.now()`. */
  readonly resting: Map<string, number>;
  /** When it looks for a further job next, where it has what it takes at once. */
  looksAt: number;
};

type Running = {
  readonly claim: Claim;
  readonly group: string;
  readonly lost: AbortController;
  readonly done: Promise<void>;
};

/**
 * Opens the workers of a process; they start when the first queue is added. `pool` must have room for a session that
 * holds a transaction while pg-boss runs its own statements.
 */
export function openWorkers(
  boss: PgBoss,
  pool: pg.Pool,
  log: Log,
  { onEnd = () => {}, tracing }: { readonly onEnd?: OnEnd | undefined; readonly tracing: Tracing },
): Workers {
  const workers: Worker[] = [];
  const active = openActiveGroups();
  const use = openRecentUse();
  const closing = new AbortController();
  /** Aborted when no job runs any more, or when the grace period of those that run is over. */
  const closed = new AbortController();
  let wake = new AbortController();
  let fetching: Promise<void> | undefined;
  let beating: Promise<void> | undefined;

  async function fetchLoop(): Promise<void> {
    while (!closing.signal.aborted) {
      wake = new AbortController();
      let delayMs = pollMs;
      try {
        const free = workers.filter(hasRoom);
        for (const worker of await withWork(pool, free)) await fill(worker);
      } catch (error) {
        log.warn({ err: error }, 'jobs cannot be fetched');
        delayMs = errorDelayMs;
      }
      await pause(delayMs, AbortSignal.any([wake.signal, closing.signal]));
    }
  }

  async function beatLoop(): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        for (const worker of workers) await beat(boss, worker);
        if (!closing.signal.aborted) await reclaim(boss, pool, workers, log);
      } catch (error) {
        log.warn({ err: error }, 'jobs cannot be kept alive');
      }
      await pause(beatMs, closed.signal);
    }
  }

  /**
   * Claims and starts jobs until a claim brings none. A claim may bring fewer jobs than there are, so it has to be
   * repeated; it brings none of a group at its limit, so this ends.
   */
  async function fill(worker: Worker): Promise<void> {
    while (!closing.signal.aborted) {
      const { concurrency, atOnce = concurrency, running, queue, perGroup } = worker;
      const free = concurrency - running.size;
      const most = Math.min(free, Math.max(1, atOnce - running.size));
      const jobs = free > 0 ? await claimJobs(pool, queue, perGroup, most, fullOf(worker)) : [];
      if (jobs.length === 0) return;
      const isBusy = running.size + jobs.length >= atOnce;
      // A process that began to close meanwhile starts no more jobs.
      if (closing.signal.aborted) await Promise.all(jobs.map((job) => giveBack(pool, worker.queue, job)));
      else for (const job of jobs) start(worker, job);
      if (isBusy) return waitLonger(worker);
    }
  }

  function start(worker: Worker, job: Claimed): void {
    const { running } = worker;
    active.note(job.group);
    // The job may have come back to this very process, which looked dead because it was silent for too long.
    for (const earlier of running) if (earlier.claim.id === job.id) earlier.lost.abort(givenToAnother());
    const lost = new AbortController();
    const claim = { id: job.id, retryCount: job.retryCount };
    const began = performance.now();
    const done = run(worker, claim, job.data, lost.signal).finally(() => {
      running.delete(entry);
      rest(worker, job.group, performance.now() - began);
      waitLonger(worker);
      if (hasRoom(worker)) wake.abort();
    });
    const entry = { claim, group: job.group, lost, done };
    running.add(entry);
  }

  async function run(worker: Worker, claim: Claim, stored: unknown, lost: AbortSignal): Promise<void> {
    const { queue, handler } = worker;
    const { traceparent, data } = untraced(stored);
    const span = tracing.start(`job ${queue}`, 'consumer', {
      attributes: { 'messaging.destination.name': queue, 'messaging.message.id': claim.id },
      parent: traceparent,
    });
    const began = performance.now();
    // Before the job counts as ended: for a moment it counts twice, and never not at all.
    const end = (outcome: Outcome) => onEnd(queue, outcome, (performance.now() - began) / 1_000);
    const count = () => countService(pool, queue, claim.id, (performance.now() - began) / 1_000);
    try {
      const signal = AbortSignal.any([closing.signal, lost]);
      await span.within(() => handler(data, signal, claim.retryCount)).finally(() => settle(count, log));
    } catch (error) {
      span.end(error);
      if (lost.aborted) return end('lost');
      if (closing.signal.aborted) {
        end('given back');
        return settle(() => giveBack(pool, queue, claim), log);
      }
      end('failed');
      log.warn({ err: error, queue, job: data }, 'job failed and will be tried again');
      const reason = { message: error instanceof Error ? error.message : String(error) };
      return settle(() => boss.fail(queue, claim, reason), log);
    }
    span.end();
    end('done');
    await settle(() => boss.complete(queue, claim), log);
  }

  return {
    add(queue, options, handler) {
      assert(options.concurrency >= 1 && options.perGroup >= 1, 'a worker does at least one job at once');
      workers.push({
        ...options,
        queue,
        handler,
        running: new Set(),
        active,
        use,
        resting: new Map(),
        looksAt: 0,
      });
      fetching ??= fetchLoop();
      beating ??= beatLoop();
      wake.abort();
    },
    async close() {
      closing.abort();
      await fetching;
      const running = workers.flatMap((worker) => [...worker.running].map(({ done }) => done));
      await Promise.race([Promise.all(running), sleep(stopGraceMs, undefined, { ref: false })]);
      closed.abort();
      await beating;
    },
  };
}

/** Whether a worker may look for a job now. */
function hasRoom({ running, concurrency, atOnce = concurrency, looksAt }: Worker): boolean {
  return running.size < atOnce || (running.size < concurrency && performance.now() >= looksAt);
}

/**
 * Puts off the next look of a worker that has what it takes at once, the longer the more it has: what has become free
 * is seen first by whoever has less. Where a process that has ended a job took the next one itself, one on a slow core
 * would keep the jobs of all groups but one, each of which has one at a time.
 */
function waitLonger(worker: Worker): void {
  const { running, concurrency, atOnce = concurrency } = worker;
  worker.looksAt = performance.now() + pollMs * Math.max(0, 2 * (running.size - atOnce) + 1);
}

/** The workers whose queue has a job that could start now, if its group's limit allows it. */
async function withWork(pool: pg.Pool, workers: readonly Worker[]): Promise<Worker[]> {
  if (workers.length === 0) return [];
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where exists (
       select from pgboss.job_common as job
       where job.name = name.name and job.state < 'active' and not job.blocked and job.start_after <= now())`,
    [workers.map(({ queue }) => queue)],
  );
  const names = new Set(rows.map(({ name }) => name));
  return workers.filter(({ queue }) => names.has(queue));
}

/**
 * Has a group that keeps this process busy rest for as long as its job took, while others have work too: what many
 * small jobs take of the database and of this process is not theirs alone.
 */
function rest({ active, use, resting }: Worker, group: string, tookMs: number): void {
  use.add(group, tookMs / 1_000);
  if (active.areSeveral() && use.isHeavy(group)) resting.set(group, performance.now() + Math.min(tookMs, restMaxMs));
}

/** The groups that have their share of this process, with what was just claimed, and those that rest. */
function fullOf({ concurrency, running, active, resting }: Worker): (claimed: readonly Claimed[]) => string[] {
  return (claimed) => {
    const counts = new Map<string, number>();
    for (const { group } of [...running, ...claimed]) counts.set(group, (counts.get(group) ?? 0) + 1);
    const share = active.shareOf(concurrency);
    for (const [group, until] of resting) if (until <= performance.now()) resting.delete(group);
    return [...resting.keys(), ...[...counts].flatMap(([group, count]) => (count >= share ? group : []))];
  };
}

/** Sends the heartbeat of the running jobs, and stops those that another worker has by now. */
async function beat(boss: PgBoss, { queue, running }: Worker): Promise<void> {
  const claims = [...running].filter(({ lost }) => !lost.signal.aborted);
  if (claims.length === 0) return;
  const answer = await boss.touch(
    queue,
    claims.map(({ claim }) => claim),
  );
  const alive = new Set((answer as { settled?: string[] }).settled);
  for (const entry of claims) if (!alive.has(entry.claim.id) && running.has(entry)) entry.lost.abort(givenToAnother());
}

function givenToAnother(): Error {
  return new Error('the job was given to another worker');
}

async function reclaim(boss: PgBoss, pool: pg.Pool, workers: readonly Worker[], log: Log): Promise<void> {
  const { rows } = await pool.query<{ name: string; id: string; retryCount: number }>(
    `select name, id, retry_count as "retryCount" from pgboss.job_common
     where state = 'active' and name = any($1) and heartbeat_on < now() - $2 * interval '1 ms'`,
    [workers.map(({ queue }) => queue), deadAfterMs],
  );
  for (const { name, ...claim } of rows) {
    log.warn({ queue: name, job: claim.id }, 'the worker of a job is gone, and it will be done again');
    await boss.fail(name, claim, { message: 'its worker was not heard of' });
  }
}

/** Puts a job back as if it had not been fetched: stopping a process is not a failed attempt. */
async function giveBack(pool: pg.Pool, queue: string, { id, retryCount }: Claim): Promise<void> {
  await pool.query(
    `update pgboss.job_common set state = 'retry', start_after = now(), started_on = null, heartbeat_on = null
     where name = $1 and id = $2 and retry_count = $3 and state = 'active'`,
    [queue, id, retryCount],
  );
}

/**
 * Records the end of a job, and tries again while the database is away. If it stays away, the job is redelivered: a job
 * is done at least once.
 */
async function settle(work: () => Promise<unknown>, log: Log): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt < settleAttemptsMax) await sleep(settleDelayMs);
      else return log.warn({ err: error }, 'what became of a job cannot be recorded');
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** In the data of a job, the span of who sent it. */
const tracedBy = 'traceparent';

/** The data of a job with what names the span that sends it, if there is one. */
export function traced(data: object, traceparent: string | undefined): object {
  return traceparent === undefined ? data : { ...data, [tracedBy]: traceparent };
}

function untraced(stored: unknown): { readonly traceparent: string | undefined; readonly data: unknown } {
  if (typeof stored !== 'object' || stored === null || !(tracedBy in stored))
    return { traceparent: undefined, data: stored };
  const { [tracedBy]: traceparent, ...data } = stored as Record<string, unknown>;
  return { traceparent: String(traceparent), data };
}
