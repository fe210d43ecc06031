import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { openApiKeys } from './access/credentials/api-key.ts';
import { openSignedAddresses } from './access/credentials/signed-address.ts';
import { requireSameSecret } from './access/installation.ts';
import { openRateLimit } from './access/rate-limit.ts';
import type { Database } from './access/transactions.ts';
import { completeDocument } from './api/document.ts';
import { serveRoutes } from './api/serve.ts';
import type { handlers } from './compute.ts';
import type { Config } from './config.ts';
import { allJobs, queueNames, schedule } from './jobs.ts';
import { newId } from './lib/crypto/ids.ts';
import { deriveKey, openMasterSecret, parseMasterSecret } from './lib/crypto/secrets.ts';
import { openDb } from './lib/db/db.ts';
import { migrate } from './lib/db/migrate.ts';
import { Failure } from './lib/failure.ts';
import { openLog } from './lib/http/log.ts';
import { type Http, openHttp } from './lib/http/server.ts';
import { openMetrics } from './lib/metrics/metrics.ts';
import { launchPostgres, type Postgres } from './lib/postgres/launch.ts';
import { byHandler, openPool } from './lib/processes/pool.ts';
import { openWorkFolder } from './lib/processes/work-folder.ts';
import { openQueue } from './lib/queue/queue.ts';
import { startRepeating } from './lib/repeat.ts';
import { openStorage } from './lib/storage/open.ts';
import type { App } from './resources/app.ts';
import { attempt } from './resources/attempt.ts';
import type { Embedders } from './resources/embeddings/about.ts';
import { openGraphEmbeddings } from './resources/embeddings/graph.ts';
import { openEmbeddings } from './resources/embeddings/open.ts';
import { longTasksLeave } from './resources/job.ts';
import { predictionRows } from './resources/predictions/commit.ts';
import { allRoutes } from './routes.ts';
import { openServing } from './serving/serving.ts';
import { openGroupCommit } from './trail/group-commit.ts';
import { recordDenial } from './trail/record.ts';

/**
 * What a process runs. `none` serves no requests and no jobs: it opens the database, storage and the rest of the app
 * for a command that runs beside the service.
 */
export type Role = 'all' | 'api' | 'worker' | 'none';

/** The service in this process. */
export type Service = {
  readonly app: App;
  readonly http: Http | null;
  /** The base URL of the API, valid once the server listens. */
  readonly url: string;
  /** Stops taking requests and jobs, lets those in flight finish, and closes everything. */
  close(): Promise<void>;
};

/** Row sets that are committed together with audit entries before an answer is sent. */
const groupCommitted = [predictionRows];
const poolSize = { api: 12, worker: 12 };
const computeNice = 15;
/** Time for a task to clean up its files on shutdown; another process computes its result again. */
const computeGraceMs = 1_000;
const computeRssLimitMb = 4_096;
const schemaFolder = fileURLToPath(new URL('schema', import.meta.url));
const computeScript = fileURLToPath(new URL('compute.ts', import.meta.url));

/**
 * Starts the service in a role. When it cannot start, closes what it has opened and throws Failure 'unavailable' or
 * 'invalid'.
 */
