import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pace } from './access/rate-limit.ts';
import { Failure } from './lib/failure.ts';
import { type Network, readNetwork } from './lib/http/networks.ts';
import type { TracingOptions } from './lib/tracing/tracing.ts';
import { memoryMinMb, processesWithin, taskBudgets } from './resources/budgets.ts';
import type { RetentionDays } from './resources/kept-since.ts';
import { settings } from './settings.ts';

/** Every setting. Only this file reads the environment. */
export type Config = {
  readonly port: number;
  readonly host: string;
  /** Where SFTP listens, on the same address; null for no SFTP. 0 is any free port. */
  readonly sftpPort: number | null;
  /** Whether trusted proxies say by the PROXY protocol whom they connect to SFTP. */
  readonly sftpProxyProtocol: boolean;
  /** Where health and metrics are told to whoever asks, on the same address; null for nowhere. */
  readonly metricsPort: number | null;
  readonly dataDir: string;
  readonly demo: boolean;
  /** The built dashboard: `index.html` and what it loads. */
  readonly dashboardDir: string;
  /** The address of the PostgreSQL to use; null starts the embedded one under `dataDir`. */
  readonly databaseUrl: string | null;
  /** The address of the login that owns the tables, when `databaseUrl` names another; null when it names the owner. */
  readonly databaseOwnerUrl: string | null;
  readonly storageUrl: string;
  readonly publicUrl: string | null;
  /** How long it still answers when it is told to stop; null for what is usual in its role. */
  readonly drainMs: number | null;
  readonly masterSecret: string | null;
  readonly trustedProxies: readonly string[];
  /** Networks that are not public, to which the service connects all the same where a customer names an address. */
  readonly outboundPrivateNetworks: readonly Network[];
  /** Whether webhooks may go to 127.0.0.1 and ::1 of this machine, and by http. */
  readonly webhookAllowHttp: boolean;
  /** The delays before each attempt to deliver to a webhook, in milliseconds. */
  readonly webhookScheduleMs: readonly number[];
  /** Most deliveries that wait for one webhook; what happens while so many do is skipped, and can be recovered. */
  readonly webhookWaitingMax: number;
  readonly computeProcesses: number;
  /** How many threads one training learns with. */
  readonly trainingThreads: number;
  /** The memory of all compute tasks together. */
  readonly computeMemoryMb: number;
  /** The memory of all data that are open to be answered from at once, about. */
  readonly servingMemoryMb: number;
  /** Multiplies the time and the disk space that tasks may use. */
  readonly budgetFactor: number;
  /** The server that sends mails; null writes them to a folder. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** How long that server may be silent. */
  readonly smtpSilenceMs: number;
  /** Where people may write to get no more mails of notifications; null for by the link in them alone. */
  readonly unsubscribeAddress: string | null;
  /** Changes of the list of domains of free mail: `example.com` adds one, `-example.com` takes one off. */
  readonly personalMailDomains: readonly string[];
  /** Where domains are looked up; the servers of the machine when empty. */
  readonly dnsServers: readonly string[];
  /** How long entries of the audit trail are kept, in whole months after that many days. */
  readonly auditRetentionDays: number;
  /** How many days what customers made is kept; 0 for ever. */
  readonly retentionDays: RetentionDays;
  /** How many predictions of each workspace are replayed by night; 0 for none. */
  readonly replaySample: number;
  /** The limit per key in one process; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** The limits per workspace in one process, where its price plan says nothing else; 0 for no limit. */
  readonly workspacePerMinute: Readonly<Record<Pace, number>>;
  /** Where traces are sent, and how many of them; null for no traces. */
  readonly tracing: Pick<TracingOptions, 'endpoint' | 'headers' | 'serviceName' | 'share'> | null;
  readonly logLevel: string;
};

