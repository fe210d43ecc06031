import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareDatabase } from './access/prepare-database.ts';
import { openReleaseWatch } from './access/superseded.ts';
import type { Database } from './access/transactions.ts';
import { openWaits } from './api/wait.ts';
import type { handlers } from './compute.ts';
import type { Config } from './config.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';
import type { handlers as hashingHandlers } from './hashing.ts';
import { openApi, openOperation } from './http.ts';
import { fingerprintOf, mailFolder, openInstallation, schemaFolder } from './installation.ts';
import { allJobs, queueNames, schedule } from './jobs.ts';
import { openHasher } from './lib/crypto/hasher.ts';
import { deriveKey } from './lib/crypto/secrets.ts';
import { openNoteSigner } from './lib/crypto/signed-note.ts';
import { openDb } from './lib/db/db.ts';
import { openAddresses } from './lib/dns/addresses.ts';
import { openTexts } from './lib/dns/texts.ts';
import { Failure } from './lib/failure.ts';
import { type Logger, openLog } from './lib/http/log.ts';
import { openOutbound } from './lib/http/outbound.ts';
import type { Http } from './lib/http/server.ts';
import { openMailer } from './lib/mail/mail.ts';
import { openPersonalDomains } from './lib/mail/personal-domains.ts';
import { openMetrics } from './lib/metrics/metrics.ts';
import { byHandler, openPool } from './lib/processes/pool.ts';
import { openShares } from './lib/processes/shares.ts';
import { openWorkFolder } from './lib/processes/work-folder.ts';
import { openQueue } from './lib/queue/queue.ts';
import { startRepeating } from './lib/repeat.ts';
import { openStorage } from './lib/storage/open.ts';
import { watchStorage } from './lib/storage/watched.ts';
import { noTracing, openTracing, type Tracing } from './lib/tracing/tracing.ts';
import type { handlers as parsingHandlers } from './parsing.ts';
import type { handlers as readingHandlers } from './reading.ts';
import { openAllowances } from './resources/allowances/allowances.ts';
import type { App } from './resources/app.ts';
import { attempt } from './resources/attempt.ts';
import { taskBudgets } from './resources/budgets.ts';
import { openGraphEmbeddings } from './resources/embeddings/graph.ts';
import { openEmbeddings } from './resources/embeddings/open.ts';
import { watchOperation } from './resources/health/measure.ts';
import { poolSize } from './resources/job.ts';
import { predictionRows } from './resources/predictions/commit.ts';
import { openServing } from './serving/serving.ts';
import { openSftpDoor } from './sftp/door.ts';
import { objectName, openDamageReport } from './trail/damaged-objects.ts';
import { auditRows, openGroupCommit } from './trail/group-commit.ts';

/**
 * What a process runs. `none` serves no requests and no jobs: it opens the database, storage and the rest of the app
 * for a command that runs beside the service.
 */
export type Role = 'all' | 'api' | 'worker' | 'sftp' | 'none';

/** The service in this process. */
export type Service = {
  readonly app: App;
  readonly http: Http | null;
  /** Null where no requests are served. */
  readonly dashboard: Dashboard | null;
  /** Where SFTP listens; null where it does not. */
  readonly sftpPort: number | null;
  /** Where health and metrics are told to whoever asks; null where they have no port of their own. */
  readonly metricsPort: number | null;
  /** The base URL of the API, valid once the server listens. */
  readonly url: string;
  /** Resolves, with the name of its newest migration, when a newer release has migrated the database. */
  readonly superseded: Promise<string>;
  /** Is not ready any more, so that balancers send nothing, and answers what comes all the same until `close`. */
  leave(): void;
  /** Stops taking requests and jobs, lets those in flight finish, and closes everything. */
  close(): Promise<void>;
};

