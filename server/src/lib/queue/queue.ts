import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Transaction } from '../db/db.ts';

export type SendOptions = {
  /** Higher goes first; 0 by default. */
  readonly priority?: number;
  /** Jobs of one group share what the group may have running at once. */
  readonly group?: string;
};

export type WorkOptions = {
  /** At most so many jobs at once in this process. */
  readonly concurrency: number;
  /** At most so many at once of one group, over all processes. */
  readonly perGroup: number;
};

/** Jobs in the database: at least once each, retried with growing pauses, redelivered when their worker dies. */
export type Queue = {
  /** Queues a job within a transaction: it exists once that commits. */
  send<T>(tx: Transaction<T>, queue: string, data: object, options?: SendOptions): Promise<void>;
  /** Does the jobs of a queue until `close`. A handler that throws is tried again later; its signal asks it to stop. */
  work(
    queue: string,
    options: WorkOptions,
    handler: (data: unknown, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
};

export type QueueOptions = {
  readonly log: Logger;
  readonly queues: readonly string[];
  readonly roles: readonly string[];
};

const jobHoursMax = 12;
const retriesMax = 8;
const retryDelayMaxSeconds = 60;
/** A worker that has not been heard of for so long is taken for dead. pg-boss allows no less. */
const heartbeatSeconds = 10;
const superviseSeconds = 2;
const pollSeconds = 0.5;
const stopGraceMs = 20_000;

/** Opens the queues, which are made where they do not exist. `roles` may queue jobs within their transactions. */
export async function openQueue(connection: pg.PoolConfig, { log, queues, roles }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    ...(connection as object),
    max: 6,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    schedule: false,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'queue'));
  await boss.start();
  for (const name of queues) {
    const options = {
      expireInSeconds: jobHoursMax * 3600,
      heartbeatSeconds,
      retryLimit: retriesMax,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: retryDelayMaxSeconds,
    };
    if (await boss.getQueue(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
  }
  const db = boss.getDb();
  for (const role of roles) {
    await db.executeSql(`grant usage on schema pgboss to ${role}`);
    await db.executeSql(`grant select, insert on all tables in schema pgboss to ${role}`);
  }
  const closing = new AbortController();
  return {
    async send(tx, queue, data, { priority = 0, group } = {}) {
      await boss.send(queue, data, {
        priority,
        ...(group === undefined ? {} : { group: { id: group } }),
        db: fromKysely(tx as never),
      } as never);
    },
    async work(queue, { concurrency, perGroup }, handler) {
      await boss.work(
        queue,
        {
          batchSize: 1,
          localConcurrency: concurrency,
          groupConcurrency: perGroup,
          pollingIntervalSeconds: pollSeconds,
        },
        async ([job]) => {
          try {
            await handler(job.data, AbortSignal.any([closing.signal, job.signal]));
          } catch (error) {
            if (!closing.signal.aborted)
              log.warn({ err: error, queue, job: job.data }, 'job failed and will be tried again');
            throw error;
          }
        },
      );
    },
    async close() {
      closing.abort();
      await boss.stop({ graceful: true, timeout: stopGraceMs });
    },
  };
}