/** Where the dashboard of this project is built. */
export const dashboardBuild = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
const computeMemoryShare = 0.7;
const servingMemoryShare = 0.15;
const servingMemoryMinMb = 256;
/** The share of one task for which a further process is started by default. */
const roomyShareMb = 1_024;
/** The memory of a training for which a further thread is started by default. */
const threadShareMb = 512;
const budgetFactorMax = 1_000;
/** A mail that is sent is leased for a little more than three silences (`notification-mails/send.ts`). */
const smtpSilenceSecondsMax = 30;
/** The database itself drops nothing younger than this. */
const auditDaysMin = 90;
const retentionDaysMax = 36_500;
const predictionDaysMin = 1;
/** Quotas count the rows of the batches of a month, and SFTP shows what became of a file for 30 days. */
const batchDaysMin = 35;
/** Whoever follows events may have been away, and what was sent to a webhook can be sent again for as long. */
const eventDaysMin = 30;
const replaySampleMax = 200;
const drainSecondsMax = 600;

const logLevels: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** What the PostgreSQL driver accepts: a URL, or the folder of a socket. */
const databaseAddress = /^(postgres(ql)?:\/\/|socket:|\/)/;

/**
 * Reads how many threads one training learns with; by default one for each core, but no more than have their share of
 * `memoryMb`. Throws Failure 'invalid'.
 */
export function readTrainingThreads(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  memoryMb = Number.POSITIVE_INFINITY,
): number {
  const said = environment.LASTRO_TRAINING_THREADS || '';
  if (said === '') return Math.max(1, Math.min(availableParallelism(), Math.floor(memoryMb / threadShareMb)));
  const threads = Number(said);
  if (Number.isInteger(threads) && threads >= 1 && threads <= threadsMax) return threads;
  throw new Failure('invalid', `LASTRO_TRAINING_THREADS must be a whole number from 1 to ${threadsMax}, not ${said}`);
}

const threadsMax = 256;

/**
 * Reads where a command of a customer calls the service, and with which key, as the client of `sdk` does. Throws
 * Failure 'invalid' without a key.
 */
export function readCaller(environment: Readonly<Record<string, string | undefined>> = process.env): {
  readonly url: string;
  readonly key: string;
} {
  const { LASTRO_API_KEY: key, LASTRO_BASE_URL: url } = environment;
  if (!key) throw new Failure('invalid', 'LASTRO_API_KEY must be a key, such as lst_…: make one in the dashboard');
  return { url: (url || `http://localhost:${usualPort}`).replace(/\/+$/, ''), key };
}

const usualPort = settings.find(({ name }) => name === 'PORT')!.fallback;