/** Row sets that are committed together with audit entries before an answer is sent. */
const groupCommitted = [auditRows, predictionRows];
/** Connections of a process, and those that one workspace may hold at once: a few are always there for others. */
const connectionsMax = 12;
export const connectionsPerWorkspaceMax = 8;
/** Of work that others wait for, and of long work and that of workspaces that have used much lately. */
const computeNice = 5;
const computeHeavyNice = 19;
/** Time for a task to clean up its files on shutdown; another process computes its result again. */
const computeGraceMs = 1_000;
/** The share of the memory for answering at once that is for predictions; the rest is for embeddings. */
export const predictionShare = 2 / 3;
/** Names the key that signs checkpoints of the audit trail. */
const auditKeyName = 'lastro.audit';
const parsingScript = fileURLToPath(new URL('parsing.ts', import.meta.url));
/** Processes that read customers' texts; they are started when there are some. */
const parsingProcesses = 2;
const parsingNice = 5;
/** Longest that one text may be read, and the memory for what is made of it. The densest takes 5 s of a free core. */
export const parsingWallMs = 30_000;
export const parsingHeapMb = 768;
/** Most texts of one workspace that wait to be read. */
export const parsingWaitingMax = 20;
/** A task that reads a text never awaits, so that it cannot be asked to stop. */
const parsingStopGraceMs = 50;
const readingScript = fileURLToPath(new URL('reading.ts', import.meta.url));
/** Processes that read rows for those who look at them; they are started when somebody does. */
const readingProcesses = 2;
const readingNice = 5;
/** Longest that one page of rows may be read, and the memory for what is made of it, beside that of DuckDB. */
export const readingWallMs = 30_000;
export const readingHeapMb = 512;
const readingRssMb = 768;
/** Most pages of rows that one workspace waits for. */
export const readingWaitingMax = 20;
/** Passwords are hashed one after the other, in a process that gives way to all others. */
const hashingNice = 15;
const hashingScript = fileURLToPath(new URL('hashing.ts', import.meta.url));
const computeScript = fileURLToPath(new URL('compute.ts', import.meta.url));

/**
 * Starts the service in a role. When it cannot start, closes what it has opened and throws Failure 'unavailable' or
 * 'invalid'.
 */
