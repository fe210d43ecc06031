import { isIP } from 'node:net';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { Failure } from './lib/failure.ts';

/** Every setting. Only this file reads the environment. */
export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly demo: boolean;
  /** The address of the PostgreSQL to use; null starts the embedded one under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly storageUrl: string;
  readonly publicUrl: string | null;
  readonly masterSecret: string | null;
  readonly trustedProxies: readonly string[];
  readonly computeProcesses: number;
  /** The limit per key in one process; 0 for no limit. */
  readonly requestsPerMinute: number;
  readonly logLevel: string;
};

type Setting = { readonly name: string; readonly fallback: string; readonly about: string };

/** The settings, as the table in the docs shows them. */
export const settings: readonly Setting[] = [
  { name: 'PORT', fallback: '4000', about: 'Where the service listens.' },
  { name: 'HOST', fallback: '127.0.0.1', about: 'The address it listens on; 0.0.0.0 for every one of the machine.' },
  {
    name: 'LASTRO_DATA_DIR',
    fallback: './data',
    about: 'Folder of the embedded database, of stored files and secrets.',
  },
  { name: 'LASTRO_DEMO', fallback: '1', about: '1 fills a demo workspace on the first start, 0 starts empty.' },
  { name: 'DATABASE_URL', fallback: '', about: 'PostgreSQL 15 or later to use instead of the embedded one.' },
  {
    name: 'STORAGE_URL',
    fallback: '',
    about: 'Where files are kept: a folder, or s3://bucket/prefix?endpoint=…&region=….',
  },
  { name: 'PUBLIC_URL', fallback: '', about: 'How callers reach the service; http://localhost:PORT by default.' },
  {
    name: 'LASTRO_MASTER_SECRET',
    fallback: '',
    about:
      '64 hex digits from which all keys derive, the same for all processes on a database; a file in the data folder by default.',
  },
  {
    name: 'TRUSTED_PROXIES',
    fallback: '',
    about: 'Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For is believed, with commas.',
  },
  {
    name: 'LASTRO_COMPUTE_PROCESSES',
    fallback: '',
    about:
      'How many processes ingest and train at once, and how many score; there is one more than this, so that scoring waits for neither. One less than the cores, at least one, by default.',
  },
  {
    name: 'LASTRO_REQUESTS_PER_MINUTE',
    fallback: '600000',
    about: 'How many requests one key may send to one process in a minute; 0 for no limit.',
  },
  { name: 'LOG_LEVEL', fallback: 'warn', about: 'fatal, error, warn, info, debug, trace or silent.' },
];

const logLevels: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** What the PostgreSQL driver accepts: a URL, or the folder of a socket. */
const databaseAddress = /^(postgres(ql)?:\/\/|socket:|\/)/;

/** Reads the settings. Throws Failure 'invalid' whose message names the setting that cannot be used. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const text = (name: string): string => {
    const setting = settings.find((known) => known.name === name)!;
    return environment[name] || setting.fallback;
  };
  const port = Number(text('PORT'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Failure('invalid', `PORT must be a port number, not ${text('PORT')}`);
  const demo = text('LASTRO_DEMO');
  if (demo !== '0' && demo !== '1') throw new Failure('invalid', `LASTRO_DEMO must be 0 or 1, not ${demo}`);
  const processes = text('LASTRO_COMPUTE_PROCESSES');
  const computeProcesses = processes === '' ? Math.max(1, cpus().length - 1) : Number(processes);
  if (!Number.isInteger(computeProcesses) || computeProcesses < 1)
    throw new Failure('invalid', `LASTRO_COMPUTE_PROCESSES must be a whole number from 1, not ${processes}`);
  const requestsPerMinute = Number(text('LASTRO_REQUESTS_PER_MINUTE'));
  if (!Number.isInteger(requestsPerMinute) || requestsPerMinute < 0)
    throw new Failure(
      'invalid',
      `LASTRO_REQUESTS_PER_MINUTE must be a whole number from 0, not ${text('LASTRO_REQUESTS_PER_MINUTE')}`,
    );
  const logLevel = text('LOG_LEVEL');
  if (!logLevels.includes(logLevel))
    throw new Failure('invalid', `LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${logLevel}`);
  const publicUrl = text('PUBLIC_URL').replace(/\/+$/, '') || null;
  if (publicUrl !== null && !(/^https?:\/\//.test(publicUrl) && URL.canParse(publicUrl)))
    throw new Failure('invalid', `PUBLIC_URL must be an address such as https://lastro.example.com, not ${publicUrl}`);
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
  const databaseUrl = text('DATABASE_URL') || null;
  // The address may hold a password, so the message does not repeat it.
  if (databaseUrl !== null && !databaseAddress.test(databaseUrl))
    throw new Failure('invalid', 'DATABASE_URL must be an address such as postgres://user:password@host:5432/database');
  const dataDir = resolve(text('LASTRO_DATA_DIR'));
  return {
    port,
    host: text('HOST'),
    dataDir,
    demo: demo === '1',
    databaseUrl,
    storageUrl: text('STORAGE_URL') || resolve(dataDir, 'files'),
    publicUrl,
    masterSecret: text('LASTRO_MASTER_SECRET') || null,
    trustedProxies,
    computeProcesses,
    requestsPerMinute,
    logLevel,
  };
}

/** Whether a text is an IP address or a network in CIDR notation: 10.0.0.0/8, 2001:db8::/32. */
function isNetwork(text: string): boolean {
  const [address, bits, ...rest] = text.split('/');
  const version = isIP(address!);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
