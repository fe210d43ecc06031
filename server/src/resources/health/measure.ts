import { statfs } from 'node:fs/promises';
import { system } from '../../access/transactions.ts';
import type { Measured, Metrics, WatchedState } from '../../lib/metrics/metrics.ts';
import type { Backlog } from '../../lib/queue/queue.ts';
import type { App } from '../app.ts';
import { ask, selectUnread, selectWaiting, type Waiting } from './sql.ts';

/**
 * Has metrics of what waits, runs and is left, read when they are asked for. What is in the database is the same in
 * every process; that of this process is its connections and its disk.
 */
export function watchOperation(app: Pick<App, 'db' | 'queue'>, dataDir: string, metrics: Metrics): void {
  for (const state of [...ofDatabase(app), ...ofQueues(app), ...ofProcess(app, dataDir)]) metrics.watch(state);
}

function ofDatabase({ db }: Pick<App, 'db'>): WatchedState[] {
  const waiting = together(() => system(db, 'metrics', selectWaiting));
  const one = (name: string, help: string, pick: (read: Waiting) => number): WatchedState => ({
    ...{ name, help },
    read: async () => pick(await waiting()),
  });
  return [
    {
      name: 'lastro_database_up',
      help: 'Whether the database answers this process: 1 or 0.',
      read: () =>
        system(db, 'metrics', ask).then(
          () => 1,
          () => 0,
        ),
    },
    {
      name: 'lastro_batches',
      help: 'Batches that have not ended, by status.',
      label: 'status',
      read: async () => {
        const { batchesQueued, batchesRunning } = await waiting();
        return { queued: batchesQueued, running: batchesRunning };
      },
    },
    one('lastro_batch_units_left', 'Units of batches that are not scored yet.', ({ units }) => units),
    one(
      'lastro_oldest_unsealed_entry_seconds',
      'Age of the oldest entry of the audit trail that is not sealed.',
      ({ unsealedSeconds }) => unsealedSeconds,
    ),
    one(
      'lastro_oldest_unnumbered_event_seconds',
      'Age of the oldest event that readers cannot see yet.',
      ({ unnumberedSeconds }) => unnumberedSeconds,
    ),
    {
      name: 'lastro_events_unread',
      help: 'Events that a reader has not read, by its name.',
      label: 'reader',
      read: () => system(db, 'metrics', selectUnread),
    },
    one(
      'lastro_oldest_due_delivery_seconds',
      'For how long a delivery is due at a webhook that answers and has no limit of its own.',
      ({ deliveriesSeconds }) => deliveriesSeconds,
    ),
    one(
      'lastro_replay_differences',
      'Predictions, and rows of batches, that replays of the last week did not give again to the byte.',
      ({ replayDifferences }) => replayDifferences,
    ),
    {
      name: 'lastro_model_alarms',
      help: 'Alarms of models that are raised now, by kind.',
      label: 'kind',
      read: async () => {
        const { driftAlarms, performanceAlarms, contractAlarms } = await waiting();
        return { drift: driftAlarms, performance: performanceAlarms, contract: contractAlarms };
      },
    },
    one(
      'lastro_watch_lists_failed',
      'Watch lists whose newest rescoring failed.',
      ({ watchListsFailed }) => watchListsFailed,
    ),
    one('lastro_oldest_due_mail_seconds', 'For how long a mail is due.', ({ mailsSeconds }) => mailsSeconds),
  ];
}

function ofQueues({ queue }: Pick<App, 'queue'>): WatchedState[] {
  const backlog = together(() => queue.backlog());
  const each = (name: string, help: string, pick: (of: Backlog) => number): WatchedState => ({
    ...{ name, help, label: 'queue' },
    read: async () => Object.fromEntries((await backlog()).map((of) => [of.queue, pick(of)])),
  });
  return [
    each('lastro_jobs_waiting', 'Jobs that could begin if a worker had room, by queue.', ({ waiting }) => waiting),
    each('lastro_jobs_running', 'Jobs that a worker has, by queue.', ({ running }) => running),
    each(
      'lastro_oldest_waiting_job_seconds',
      'For how long the job waits that waits longest, by queue.',
      ({ oldestSeconds }) => oldestSeconds,
    ),
  ];
}

function ofProcess({ db }: Pick<App, 'db'>, dataDir: string): WatchedState[] {
  const disk = together(() => statfs(dataDir));
  return [
    {
      name: 'lastro_database_connections',
      help: 'Connections of this process to the database, and transactions that wait for one, by state.',
      label: 'state',
      read(): Measured {
        const { totalCount, idleCount, waitingCount } = db.pool;
        return { busy: totalCount - idleCount, idle: idleCount, waited_for: waitingCount };
      },
    },
    {
      name: 'lastro_data_disk_bytes',
      help: 'Size of the disk that the data folder of this process lies on.',
      read: () => disk().then(({ blocks, bsize }) => blocks * bsize),
    },
    {
      name: 'lastro_data_disk_free_bytes',
      help: 'What this process may still write to the disk of its data folder.',
      read: () => disk().then(({ bavail, bsize }) => bavail * bsize),
    },
  ];
}

/** Gives all who ask while `read` is under way its result: what one answer says is of one moment. */
function together<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));
}
