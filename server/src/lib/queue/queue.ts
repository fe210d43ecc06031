// Jobs in the database, on pg-boss: its tables, its statements and its upkeep, but our own loop of fetching.
//
// Its `work` lets a group overstep its share: every fetch counts what the group has running before it takes, and those
// that count at once all find room. Two workers of four jobs each ran 8 of a group that may have 2 (bench `queue`), and
// by its share of 1 a workspace has one ingestion or training at a time. Ours fetches under a lock, so that 2 are 2.
// That costs what our jobs do not miss, which take seconds to hours: where a job is nothing it does 0.6 times as many a
// second, and starts one some 60 ms after its commit, not 8 (pg-boss listens for notifications). A killed worker's job
// starts elsewhere a fifth sooner. And a process that closes gives its jobs back without a failed attempt.
import { type Db as BossDb, fromKysely, PgBoss } from 'pg-boss';
import { type Connection, openDb, type Transaction } from '../db/db.ts';
import { install } from './install.ts';
import { type Handler, type Log, openWorkers, type WorkOptions } from './worker.ts';

export type SendOptions = {
  /** Higher goes first; 0 by default. */
  readonly priority?: number;
  /** Jobs of one group share what the group may have running at once. */
  readonly group?: string;
  /** While a job with this key waits in the queue, another one is not added. */
  readonly singletonKey?: string;
  readonly startAfter?: Date;
};

/**
 * Jobs are done at least once each, retried with growing pauses, and redelivered within 15 s when their worker dies.
 */
export type Queue = {
  /** Queues a job within a transaction: it exists once that commits. */
  send<T>(tx: Transaction<T>, queue: string, data: object, options?: SendOptions): Promise<void>;
  /**
   * Does the jobs of a queue until `close`, starting within some 100 ms of their commit. A handler that throws is tried
   * again later, 8 times.
   */
  work(queue: string, options: WorkOptions, handler: Handler): Promise<void>;
  /** Fetches no more, asks the handlers to stop and waits up to 20 s for them; what they give up is queued again. */
  drain(): Promise<void>;
  /** As `drain`, and releases the database: nothing can be sent any more. */
  close(): Promise<void>;
};

export type QueueOptions = {
  readonly log: Log;
  readonly queues: readonly string[];
  /** Who may queue jobs within their transactions, and read none. */
  readonly roles: readonly string[];
};

/** Besides the transactions jobs are sent in: fetching, settling and upkeep are short. */
const connectionsMax = 4;

/** Opens the queues, which are made where they do not exist. Throws Failure 'unavailable' without a database. */
export async function openQueue(connection: Connection, { log, queues, roles }: QueueOptions): Promise<Queue> {
  const { pool, close: closePool } = openDb(connection, { max: connectionsMax });
  const db: BossDb = { executeSql: (text, values) => pool.query(text, values) };
  const boss = new PgBoss({ db, schedule: false });
  boss.on('error', (error) => log.warn({ err: error }, 'queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'queue'));
  try {
    await install(connection, boss, queues, roles);
  } catch (error) {
    await boss.stop({ graceful: false });
    await closePool();
    throw error;
  }
  const workers = openWorkers(boss, pool, log);
  return {
    async send(tx, queue, data, { priority = 0, group, singletonKey, startAfter } = {}) {
      await boss.send(queue, data, {
        priority,
        // Under the policy of these queues, two jobs without a key would count as the same.
        singletonKey: singletonKey ?? crypto.randomUUID(),
        ...(group === undefined ? {} : { group: { id: group } }),
        ...(startAfter === undefined ? {} : { startAfter }),
        db: fromKysely(tx),
      });
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
