// The loop of pg-boss's own API over the same tables, with the settings that serve it best here.
import { PgBoss } from 'pg-boss';
import type { PostgresConnection } from '../src/lib/postgres/launch.ts';

/** `batch`: jobs that are fetched, and done, together; those of one hold up the next. */
export type PeerWork = { readonly concurrency: number; readonly perGroup: number; readonly batch: number };

export type Peer = {
  send(data: object, group: string): Promise<void>;
  work(options: PeerWork, handler: (data: unknown) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** All intervals are the least that it takes. */
export async function openPeer(connection: PostgresConnection, queue: string): Promise<Peer> {
  const boss = new PgBoss({
    ...connection,
    max: 8,
    schedule: false,
    useListenNotify: true,
    ...{ superviseIntervalSeconds: 1, monitorIntervalSeconds: 1, queueCacheIntervalSeconds: 1 },
  });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  const settings = { expireInSeconds: 600, heartbeatSeconds: 10, retryLimit: 8, retryDelay: 1, notify: true };
  if (!(await boss.getQueue(queue))) await boss.createQueue(queue, settings);
  return {
    async send(data, group) {
      await boss.send(queue, data, { group: { id: group } });
    },
    async work({ concurrency, perGroup, batch }, handler) {
      const options = {
        ...{ localConcurrency: concurrency / batch, groupConcurrency: perGroup, batchSize: batch },
        ...{ pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, heartbeatRefreshSeconds: 2 },
        ...(batch > 1 ? { burstWhenBatchFull: true } : { burstWhenReadyExceeds: 1 }),
      };
      await boss.work(queue, options, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => handler(data)));
      });
    },
    async close() {
      await boss.stop({ graceful: false });
    },
  };
}