/** Reads the settings. Throws Failure 'invalid' whose message names the setting that cannot be used. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const text = (name: string): string => {
    const setting = settings.find((known) => known.name === name)!;
    return environment[name] || (setting.isSecret ? textOfFile(environment, name) : '') || setting.fallback;
  };
  const port = readPort('PORT', text('PORT'));
  const portOrNone = (name: string): number | null => (text(name) === '' ? null : readPort(name, text(name)));
  const demo = text('LASTRO_DEMO');
  if (demo !== '0' && demo !== '1') throw new Failure('invalid', `LASTRO_DEMO must be 0 or 1, not ${demo}`);
  const proxyProtocol = text('SFTP_PROXY_PROTOCOL');
  if (proxyProtocol !== '0' && proxyProtocol !== '1')
    throw new Failure('invalid', `SFTP_PROXY_PROTOCOL must be 0 or 1, not ${proxyProtocol}`);
  const allowHttp = text('LASTRO_WEBHOOK_ALLOW_HTTP');
  if (allowHttp !== '0' && allowHttp !== '1')
    throw new Failure('invalid', `LASTRO_WEBHOOK_ALLOW_HTTP must be 0 or 1, not ${allowHttp}`);
  const processes = text('LASTRO_COMPUTE_PROCESSES');
  const memory = text('LASTRO_COMPUTE_MEMORY_MB');
  const computeMemoryMb = memory === '' ? Math.floor(computeMemoryShare * machineMemoryMb()) : Number(memory);
  if (!Number.isInteger(computeMemoryMb) || computeMemoryMb < 1)
    throw new Failure('invalid', `LASTRO_COMPUTE_MEMORY_MB must be a whole number from 1, not ${memory}`);
  const computeProcesses =
    processes === ''
      ? Math.max(1, Math.min(cpus().length - 1, processesWithin(computeMemoryMb, roomyShareMb)))
      : Number(processes);
  if (!Number.isInteger(computeProcesses) || computeProcesses < 1)
    throw new Failure('invalid', `LASTRO_COMPUTE_PROCESSES must be a whole number from 1, not ${processes}`);
  if (computeMemoryMb < memoryMinMb(computeProcesses))
    throw new Failure(
      'invalid',
      `LASTRO_COMPUTE_MEMORY_MB must be at least ${memoryMinMb(computeProcesses)} for ${computeProcesses} compute processes, not ${computeMemoryMb}`,
    );
  const serving = text('LASTRO_SERVING_MEMORY_MB');
  const servingMemoryMb =
    serving === '' ? Math.max(servingMemoryMinMb, Math.floor(servingMemoryShare * machineMemoryMb())) : Number(serving);
  if (!Number.isInteger(servingMemoryMb) || servingMemoryMb < servingMemoryMinMb)
    throw new Failure(
      'invalid',
      `LASTRO_SERVING_MEMORY_MB must be a whole number from ${servingMemoryMinMb}, not ${serving}`,
    );
  const budgetFactor = Number(text('LASTRO_TASK_BUDGET_FACTOR'));
  if (!(budgetFactor > 0 && budgetFactor <= budgetFactorMax))
    throw new Failure(
      'invalid',
      `LASTRO_TASK_BUDGET_FACTOR must be a number above 0, at most ${budgetFactorMax}, not ${text('LASTRO_TASK_BUDGET_FACTOR')}`,
    );
  const perMinute = (name: string): number => {
    const value = Number(text(name));
    if (Number.isInteger(value) && value >= 0) return value;
    throw new Failure('invalid', `${name} must be a whole number from 0, not ${text(name)}`);
  };
  const keptDays = (name: string, min: number, mayBeForEver = true): number => {
    const days = Number(text(name));
    if (Number.isInteger(days) && days >= min && days <= retentionDaysMax) return days;
    if (mayBeForEver && days === 0) return 0;
    const forEver = mayBeForEver ? ', or 0 for ever' : '';
    throw new Failure(
      'invalid',
      `${name} must be a whole number from ${min} to ${retentionDaysMax}${forEver}, not ${text(name)}`,
    );
  };
  const replaySample = Number(text('LASTRO_REPLAY_SAMPLE'));
  if (!(Number.isInteger(replaySample) && replaySample >= 0 && replaySample <= replaySampleMax))
    throw new Failure(
      'invalid',
      `LASTRO_REPLAY_SAMPLE must be a whole number from 0 to ${replaySampleMax}, not ${text('LASTRO_REPLAY_SAMPLE')}`,
    );
  const logLevel = text('LOG_LEVEL');
  if (!logLevels.includes(logLevel))
    throw new Failure('invalid', `LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${logLevel}`);
  const publicUrl = text('PUBLIC_URL').replace(/\/+$/, '') || null;
  if (publicUrl !== null && !(/^https?:\/\//.test(publicUrl) && URL.canParse(publicUrl)))
    throw new Failure('invalid', `PUBLIC_URL must be an address such as https://lastro.example.com, not ${publicUrl}`);
  const drain = text('LASTRO_DRAIN_SECONDS');
  const drainSeconds = Number(drain);
  if (!(drainSeconds >= 0 && drainSeconds <= drainSecondsMax))
    throw new Failure('invalid', `LASTRO_DRAIN_SECONDS must be a number from 0 to ${drainSecondsMax}, not ${drain}`);
  const trustedProxies = text('TRUSTED_PROXIES')
    .split(',')
    .map((proxy) => proxy.trim())
    .filter(Boolean);
  for (const proxy of trustedProxies)
    if (!isNetwork(proxy))
      throw new Failure(
        'invalid',
        `TRUSTED_PROXIES must hold addresses or networks such as 10.0.0.7 or 10.0.0.0/8, not ${proxy}`,
      );
  const outboundPrivateNetworks = text('OUTBOUND_PRIVATE_NETWORKS')
    .split(',')
    .map((network) => network.trim())
    .filter(Boolean)
    .map((said) => {
      const network = readNetwork(said);
      if (typeof network !== 'string') return network;
      throw new Failure(
        'invalid',
        `OUTBOUND_PRIVATE_NETWORKS must hold networks such as 10.7.0.0/16: ${said} ${network}`,
      );
    });
  const databaseUrl = text('DATABASE_URL') || null;
  const databaseOwnerUrl = text('DATABASE_OWNER_URL') || null;
  // The address may hold a password, so the message does not repeat it.
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl }))
    if (url !== null && !databaseAddress.test(url))
      throw new Failure('invalid', `${name} must be an address such as postgres://user:password@host:5432/database`);
  if (databaseOwnerUrl !== null && databaseUrl === null)
    throw new Failure('invalid', 'DATABASE_OWNER_URL is of the database that DATABASE_URL names: set both');
  const webhookWaitingMax = Number(text('WEBHOOK_MAX_WAITING'));
  if (!Number.isInteger(webhookWaitingMax) || webhookWaitingMax < 1)
    throw new Failure(
      'invalid',
      `WEBHOOK_MAX_WAITING must be a whole number from 1, not ${text('WEBHOOK_MAX_WAITING')}`,
    );
  const smtpUrl = text('SMTP_URL') || null;
  // It may hold a password, so the message does not repeat it.
  if (smtpUrl !== null && !(/^smtps?:\/\//.test(smtpUrl) && URL.canParse(smtpUrl)))
    throw new Failure('invalid', 'SMTP_URL must be an address such as smtps://user:password@mail.example.com');
  const smtpSilenceSeconds = Number(text('SMTP_SILENCE_SECONDS'));
  if (!(smtpSilenceSeconds > 0 && smtpSilenceSeconds <= smtpSilenceSecondsMax))
    throw new Failure(
      'invalid',
      `SMTP_SILENCE_SECONDS must be a number above 0, at most ${smtpSilenceSecondsMax}, not ${text('SMTP_SILENCE_SECONDS')}`,
    );
  const unsubscribeAddress = text('UNSUBSCRIBE_ADDRESS') || null;
  if (unsubscribeAddress !== null && !/^[!-;=?-~]+@[a-z0-9.-]+$/i.test(unsubscribeAddress))
    throw new Failure(
      'invalid',
      `UNSUBSCRIBE_ADDRESS must be a mail address such as unsubscribe@example.com, not ${unsubscribeAddress}`,
    );
  const dnsServers = text('DNS_SERVERS')
    .split(',')
    .map((server) => server.trim())
    .filter(Boolean);
  for (const server of dnsServers)
    if (!isServer(server))
      throw new Failure(
        'invalid',
        `DNS_SERVERS must hold addresses such as 192.0.2.53 or [2001:db8::53]:53, not ${server}`,
      );
  const personalMailDomains = text('PERSONAL_MAIL_DOMAINS')
    .split(',')
    .map((domain) => domain.trim().toLowerCase())
    .filter(Boolean);
  for (const domain of personalMailDomains)
    if (!/^-?[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
      throw new Failure(
        'invalid',
        `PERSONAL_MAIL_DOMAINS must hold domains such as example.com or -example.com, not ${domain}`,
      );
  const dataDir = resolve(text('LASTRO_DATA_DIR'));
  const { train } = taskBudgets({ computeMemoryMb, computeProcesses, budgetFactor });
  return {
    port,
    host: text('HOST'),
    sftpPort: portOrNone('SFTP_PORT'),
    sftpProxyProtocol: proxyProtocol === '1',
    metricsPort: portOrNone('METRICS_PORT'),
    dataDir,
    demo: demo === '1',
    dashboardDir: resolve(text('LASTRO_DASHBOARD_DIR') || dashboardBuild),
    databaseUrl,
    databaseOwnerUrl,
    storageUrl: text('STORAGE_URL') || resolve(dataDir, 'files'),
    publicUrl,
    drainMs: drain === '' ? null : 1_000 * drainSeconds,
    masterSecret: text('LASTRO_MASTER_SECRET') || null,
    trustedProxies,
    outboundPrivateNetworks,
    webhookAllowHttp: allowHttp === '1',
    webhookScheduleMs: readSchedule(text('WEBHOOK_RETRY_SCHEDULE')),
    webhookWaitingMax,
    computeProcesses,
    trainingThreads: readTrainingThreads(environment, train.memoryMb),
    computeMemoryMb,
    servingMemoryMb,
    budgetFactor,
    smtpUrl,
    mailFrom: text('MAIL_FROM'),
    smtpSilenceMs: 1_000 * smtpSilenceSeconds,
    unsubscribeAddress,
    personalMailDomains,
    dnsServers,
    auditRetentionDays: keptDays('LASTRO_AUDIT_RETENTION_DAYS', auditDaysMin, false),
    retentionDays: {
      predictions: keptDays('LASTRO_PREDICTION_RETENTION_DAYS', predictionDaysMin),
      batches: keptDays('LASTRO_BATCH_RETENTION_DAYS', batchDaysMin),
      events: keptDays('LASTRO_EVENT_RETENTION_DAYS', eventDaysMin),
    },
    replaySample,
    requestsPerMinute: perMinute('LASTRO_REQUESTS_PER_MINUTE'),
    workspacePerMinute: {
      real_time: perMinute('LASTRO_WORKSPACE_REAL_TIME_PER_MINUTE'),
      other: perMinute('LASTRO_WORKSPACE_REQUESTS_PER_MINUTE'),
    },
    tracing: readTracing(text),
    logLevel,
  };
}

/** Reads where traces go, by the names that OpenTelemetry gives such settings. Throws Failure 'invalid'. */
function readTracing(text: (name: string) => string): Config['tracing'] {
  const endpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === '') return null;
  if (!(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
    throw new Failure(
      'invalid',
      `OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318, not ${endpoint}`,
    );
  const share = Number(text('OTEL_TRACES_SAMPLER_ARG'));
  if (!(share >= 0 && share <= 1))
    throw new Failure(
      'invalid',
      `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${text('OTEL_TRACES_SAMPLER_ARG')}`,
    );
  const headers = readHeaders(text('OTEL_EXPORTER_OTLP_HEADERS'));
  return { endpoint, headers, serviceName: text('OTEL_SERVICE_NAME'), share };
}

/** Reads a secret from the file that `<name>_FILE` names; empty where it names none. Throws Failure 'invalid'. */
function textOfFile(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  const file = environment[`${name}_FILE`] || '';
  if (file === '') return '';
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Failure('invalid', `${name}_FILE must name a file that can be read, not ${file}`, { cause });
  }
}