export async function startService(config: Config, role: Role): Promise<Service> {
  const closers: (() => Promise<unknown>)[] = [];
  let quiet: () => Promise<unknown> = async () => {};
  const close = async (): Promise<void> => {
    await quiet();
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const log = openLog(config.logLevel);
    await mkdir(config.dataDir, { recursive: true });
    const postgres = config.databaseUrl === null ? await startPostgres(config, log) : null;
    if (postgres) closers.push(() => postgres.close());
    const connection = postgres?.connection ?? { connectionString: config.databaseUrl! };
    await migrate(connection, schemaFolder).catch((error) => {
      throw postgres ? error : tellWhy(error);
    });
    const db: Database = openDb(connection, { max: poolSize.api });
    closers.push(() => db.close());
    const queue = await openQueue(connection, { log, queues: queueNames, roles: ['lastro_app', 'lastro_system'] });
    closers.push(() => queue.close());
    const master =
      config.masterSecret === null
        ? await openMasterSecret(join(config.dataDir, 'secret'))
        : parseMasterSecret(config.masterSecret);
    // Commands that run beside the service neither seal nor sign, and may run where the secret is absent.
    if (role !== 'none') await requireSameSecret(db, Buffer.from(deriveKey(master, 'fingerprint')).toString('hex'));
    const { path: workFolder, close: closeWorkFolder } = await openWorkFolder(join(config.dataDir, 'work'));
    closers.push(closeWorkFolder);
    const storage = await openStorage(config.storageUrl, { cacheFolder: join(config.dataDir, 'cache') });
    const works = role === 'all' || role === 'worker';
    const compute = works
      ? openPool<typeof handlers>({
          script: computeScript,
          // Ingestion and training leave `longTasksLeave` processes free for short tasks.
          size: config.computeProcesses + longTasksLeave,
          nice: computeNice,
          rssLimitMb: computeRssLimitMb,
        })
      : null;
    if (compute) closers.push(() => compute.close(0));
    const groupCommit = openGroupCommit(db, groupCommitted);
    closers.push(() => groupCommit.close());
    const serving = openServing(db, storage, workFolder);
    closers.push(() => serving.close());
    const embeddings = openEmbeddings(db, storage, workFolder);
    closers.push(() => embeddings.close());
    const graphEmbeddings = openGraphEmbeddings(db, storage, workFolder);
    closers.push(() => graphEmbeddings.close());
    let url = config.publicUrl ?? `http://localhost:${config.port}`;
    const app: App = {
      db,
      storage,
      queue,
      compute: compute && byHandler(compute),
      serving,
      groupCommit,
      keys: {
        cursors: Buffer.from(deriveKey(master, 'cursors')),
        addresses: Buffer.from(deriveKey(master, 'addresses')),
        idempotency: Buffer.from(deriveKey(master, 'idempotency')),
        sealing: { current: '1', keys: new Map([['1', deriveKey(master, 'sealing')]]) },
      },
      publicUrl: () => url,
      workFolder,
      log,
    };
    for (const each of schedule(app)) if (works || each.by === 'every process') closers.push(startRepeating(each, log));
    const http =
      role === 'all' || role === 'api' ? await openApi(config, app, log, { embeddings, graphEmbeddings }) : null;
    // Requests and jobs stop in parallel. `drain` gives the jobs back before their processes end, so that this end does
    // not count as a failure of the jobs.
    quiet = () => Promise.all([http?.close(), queue.drain(), compute?.close(computeGraceMs)]);
    if (http) {
      const port = await listen(http, config);
      if (config.publicUrl === null) url = `http://localhost:${port}`;
    }
    if (works) {
      for (const job of allJobs(app))
        await queue.work(
          job.queue,
          { perGroup: job.perGroup, concurrency: config.computeProcesses },
          attempt(job, log),
        );
    }
    return { app, http, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Adds the cause to the failure of a database that does not answer at startup: the operator may see more than callers.
 */
function tellWhy(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'unavailable' || !(error.cause instanceof Error)) return error;
  // For a host name with several addresses the error has a code but no message.
  const why = error.cause.message || String((error.cause as NodeJS.ErrnoException).code);
  return new Failure('unavailable', `the database of DATABASE_URL does not answer: ${why}`, { cause: error });
}

async function listen(http: Http, { port, host }: Config): Promise<number> {
  try {
    return await http.listen(port, host);
  } catch (error) {
    const reason = listenReasons[String((error as NodeJS.ErrnoException).code)];
    if (reason === undefined) throw error;
    throw new Failure('unavailable', `${host}:${port} ${reason}`, { cause: error });
  }
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program: set PORT to a free port',
  EACCES: 'may not be listened on by this user: set PORT to one above 1023',
  EADDRNOTAVAIL: 'is no address of this machine: set HOST to one that is',
  ENOTFOUND: 'is no address that is known: set HOST to an address of this machine',
};

/** The HTTP server with every route, not listening yet. */
export async function openApi(
  config: Pick<Config, 'trustedProxies' | 'requestsPerMinute'>,
  app: App,
  log: Logger,
  embedders: Embedders,
): Promise<Http> {
  const metrics = openMetrics();
  const http = openHttp({
    log,
    trustedProxies: config.trustedProxies,
    newRequestId: () => newId('req'),
    document: apiDocument,
    onAnswer: metrics.observe,
  });
  serveRoutes(http, allRoutes(app, metrics, embedders), {
    credentials: { brought: [openApiKeys(app.db)], signedAddress: openSignedAddresses(app.db, app.keys.addresses) },
    recordDenial: (ctx, route) => recordDenial(app.db, ctx, route),
    rateLimit: openRateLimit(config.requestsPerMinute),
    bodySecret: app.keys.idempotency,
  });
  return http;
}

/** The OpenAPI document of every route. Opens neither database nor storage. */
export async function documentApi(): Promise<unknown> {
  // Routes use the app only when they are called, and none is called here.
  const app = {} as App;
  const routes = allRoutes(app, openMetrics(), {} as Embedders);
  const newRequestId = () => newId('req');
  const http = openHttp({ log: openLog('silent'), trustedProxies: [], newRequestId, document: apiDocument });
  serveRoutes(http, routes, {
    credentials: { brought: [], signedAddress: openSignedAddresses(app.db, Buffer.of()) },
    recordDenial: async () => {},
    rateLimit: openRateLimit(0),
    bodySecret: Buffer.of(),
  });
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
