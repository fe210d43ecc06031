// Our loop of fetching jobs against that of pg-boss's own API, over the same tables in one PostgreSQL: two workers
// each, as two processes would have them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb, transaction } from '../src/lib/db/db.ts';
import { withClient } from '../src/lib/db/migrate.ts';
import { ensureRoles } from '../src/lib/db/roles.ts';
import { launchPostgres, type PostgresConnection } from '../src/lib/postgres/launch.ts';
import { openQueue } from '../src/lib/queue/queue.ts';
import { compareFigures, type Row } from './figures.ts';
import { openPeer } from './queue-peer.ts';

const shortJobs = 600;
const lateJobs = 40;
const sharedJobs = 80;
const concurrency = 4;
const share = 2;

type Handler = (data: unknown) => Promise<void>;
type Bench = {
  send(data: object, group: string): Promise<void>;
  /** Has each of `workers` workers do up to four jobs at once. */
  work(workers: number, perGroup: number, handler: Handler): Promise<void>;
  close(): Promise<void>;
};

/** About a minute and a half, most of it waiting. */
export async function benchQueue(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-queue-'));
  const postgres = await launchPostgres({ dataDir: join(folder, 'postgres'), log: () => {}, fallbackRoot: folder });
  const { connection } = postgres;
  await withClient(connection, ensureRoles);
  const db = openDb<unknown>(connection, { max: 8 });
  try {
    let queues = 0;
    const name = () => `bench-${++queues}`;
    const ours = (queue = name()) => openOurs(connection, db, queue);
    const peer = (queue = name()) => openPeers(connection, queue, 1);
    const peerInFours = () => openPeers(connection, name(), concurrency);
    const [oursKilled, peerKilled] = [name(), name()];
    const rate = { unit: 'jobs/s', better: 'more' } as const;
    const fast = await throughput(ours);
    return [
      compareFigures('short jobs, beside one by one', fast, await throughput(peer), rate),
      compareFigures('short jobs, beside fetched and done in fours', fast, await throughput(peerInFours), rate),
      compareFigures('commit to start, median', await latency(ours), await latency(peer), { unit: 'ms' }),
      compareFigures(`most of a group at once, of ${share}`, await mostOfGroup(ours), await mostOfGroup(peer), {
        unit: 'jobs',
      }),
      compareFigures(
        'kill to start elsewhere',
        await redeliver(connection, 'ours', oursKilled, await ours(oursKilled)),
        await redeliver(connection, 'peer', peerKilled, await peer(peerKilled)),
        { unit: 's' },
      ),
    ];
  } finally {
    await db.close();
    await postgres.close();
    await rm(folder, { recursive: true });
  }
}

async function openOurs(connection: PostgresConnection, db: Db<unknown>, name: string): Promise<Bench> {
  const open = () => openQueue(connection, { log: console, queues: [name], roles: [] });
  const queues = [await open()];
  return {
    send: (data, group) => transaction(db, {}, (tx) => queues[0].send(tx, name, data, { group })),
    async work(workers, perGroup, handler) {
      while (queues.length < workers) queues.push(await open());
      for (const queue of queues) await queue.work(name, { concurrency, perGroup }, handler);
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

async function openPeers(connection: PostgresConnection, name: string, batch: number): Promise<Bench> {
  const peers = [await openPeer(connection, name)];
  return {
    send: (data, group) => peers[0].send(data, group),
    async work(workers, perGroup, handler) {
      while (peers.length < workers) peers.push(await openPeer(connection, name));
      for (const peer of peers) await peer.work({ concurrency, perGroup, batch }, handler);
    },
    async close() {
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
}

/** Jobs of 2 ms a second, all of them there before the workers are. */
async function throughput(open: () => Promise<Bench>): Promise<number> {
  const bench = await open();
  for (let n = 0; n < shortJobs; n++) await bench.send({ n }, `group ${n % 50}`);
  let done = 0;
  let begun = 0;
  await bench.work(2, 8, async () => {
    begun ||= performance.now();
    await sleep(2);
    done++;
  });
  while (done < shortJobs) await sleep(5);
  const seconds = (performance.now() - begun) / 1_000;
  await bench.close();
  return shortJobs / seconds;
}

/** Milliseconds from the commit of a job to its start, where workers have nothing else to do. */
async function latency(open: () => Promise<Bench>): Promise<number> {
  const bench = await open();
  let start: (at: number) => void = () => {};
  await bench.work(2, 8, async () => start(performance.now()));
  const waits: number[] = [];
  for (let n = 0; n < lateJobs; n++) {
    // Any place between two questions of a worker.
    await sleep(200 + ((n * 137) % 400));
    const started = new Promise<number>((resolve) => {
      start = resolve;
    });
    await bench.send({ n }, 'group');
    const sent = performance.now();
    waits.push(Math.max(0, (await started) - sent));
  }
  await bench.close();
  return waits.sort((a, b) => a - b)[lateJobs >> 1];
}

/** How many jobs of one group ran at once over two workers, of the `share` that it may. */
async function mostOfGroup(open: () => Promise<Bench>): Promise<number> {
  const bench = await open();
  for (let n = 0; n < sharedJobs; n++) await bench.send({ n }, 'one');
  let [running, most, done] = [0, 0, 0];
  await bench.work(2, share, async () => {
    most = Math.max(most, ++running);
    await sleep(20);
    running--;
    done++;
  });
  while (done < sharedJobs) await sleep(5);
  await bench.close();
  return most;
}

/** Seconds from the kill of a process that has a job to the start of that job in another. */
async function redeliver(
  connection: PostgresConnection,
  side: 'ours' | 'peer',
  name: string,
  bench: Bench,
): Promise<number> {
  await bench.send({}, 'one');
  const script = join(import.meta.dirname, 'children', 'queue-worker.ts');
  const child = spawn(process.execPath, [script, side, JSON.stringify(connection), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGKILL');
  const killed = performance.now();
  const started = new Promise<number>((resolve) => {
    bench.work(1, share, async () => resolve(performance.now()));
  });
  const seconds = ((await started) - killed) / 1_000;
  await bench.close();
  return seconds;
}
