// Job queues in the database, on pg-boss: its tables, its statements and its upkeep, but with a fetch loop of our own.
//
// pg-boss's `work` lets a group exceed its limit: every fetch counts what the group has running before it takes jobs,
// and fetches that count at the same time all find room. Two workers of four jobs each ran 8 jobs of a group that may
// have 2 (bench `queue`), and only a limit of 1 keeps a workspace to one ingestion or training at a time. And it gives
// jobs out in the order sent, so that all wait behind whoever sends most. Our loop claims under a lock, so the limit
// holds, and by turns (`claim.ts`).
//
// The price does not matter to our jobs, which take seconds to hours. With jobs that do nothing, our loop does 0.6
// times as many per second, and it starts a job about 60 ms after its commit instead of 8 (pg-boss listens for
// notifications). In return, a killed worker's job starts elsewhere a fifth sooner, and a process that closes gives its
// jobs back without a failed attempt.
import type pg from 'pg';
import { type Db as BossDb, fromKysely, PgBoss } from 'pg-boss';
import { type Connection, openDb, type Transaction } from '../db/db.ts';
import { userOf } from '../db/login.ts';
import { assert } from '../failure.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';
import { weighGroup, weightOfGroup, weighUsually } from './claim.ts';
import { install } from './install.ts';
import { type Handler, type Log, type OnEnd, openWorkers, traced, type WorkOptions } from './worker.ts';

export type SendOptions = {
  /** Each point goes before what its group sent in the ten minutes before; 0 by default. */
  readonly priority?: number;
  /** Groups take turns, by the time that their jobs take. Jobs of one group share a limit on how many run at once. */
  readonly group?: string;
  /** While a job with this key waits in the queue, no other job with it is added. */
  readonly singletonKey?: string;
  readonly startAfter?: Date;
};

/**
 * Every job is done at least once. It is retried with growing pauses, and redelivered within 15 s when its worker dies.
 */
