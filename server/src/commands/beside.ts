import { existsSync } from 'node:fs';
import { type Service, startService } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { postgresFolder } from '../installation.ts';
import { Failure } from '../lib/failure.ts';
import { readAddress } from './address.ts';

/** Where a command of the operator writes: what it returns, and lines for whoever runs it. */
export type Told = { write(text: string): unknown; say(line: string): void };

const probeTimeoutMs = 2_000;

/**
 * Runs a command of the operator beside a running service, or without one, and writes what it returns as JSON; says
 * first on which data it acts, and which service has them. Returns the exit code. Throws Failure 'invalid' where no
 * service has ever had data, unless the command may begin them (`mayBegin`).
 */
export async function besideService(
  out: Told,
  run: (service: Service) => Promise<unknown>,
  { mayBegin = false } = {},
): Promise<number> {
  const config = readConfig();
  if (!mayBegin) requireData(config);
  await sayWhere(config, out);
  const publicUrl = addressOf(config);
  const service = await startService({ ...config, publicUrl, demo: false }, 'none');
  try {
    out.write(`${JSON.stringify(await run(service), null, 2)}\n`);
    return 0;
  } finally {
    await service.close();
  }
}

/** Throws Failure 'invalid' where no service has ever had data. */
export function requireData(config: Config): void {
  if (config.databaseUrl !== null || existsSync(postgresFolder(config))) return;
  throw new Failure(
    'invalid',
    `no service has had its data in ${config.dataDir} yet, and what is made there would be known to none. Set LASTRO_DATA_DIR to the folder that your service says at its start ("starting in …"); to begin here, before a service starts: admin bootstrap … --new`,
  );
}

/** Where the service of the data answers, or answered last; null when none has. Links that are made lead there. */
function addressOf({ publicUrl, dataDir }: Config): string | null {
  return publicUrl ?? readAddress(dataDir);
}

async function sayWhere(config: Config, { say }: Told): Promise<void> {
  const data = config.databaseUrl === null ? config.dataDir : `the database ${nameOf(config.databaseUrl)}`;
  const address = addressOf(config);
  if (address !== null && (await answers(address)))
    return say(`acting on ${data}, whose service answers at ${address}`);
  const silent =
    address === null ? 'no service has run on it from here' : `its service does not answer at ${address} now`;
  say(`acting on ${data}; ${silent}`);
  const usual = `http://localhost:${config.port}`;
  // A service that callers reach by another address may well be this one.
  const isElsewhere = config.databaseUrl === null && (address === null || /^http:\/\/localhost:/.test(address));
  if (isElsewhere && usual !== address && (await answers(usual)))
    say(
      `warning: the service that answers at ${usual} has its data elsewhere and will know nothing of this: set LASTRO_DATA_DIR to the folder that it says at its start ("starting in …")`,
    );
}

/** Host and name of a database, without its login. */
function nameOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'of DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(probeTimeoutMs) })).ok;
  } catch {
    // Whatever it is that keeps it from answering, it does not answer.
    return false;
  }
}
