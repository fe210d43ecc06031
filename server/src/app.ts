import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { allJobs, queueNames } from './jobs.ts';
import { newId } from './lib/crypto/ids.ts';
import { deriveKey, openMasterSecret, parseMasterSecret } from './lib/crypto/secrets.ts';
import { openDb } from './lib/db/db.ts';
import { migrate } from './lib/db/migrate.ts';
import { type Http, openHttp } from './lib/http/server.ts';
import { openMetrics } from './lib/metrics/metrics.ts';
import { launchPostgres, type Postgres } from './lib/postgres/launch.ts';
import { openPool } from './lib/processes/pool.ts';
import { openQueue } from './lib/queue/queue.ts';
import { openStorage } from './lib/storage/open.ts';
import type { App } from './resources/app.ts';
import { reviveBatches } from './resources/batches/revive.ts';
import type { handlers } from './resources/compute.ts';
import { sweep } from './resources/maintenance/sweep.ts';
import { openServing } from './resources/models/serving.ts';
import { openPredictionCommit } from './resources/predictions/commit.ts';
import { allRoutes } from './routes.ts';
import { openAuthenticator } from './tenancy/authenticate.ts';
import { completeDocument } from './tenancy/document.ts';
import type { Database } from './tenancy/doors.ts';
import { openRateLimit } from './tenancy/rate-limit.ts';
import { serveRoutes } from './tenancy/route.ts';

/** `none` opens what the service stands on, for a command beside it. */
export type Role = 'all' | 'api' | 'worker' | 'none';

/** The service as a process runs it. */
export type Service = {
  readonly app: App;
  readonly http: Http | null;
  /** Where it answers, once it listens. */
  readonly url: string;
  /** Takes no more requests and jobs, lets those in flight finish, and closes everything. */
  close(): Promise<void>;
};

const poolSize = { api: 12, worker: 12 };
const computeNice = 15;
const sweepEveryMs = 15 * 60 * 1000;
const computeRssLimitMb = 4_096;
const schemaFolder = fileURLToPath(new URL('schema', import.meta.url));
const computeScript = fileURLToPath(new URL('compute.ts', import.meta.url));

/** Starts the service in a role. Throws Failure 'unavailable' or 'invalid' when it cannot, after closing what it had opened. */
export async function startService(config: Config, role: Role): Promise<Service> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const log = pino({ level: config.logLevel, redact: ['req.headers.authorization'] }, pino.destination(2));
    await mkdir(config.dataDir, { recursive: true });
    const postgres = config.databaseUrl === null ? await startPostgres(config, log) : null;
    if (postgres) closers.push(() => postgres.close());
    const connection = postgres?.connection ?? { connectionString: config.databaseUrl! };
    await migrate(connection, schemaFolder);
    const db: Database = openDb(connection, { max: poolSize.api });
    closers.push(() => db.close());
    const queue = await openQueue(connection, { log, queues: queueNames, roles: ['lastro_app', 'lastro_system'] });
    closers.push(() => queue.close());
    const master =
      config.masterSecret === null
        ? await openMasterSecret(join(config.dataDir, 'secret'))
        : parseMasterSecret(config.masterSecret);
    const workFolder = await openWorkFolder(join(config.dataDir, 'work'));
    closers.push(() => rm(workFolder, { recursive: true, force: true }));
    const storage = await openStorage(config.storageUrl, { cacheFolder: join(config.dataDir, 'cache') });
    const works = role === 'all' || role === 'worker';
    const compute = works
      ? openPool<typeof handlers>({
          script: computeScript,
          size: config.computeProcesses,
          nice: computeNice,
          rssLimitMb: computeRssLimitMb,
        })
      : null;
    if (compute) closers.push(() => compute.close());
    const predictions = openPredictionCommit(db);
    closers.push(() => predictions.close());
    let url = config.publicUrl ?? `http://localhost:${config.port}`;
    const app: App = {
      db,
      storage,
      queue,
      compute,
      serving: openServing(db, storage, workFolder),
      predictions,
      keys: {
        cursors: Buffer.from(deriveKey(master, 'cursors')),
        addresses: Buffer.from(deriveKey(master, 'addresses')),
        sealing: { current: '1', keys: new Map([['1', deriveKey(master, 'sealing')]]) },
      },
      publicUrl: () => url,
      workFolder,
      log,
    };
    for (const { queue: name, perGroup, run } of works ? allJobs(app) : [])
      await queue.work(name, { perGroup, concurrency: config.computeProcesses }, run);
    if (works) closers.push(startSweeping(app, log));
    let http: Http | null = null;
    if (role === 'all' || role === 'api') {
      http = await openApi(config, app, log);
      const port = await http.listen(config.port, config.host);
      if (config.publicUrl === null) url = `http://localhost:${port}`;
      closers.push(() => http!.close());
    }
    return { app, http, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A folder of this process; those of processes that are gone are removed. */
async function openWorkFolder(root: string): Promise<string> {
  const own = join(root, String(process.pid));
  await mkdir(own, { recursive: true });
  for (const name of await readdir(root))
    if (name !== String(process.pid) && !isRunning(Number(name)))
      await rm(join(root, name), { recursive: true, force: true });
  return own;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sweeps now and then; resolves once a sweep under way has ended. */
function startSweeping(app: App, log: Logger): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = Promise.all([sweep(app), reviveBatches(app)]).catch((error) => log.warn({ err: error }, 'sweep'));
  }, sweepEveryMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** The HTTP server with every route, not listening yet. */
export async function openApi(
  config: Pick<Config, 'trustedProxies' | 'requestsPerMinute'>,
  app: App,
  log: Logger,
): Promise<Http> {
  const metrics = openMetrics();
  const http = openHttp({
    log,
    trustedProxies: config.trustedProxies,
    newRequestId: () => newId('req'),
    document: apiDocument,
    onAnswer: metrics.observe,
  });
  const authenticator = openAuthenticator(app.db);
  serveRoutes(http, allRoutes(app, authenticator, metrics), {
    db: app.db,
    authenticator,
    rateLimit: openRateLimit(config.requestsPerMinute),
  });
  return http;
}

/** The OpenAPI document of every route; opens nothing that the routes would work with. */
export async function documentApi(): Promise<unknown> {
  // Routes only keep hold of the app until one of them is called, and none is.
  const app = {} as App;
  const authenticator = openAuthenticator(app.db);
  const routes = allRoutes(app, authenticator, openMetrics());
  const newRequestId = () => newId('req');
  const http = openHttp({ log: pino({ level: 'silent' }), trustedProxies: [], newRequestId, document: apiDocument });
  serveRoutes(http, routes, { db: app.db, authenticator, rateLimit: openRateLimit(0) });
  return completeDocument((await http.document()) as Parameters<typeof completeDocument>[0], routes);
}

function startPostgres(config: Config, log: Logger): Promise<Postgres> {
  return launchPostgres({ dataDir: join(config.dataDir, 'postgres'), log: (line) => log.debug({ postgres: line }) });
}

const apiDocument = {
  info: {
    title: 'Lastro',
    version: '1.0.0',
    description: 'Predictions about companies, people and assets from the network of dated relationships they sit in.',
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key lst_… of a workspace.' } },
  },
  security: [{ key: [] }],
};