export type Queue = {
  /** Queues a job within a transaction: the job exists once the transaction commits. */
  send<T>(tx: Transaction<T>, queue: string, data: object, options?: SendOptions): Promise<void>;
  /** What waits and runs now, of each queue, over all processes. */
  backlog(): Promise<readonly Backlog[]>;
  /** What waits and runs now of each group that has any, by queue and group, over all processes. */
  groups(): Promise<readonly GroupBacklog[]>;
  /** Gives a group `weight` times the service of one that was given none, in all queues. */
  weigh(group: string, weight: number): Promise<void>;
  /** Gives all groups that were given none these weights, by group, or 1. */
  weighUsually(usual: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Runs the jobs of a queue until `close`, starting each within about 100 ms of its commit. A job whose handler throws
   * is tried again later, at most 8 times.
   */
  work(queue: string, options: WorkOptions, handler: Handler): Promise<void>;
  /**
   * Fetches no more jobs, asks the handlers to stop and waits up to 20 s for them. Jobs that they give up are queued
   * again.
   */
  drain(): Promise<void>;
  /** Like `drain`, and closes the connections: nothing can be sent any more. */
  close(): Promise<void>;
};

export type Backlog = {
  readonly queue: string;
  /** Jobs that could begin now if a worker and their group had room. */
  readonly waiting: number;
  readonly running: number;
  /** For how long the one has waited that has waited longest; 0 when none waits. */
  readonly oldestSeconds: number;
};

export type QueueOptions = {
  /** Called for every job that leaves this process. */
  readonly onEnd?: OnEnd;
  /** A job is a span beneath that of who sent it, whichever process does it. */
  readonly tracing?: Tracing;
  readonly log: Log;
  readonly queues: readonly string[];
  /** Database roles that may queue jobs within their transactions; they may read no jobs. */
  readonly roles: readonly string[];
  /** How to connect as the owner of the database, to create what is missing. By default as the queue itself does. */
  readonly owner?: Connection;
};

/** Connections besides the transactions in which jobs are sent: fetching, settling and upkeep are short. */
const connectionsMax = 4;

/** Opens the queues and creates those that do not exist. Throws Failure 'unavailable' without a database. */
export async function openQueue(
  connection: Connection,
  { log, queues, roles, owner = connection, onEnd, tracing = noTracing }: QueueOptions,
): Promise<Queue> {
  await install(owner, { queues, roles, login: userOf(connection) });
  const { pool, close: closePool } = openDb(connection, { max: connectionsMax });
  const db: BossDb = { executeSql: (text, values) => pool.query(text, values) };
  const boss = new PgBoss({ db, schedule: false, migrate: false });
  boss.on('error', (error) => log.warn({ err: error }, 'queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'queue'));
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false });
    await closePool();
    throw error;
  }
  const workers = openWorkers(boss, pool, log, { onEnd, tracing });
  return {
    async send(tx, queue, data, { priority = 0, group, singletonKey, startAfter } = {}) {
      await boss.send(queue, traced(data, tracing.traceparent()), {
        priority,
        // Under the policy of these queues, two jobs without a key would count as having the same key.
        singletonKey: singletonKey ?? crypto.randomUUID(),
        ...(group === undefined ? {} : { group: { id: group } }),
        ...(startAfter === undefined ? {} : { startAfter }),
        db: fromKysely(tx),
      });
    },
    backlog: () => readBacklog(pool, queues),
    groups: () => readGroups(pool),
    async weighUsually(usual) {
      for (const weight of usual.values()) assert(weight > 0 && Number.isFinite(weight), 'a weight is above 0');
      await weighUsually(pool, usual);
    },
    async weigh(group, weight) {
      assert(weight > 0 && Number.isFinite(weight), 'a weight is above 0');
      await weighGroup(pool, group, weight);
    },
    async work(queue, options, handler) {
      workers.add(queue, options, handler);
    },
    drain: () => workers.close(),
    async close() {
      await workers.close();
      await boss.stop({ graceful: false });
      await closePool();
    },
  };
}

/** `oldest`: the data of the job that has waited longest; null when none waits. */
export type GroupBacklog = Backlog & {
  readonly group: string | null;
  readonly weight: number;
  readonly oldest: { readonly id?: string } | null;
};

async function readGroups(pool: pg.Pool): Promise<readonly GroupBacklog[]> {
  const { rows } = await pool.query<GroupBacklog>(
    `select job.name as queue, job.group_id as "group", ${weightOfGroup} as weight,
       count(*) filter (where job.state < 'active')::float8 as waiting,
       count(*) filter (where job.state = 'active')::float8 as running,
       coalesce(extract(epoch from now() - min(greatest(job.created_on, job.start_after))
         filter (where job.state < 'active')), 0)::float8 as "oldestSeconds",
       (array_agg(job.data order by greatest(job.created_on, job.start_after))
         filter (where job.state < 'active'))[1] as oldest
     from pgboss.job_common as job left join pgboss.group_weight on group_weight.group_id = job.group_id
     where job.state <= 'active' and not job.blocked and job.start_after <= now()
     group by 1, 2, 3 order by 1, 2`,
  );
  return rows;
}

async function readBacklog(pool: pg.Pool, queues: readonly string[]): Promise<readonly Backlog[]> {
  const waits = "job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now()";
  const { rows } = await pool.query<Backlog>(
    `select queue.name as queue,
       (select count(*) from pgboss.job_common as job where ${waits})::float8 as waiting,
       (select count(*) from pgboss.job_common as job
         where job.name = queue.name and job.state = 'active')::float8 as running,
       coalesce(extract(epoch from now() - (select min(greatest(job.created_on, job.start_after))
         from pgboss.job_common as job where ${waits})), 0)::float8 as "oldestSeconds"
     from unnest($1::text[]) as queue (name)`,
    [queues],
  );
  return rows;
}