export async function startService(config: Config, role: Role): Promise<Service> {
  if (role === 'sftp' && config.sftpPort === null)
    throw new Failure('invalid', 'SFTP_PORT names no port for SFTP: set it, to 2022 for example');
  const closers: (() => Promise<unknown>)[] = [];
  let quiet: () => Promise<unknown> = async () => {};
  const close = async (): Promise<void> => {
    await quiet();
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const log = openLog(config.logLevel);
    const { owner, isEmbedded, master, close: closeDatabase } = await openInstallation(config, log);
    closers.push(closeDatabase);
    const connection = await prepareDatabase({
      owner,
      given: config.databaseOwnerUrl === null ? null : { connectionString: config.databaseUrl! },
      isEmbedded,
      schemaFolder,
      fingerprint: fingerprintOf(master),
      password: Buffer.from(deriveKey(master, 'database login')).toString('hex'),
      serves: role !== 'none',
    }).catch((error) => {
      throw isEmbedded ? error : tellWhy(error);
    });
    const db: Database = openDb(connection, { max: connectionsMax, perHolder: connectionsPerWorkspaceMax });
    closers.push(() => db.close());
    const metrics = openMetrics();
    const tracing = config.tracing && role !== 'none' ? await openTraces(config.tracing, role, log) : noTracing;
    closers.push(() => tracing.close());
    const queue = await openQueue(connection, {
      onEnd: metrics.observeJob,
      tracing,
      log,
      queues: queueNames,
      roles: ['lastro_app', 'lastro_system'],
      owner,
    });
    closers.push(() => queue.close());
    const { path: workFolder, close: closeWorkFolder } = await openWorkFolder(join(config.dataDir, 'work'));
    closers.push(closeWorkFolder);
    const opened = await openStorage(config.storageUrl, {
      cacheFolder: join(config.dataDir, 'cache'),
      onDamage: openDamageReport(db, log, metrics.countDamage),
      nameOf: objectName,
    });
    const storage = watchStorage(opened, { onError: metrics.countStorageError, tracing });
    const works = role === 'all' || role === 'worker';
    const processes = poolSize(config.computeProcesses);
    const compute = works
      ? openPool<typeof handlers>({
          script: computeScript,
          tracing,
          size: processes,
          nice: computeNice,
          heavyNice: computeHeavyNice,
          budgets: taskBudgets(config) satisfies Record<keyof typeof handlers, unknown>,
          onExceeded: ({ task, limit, allowed, used, about }) => {
            metrics.countEnded(task, limit);
            log.warn({ task, limit, allowed, used, ...about }, 'task ended: it exceeded its budget');
          },
        })
      : null;
    if (compute) closers.push(() => compute.close(0));
    const parsing = openPool<typeof parsingHandlers>({
      script: parsingScript,
      tracing,
      size: parsingProcesses,
      nice: parsingNice,
      stopGraceMs: parsingStopGraceMs,
      rssLimitMb: parsingHeapMb / 2,
      nodeFlags: [`--max-old-space-size=${parsingHeapMb}`],
    });
    closers.push(() => parsing.close(0));
    const reading = openPool<typeof readingHandlers>({
      script: readingScript,
      tracing,
      size: readingProcesses,
      nice: readingNice,
      rssLimitMb: readingRssMb,
      nodeFlags: [`--max-old-space-size=${readingHeapMb}`],
    });
    closers.push(() => reading.close(0));
    const hashing = openPool<typeof hashingHandlers>({ script: hashingScript, size: 1, nice: hashingNice });
    closers.push(() => hashing.close(0));
    const mailer = openMailer({
      ...{ url: config.smtpUrl, from: config.mailFrom, silenceMs: config.smtpSilenceMs },
      folder: mailFolder(config),
    });
    closers.push(async () => mailer.close());
    const groupCommit = openGroupCommit(db, groupCommitted);
    closers.push(() => groupCommit.close());
    const serving = openServing(db, storage, workFolder, predictionShare * config.servingMemoryMb);
    closers.push(() => serving.close());
    const embeddings = openEmbeddings(db, storage, workFolder, (1 - predictionShare) * config.servingMemoryMb);
    closers.push(() => embeddings.close());
    const graphEmbeddings = openGraphEmbeddings(db, storage, workFolder);
    closers.push(() => graphEmbeddings.close());
    let url = config.publicUrl ?? `http://localhost:${config.port}`;
    let { sftpPort } = config;
    let isLeaving = false;
    const app: App = {
      db,
      storage,
      queue,
      compute: compute && byHandler(compute),
      trainingThreads: config.trainingThreads,
      parsing: openShares(byHandler(parsing), {
        slots: parsingProcesses,
        waitingMax: parsingWaitingMax,
        wallMs: parsingWallMs,
        says: {
          waiting: `${parsingWaitingMax} texts of this workspace wait to be read already: send them one after the other`,
          over: `the text took more than ${parsingWallMs / 1000} seconds or the memory that reading one may take: send a smaller or simpler one`,
        },
      }),
      reading: openShares(byHandler(reading), {
        slots: readingProcesses,
        waitingMax: readingWaitingMax,
        wallMs: readingWallMs,
        says: {
          waiting: `${readingWaitingMax} pages of rows of this workspace wait to be read already: ask for one after the other`,
          over: `the rows took more than ${readingWallMs / 1000} seconds or the memory that reading a page may take: ask for fewer of them`,
        },
      }),
      hasher: openHasher(byHandler(hashing)),
      mailer,
      unsubscribeAddress: config.unsubscribeAddress,
      outbound: openOutbound({
        privateNetworks: config.outboundPrivateNetworks,
        resolve: openAddresses(config.dnsServers),
        tracing,
      }),
      webhooks: {
        plain: config.webhookAllowHttp ? 'this machine' : 'never',
        schedule: config.webhookScheduleMs,
        waitingMax: config.webhookWaitingMax,
      },
      isPersonal: openPersonalDomains(config.personalMailDomains),
      lookUpTexts: openTexts(config.dnsServers),
      serving,
      groupCommit,
      allowances: openAllowances(db, log),
      waits: openWaits(),
      keys: {
        cursors: Buffer.from(deriveKey(master, 'cursors')),
        addresses: Buffer.from(deriveKey(master, 'addresses')),
        idempotency: Buffer.from(deriveKey(master, 'idempotency')),
        fingerprints: Buffer.from(deriveKey(master, 'entity fingerprints')),
        audit: openNoteSigner(auditKeyName, deriveKey(master, 'audit checkpoints')),
        sealing: { current: '1', keys: new Map([['1', deriveKey(master, 'sealing')]]) },
      },
      publicUrl: () => url,
      isLeaving: () => isLeaving,
      workFolder,
      auditRetentionDays: config.auditRetentionDays,
      retentionDays: config.retentionDays,
      replaySample: config.replaySample,
      sftpPort: () => sftpPort,
      log,
    };
    const { superseded, watch } = await openReleaseWatch(db);
    const repeated = schedule(app).filter(({ by }) => works || by === 'every process');
    closers.push(startRepeating([...repeated, watch], log));
    const dashboard = role === 'all' || role === 'api' ? openDashboard(config.dashboardDir) : null;
    const http = dashboard
      ? await openApi(config, app, { log, metrics, tracing, dashboard }, { embeddings, graphEmbeddings })
      : null;
    // Requests and jobs stop in parallel. `drain` gives the jobs back before their processes end, so that this end does
    // not count as a failure of the jobs.
    const hasSftp = (role === 'sftp' || role === 'all') && config.sftpPort !== null;
    const proxies = config.sftpProxyProtocol ? config.trustedProxies : [];
    const sftp = hasSftp ? await openSftpDoor(app, metrics.countSftpSignIn, { proxies }) : null;
    watchOperation(app, config.dataDir, metrics);
    metrics.watch({
      name: 'lastro_sftp_sessions',
      help: 'Clients that are signed in to the SFTP of this process.',
      read: () => sftp?.signedIn() ?? 0,
    });
    const operation = config.metricsPort === null || role === 'none' ? null : openOperation(app, log, metrics);
    if (operation) closers.push(() => operation.close());
    quiet = () => Promise.all([http?.close(), sftp?.close(), queue.drain(), compute?.close(computeGraceMs)]);
    if (http) {
      const port = await listen('PORT', http, config.port, config.host);
      if (config.publicUrl === null) url = `http://localhost:${port}`;
    }
    if (sftp) sftpPort = await listen('SFTP_PORT', sftp, sftpPort!, config.host);
    const metricsPort = operation && (await listen('METRICS_PORT', operation, config.metricsPort!, config.host));
    if (works) {
      for (const job of allJobs(app))
        await queue.work(
          job.queue,
          { perGroup: job.perGroup, concurrency: processes - job.leaves, atOnce: config.computeProcesses },
          attempt(job, log, metrics.countGivenUp),
        );
    }
    const leave = (): void => {
      isLeaving = true;
      http?.leave();
    };
    return { app, http, dashboard, sftpPort: sftp && sftpPort, metricsPort, url, superseded, leave, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openTraces(config: NonNullable<Config['tracing']>, role: Role, log: Logger): Promise<Tracing> {
  return openTracing({
    ...config,
    attributes: { 'lastro.role': role, 'process.pid': process.pid },
    onError: (error) => log.warn({ err: error }, 'traces cannot be sent'),
  });
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

async function listen(
  setting: string,
  door: { listen(port: number, host: string): Promise<number> },
  port: number,
  host: string,
): Promise<number> {
  try {
    return await door.listen(port, host);
  } catch (error) {
    const reason = listenReasons[String((error as NodeJS.ErrnoException).code)];
    if (reason === undefined) throw error;
    throw new Failure('unavailable', `${host}:${port} ${reason.replace('PORT', setting)}`, { cause: error });
  }
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program: set PORT to a free port',
  EACCES: 'may not be listened on by this user: set PORT to one above 1023',
  EADDRNOTAVAIL: 'is no address of this machine: set HOST to one that is',
  ENOTFOUND: 'is no address that is known: set HOST to an address of this machine',
};
