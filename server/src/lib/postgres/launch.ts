// The embedded PostgreSQL: finds, starts, watches and stops it, or shares the one that another process runs.
import { chmod, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../failure.ts';
import { binariesFolder, findBinaries, installBinaries, postgresMajor } from './binaries.ts';
import { chooseSite, type Site } from './site.ts';
import { type Supervisor, supervise } from './supervisor.ts';

/** Recovery after a crash replays everything since the last checkpoint, which may be a gigabyte. */
const startTimeoutMs = 300_000;
/** A fast shutdown writes a checkpoint first. */
const stopTimeoutMs = 60_000;
const stopGraceMs = 3_000;
const connectTimeoutMs = 5_000;
const pollMs = 20;
/** Delay before PostgreSQL is started again after it died; doubled with every failure in a row. */
const restartDelayMs = 50;
const restartDelayMaxMs = 5_000;

const name = 'lastro';

/** What a process of this machine and user needs to connect. There is no password: the socket identifies the user. */
export type PostgresConnection = {
  /** The folder of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
};

export type LaunchOptions = {
  /** The cluster's own folder; made when absent. */
  readonly dataDir: string;
  /** Called with each line that PostgreSQL or the launcher logs. */
  readonly log: (line: string) => void;
  /** Server settings that override the ones here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** As root: the folder of clusters whose `dataDir` an unprivileged user cannot reach. */
  readonly fallbackRoot?: string;
  /** Called each time PostgreSQL ended by itself, before it is started again. */
  readonly onExit?: (reason: string) => void;
};

export type Postgres = {
  readonly connection: PostgresConnection;
  /** Whether another process runs PostgreSQL. This may change: when that process ends, this one may take over. */
  readonly attached: boolean;
  /** Stops PostgreSQL if this process runs it, and otherwise disconnects. Close connections before. */
  close(): Promise<void>;
};

const serverSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  idle_in_transaction_session_timeout: '60s',
  // PostgreSQL 18.4 forgets a shutdown request while it restarts itself. With this it ends, and is started again here.
  restart_after_crash: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements go to their senders; in this log they would only repeat customers' values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // Parallel workers share memory through /dev/shm, which has only 64 MB in a container.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

/**
 * Starts the PostgreSQL of a folder, or attaches to the one that another process runs there. Data are recovered
 * whatever was killed before. If PostgreSQL or the process that runs it ends, it is started again with the same
 * connection settings, until `close`. When this process is killed, PostgreSQL stops too.
 * Throws `Failure('unavailable')` when it cannot run here or does not start within 5 minutes.
 */
export async function launchPostgres(options: LaunchOptions): Promise<Postgres> {
  const site = await chooseSite(options.dataDir, options.fallbackRoot ?? '/var/lib/lastro');
  if (!site.folder.startsWith(options.dataDir)) options.log(`the database lies in ${site.folder}`);
  const closing = new AbortController();
  let held = await acquire(site, options, closing.signal);
  const watched = watch();

  async function watch(): Promise<void> {
    for (;;) {
      const reason = await held.ended;
      if (closing.signal.aborted) return;
      options.log(`PostgreSQL is gone and will be started again: ${reason}`);
      options.onExit?.(reason);
      const next = await reacquire(site, options, closing.signal);
      if (!next) return;
      held = next;
    }
  }

  return {
    connection: connectionTo(site),
    get attached() {
      return held.attached;
    },
    async close() {
      closing.abort();
      held.release();
      if (await endsWithin(watched, stopGraceMs)) return;
      // The process that should have stopped it may have been killed.
      const client = held.attached ? undefined : await connect(site, 'postgres');
      if (client) await stopServer(site, client);
      if (!(await endsWithin(watched, stopTimeoutMs)))
        options.log('PostgreSQL does not stop and is left to end by itself');
    },
  };
}

async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(timeoutMs, false, { signal: over.signal })]);
  } finally {
    // A remaining timer would keep the process alive.
    over.abort();
  }
}

/** A hold on the running cluster: this process runs it, or has a connection that ends when the server does. */
type Held = { readonly attached: boolean; readonly ended: Promise<string>; release(): void };

