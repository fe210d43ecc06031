// Fetches jobs, runs them, keeps them alive with heartbeats, and takes over the jobs of workers that died.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { assert } from '../failure.ts';

/**
 * How often the database is asked for jobs: one cheap query for all queues of the process. A job waits half of this on
 * average.
 */
const pollMs = 100;
const errorDelayMs = 1_000;
const beatMs = 2_000;
/** Four missed heartbeats: the worker is dead, or has stood still for so long that its job is better done elsewhere. */
const deadAfterMs = 8_000;
const settleAttemptsMax = 20;
const settleDelayMs = 500;
const stopGraceMs = 20_000;

export type WorkOptions = {
  /** Most jobs at once in this process. */
  readonly concurrency: number;
  /** Most jobs at once of one group, over all processes. */
  readonly perGroup: number;
};

/**
 * Does one job. `signal` asks it to stop soon: the process is closing and the job will be done elsewhere, or another
 * worker has the job already. `failures` counts earlier attempts that threw or whose worker died, 0 to 8.
 */
export type Handler = (data: unknown, signal: AbortSignal, failures: number) => Promise<void>;

export type Log = { warn(details: object, message: string): void };

export type Workers = {
  add(queue: string, options: WorkOptions, handler: Handler): void;
  close(): Promise<void>;
};

type Worker = WorkOptions & {
  readonly queue: string;
  readonly handler: Handler;
  readonly running: Set<Running>;
};

type Claim = { readonly id: string; readonly retryCount: number };
type Running = { readonly claim: Claim; readonly lost: AbortController; readonly done: Promise<void> };

/**
 * Opens the workers of a process; they start when the first queue is added. `pool` must have room for a session that
 * holds a transaction while pg-boss runs its own statements.
 */
export function openWorkers(boss: PgBoss, pool: pg.Pool, log: Log): Workers {
  const workers: Worker[] = [];
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
        const free = workers.filter(({ running, concurrency }) => running.size < concurrency);
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
      const free = worker.concurrency - worker.running.size;
      const jobs = free > 0 ? await claim(boss, pool, worker, free) : [];
      if (jobs.length === 0) return;
      // A process that began to close meanwhile starts no more jobs.
      if (closing.signal.aborted) await Promise.all(jobs.map((job) => giveBack(pool, worker.queue, job)));
      else for (const job of jobs) start(worker, job);
    }
  }

  function start(worker: Worker, job: Claim & { data: unknown }): void {
    const { running } = worker;
    // The job may have come back to this very process, which looked dead because it was silent for too long.
    for (const earlier of running) if (earlier.claim.id === job.id) earlier.lost.abort(givenToAnother());
    const lost = new AbortController();
    const claim = { id: job.id, retryCount: job.retryCount };
    const done = run(worker, claim, job.data, lost.signal).finally(() => {
      running.delete(entry);
      wake.abort();
    });
    const entry = { claim, lost, done };
    running.add(entry);
  }

  async function run(worker: Worker, claim: Claim, data: unknown, lost: AbortSignal): Promise<void> {
    const { queue, handler } = worker;
    try {
      await handler(data, AbortSignal.any([closing.signal, lost]), claim.retryCount);
    } catch (error) {
      if (lost.aborted) return;
      if (closing.signal.aborted) return settle(() => giveBack(pool, queue, claim), log);
      log.warn({ err: error, queue, job: data }, 'job failed and will be tried again');
      const reason = { message: error instanceof Error ? error.message : String(error) };
      return settle(() => boss.fail(queue, claim, reason), log);
    }
    await settle(() => boss.complete(queue, claim), log);
  }

  return {
    add(queue, options, handler) {
      assert(options.concurrency >= 1 && options.perGroup >= 1, 'a worker does at least one job at once');
      workers.push({ ...options, queue, handler, running: new Set() });
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
 * Claims jobs under a lock, one claim at a time over all processes. Otherwise two claims that count the running jobs of
 * a group before either has taken its job would both find room for one.
 */
async function claim(boss: PgBoss, pool: pg.Pool, worker: Worker, max: number): Promise<(Claim & { data: unknown })[]> {
  const client = await pool.connect();
  let isClean = false;
  try {
    await client.query(`begin; select pg_advisory_xact_lock(hashtextextended('lastro fetch ${worker.queue}', 0))`);
    const jobs = await boss.fetch(worker.queue, {
      batchSize: max,
      groupConcurrency: worker.perGroup,
      db: { executeSql: (text, values) => client.query(text, values) },
    });
    await client.query('commit');
    isClean = true;
    return jobs as (Claim & { data: unknown })[];
  } finally {
    client.release(!isClean);
  }
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