/** Reads headers such as `api-key=…,other=…`, whose values are as in addresses. Throws Failure 'invalid'. */
function readHeaders(said: string): Readonly<Record<string, string>> {
  try {
    const pairs = said.split(',').filter((pair) => pair.trim() !== '');
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name, value] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair)!;
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    // They may hold a key, so the message does not repeat them.
    throw new Failure('invalid', 'OTEL_EXPORTER_OTLP_HEADERS must be like api-key=…,other=…');
  }
}

/** The memory of this machine, or of the container if it is limited to less, in MB. */
function machineMemoryMb(): number {
  const constrained = process.constrainedMemory();
  return (constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()) / 2 ** 20;
}

/** Reads a port number; 0 is any free port. Throws Failure 'invalid'. */
function readPort(name: string, said: string): number {
  const port = Number(said);
  if (said.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Failure('invalid', `${name} must be a port number, not ${said}`);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const attemptsMax = 30;

/** Reads delays such as `0s,5s,2m`, in milliseconds. Throws Failure 'invalid'. */
function readSchedule(said: string): readonly number[] {
  const delays = said.split(',').map((text) => {
    const [, amount, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(text.trim()) ?? [];
    return amount === undefined ? Number.NaN : Number(amount) * unitMs[unit!]!;
  });
  if (delays.length <= attemptsMax && !delays.some(Number.isNaN)) return delays;
  throw new Failure(
    'invalid',
    `WEBHOOK_RETRY_SCHEDULE must hold at most ${attemptsMax} delays such as 0s,5s,2m, not ${said}`,
  );
}

/** Whether a text is an IP address or a network in CIDR notation: 10.0.0.0/8, 2001:db8::/32. */
function isNetwork(text: string): boolean {
  const [address, bits, ...rest] = text.split('/');
  const version = isIP(address!);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Whether a text is the address of a server, with or without a port. */
function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, host, port] = /^(?:\[([^\]]+)\]|[^:]+):(\d{1,5})$/.exec(text) ?? [];
  return port !== undefined && Number(port) <= 65_535 && isIP(host ?? text.slice(0, text.lastIndexOf(':'))) !== 0;
}