async function reacquire(site: Site, options: LaunchOptions, signal: AbortSignal): Promise<Held | undefined> {
  for (let delayMs = restartDelayMs; ; delayMs = Math.min(2 * delayMs, restartDelayMaxMs)) {
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
    try {
      return await acquire(site, options, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      options.log(`PostgreSQL could not be started: ${error instanceof Error ? error.message : error}`);
    }
  }
}

async function acquire(site: Site, options: LaunchOptions, signal: AbortSignal): Promise<Held> {
  const binaries = findBinaries();
  const bin = join(binariesFolder(site.folder, binaries), 'bin');
  const settings = {
    ...serverSettings,
    unix_socket_directories: site.sockets,
    hba_file: join(site.folder, 'pg_hba.conf'),
    ident_file: join(site.folder, 'pg_ident.conf'),
    ...options.settings,
  };
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const supervisor = await supervise(site, bin, settings, options.log);
    if (supervisor.standing === 'holding') {
      try {
        await checkVersion(site);
        await installBinaries(site.folder, binaries);
        await writeAccessRules(site);
        return await run(site, supervisor, deadline, signal);
      } catch (error) {
        supervisor.stop();
        await supervisor.ended;
        throw error;
      }
    }
    const client = supervisor.standing === 'ending' ? undefined : await connect(site, 'postgres');
    if (client && supervisor.standing === 'supervised') return attach(client);
    if (client) {
      options.log('stopping a PostgreSQL whose supervisor was killed');
      await stopServer(site, client);
    }
    if (performance.now() > deadline)
      throw new Failure('unavailable', `Another process holds the database in ${site.cluster} and does not serve it.`);
    await sleep(pollMs);
  }
}

async function checkVersion(site: Site): Promise<void> {
  const version = await readFile(join(site.data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version !== undefined && version.trim() !== postgresMajor)
    throw new Failure(
      'unavailable',
      `The database in ${site.cluster} was made by PostgreSQL ${version.trim()}; this program brings ${postgresMajor}.`,
    );
}

async function writeAccessRules(site: Site): Promise<void> {
  await writeWhole(join(site.folder, 'pg_hba.conf'), `local all all peer map=${name}\n`);
  await writeWhole(join(site.folder, 'pg_ident.conf'), `${name} "${site.userName}" all\n`);
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.partial`, text);
  await chmod(`${path}.partial`, 0o644);
  await rename(`${path}.partial`, path);
}

/** Starts PostgreSQL under the supervisor, and waits until it answers. */
async function run(site: Site, supervisor: Supervisor, deadline: number, signal: AbortSignal): Promise<Held> {
  signal.addEventListener('abort', () => supervisor.stop(), { once: true });
  let end: string | undefined;
  supervisor.ended.then((reason) => {
    end = reason;
  });
  supervisor.start();
  for (;;) {
    const client = await connect(site, 'postgres');
    if (client) {
      await createDatabase(client).finally(() => client.end());
      await syncFolder(site.cluster);
      return { attached: false, ended: supervisor.ended, release: () => supervisor.stop() };
    }
    if (end !== undefined) throw new Failure('unavailable', `The database in ${site.cluster} does not start: ${end}`);
    if (performance.now() > deadline)
      throw new Failure('unavailable', `The database in ${site.cluster} does not answer after ${startTimeoutMs} ms.`);
    await sleep(pollMs);
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await client.query(`create database ${name}`);
}

/**
 * Makes the folder's entries durable: a new cluster is renamed into place, and its name must be as durable as its data.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function attach(client: pg.Client): Held {
  const ended = new Promise<string>((resolve) => client.once('end', () => resolve('the process that ran it ended')));
  return { attached: true, ended, release: () => void client.end().catch(() => {}) };
}

/**
 * Stops the server that answers on `client`. While it answers, the process id in its file is its own, so no other
 * process can be hit.
 */
async function stopServer(site: Site, client: pg.Client): Promise<void> {
  const pid = Number((await readFile(join(site.data, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  process.kill(pid, 'SIGINT');
  await client.end();
}

/** Connects to the server; undefined while PostgreSQL does not run, starts or stops. */
async function connect(site: Site, database: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connectionTo(site),
    database,
    application_name: 'launcher',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A stopping server breaks its connections; without a listener, the error event would end Node.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('28'))
      throw new Failure('unavailable', `The database in ${site.cluster} belongs to another user of this machine.`, {
        cause: error,
      });
    return undefined;
  }
}

function connectionTo(site: Site): PostgresConnection {
  return { host: site.sockets, port: 5432, database: name, user: name };
}
