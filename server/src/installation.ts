// What an installation is made of, before anything is opened in it: its database, its folders, its master secret.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import { deriveKey, openMasterSecret, parseMasterSecret } from './lib/crypto/secrets.ts';
import type { Connection } from './lib/db/db.ts';
import { type Logger, openLog } from './lib/http/log.ts';
import { launchPostgres, type Postgres } from './lib/postgres/launch.ts';

export const schemaFolder = fileURLToPath(new URL('schema', import.meta.url));

/** The database of an installation as its owner sees it, and the master secret. */
export type Installation = {
  readonly owner: Connection;
  /** Whether the server is ours, started from npm. */
  readonly isEmbedded: boolean;
  readonly master: Uint8Array;
  close(): Promise<void>;
};

/** Starts the embedded database where none is named, or joins it where it runs. */
export async function openInstallation(config: Config, log = openLog(config.logLevel)): Promise<Installation> {
  await makeDataFolder(config);
  const postgres = config.databaseUrl === null ? await startPostgres(config, log) : null;
  // What this process writes from here on holds customers' data and secrets, and is for its user alone.
  process.umask(0o077);
  try {
    const master =
      config.masterSecret === null
        ? await openMasterSecret(secretFile(config))
        : parseMasterSecret(config.masterSecret);
    const owner = postgres?.connection ?? { connectionString: config.databaseOwnerUrl ?? config.databaseUrl! };
    return { owner, isEmbedded: postgres !== null, master, close: async () => postgres?.close() };
  } catch (error) {
    await postgres?.close();
    throw error;
  }
}

/** The master secret of an installation that is given none. */
export function secretFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'secret');
}

/** Tells a master secret from others, and nothing of it. */
export function fingerprintOf(master: Uint8Array): string {
  return Buffer.from(deriveKey(master, 'fingerprint')).toString('hex');
}

/** Where mails lie when no server is named for them. */
export function mailFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'mails');
}

/** Makes the folder of the data unless it is there, for this user alone. */
async function makeDataFolder({ dataDir, databaseUrl }: Config): Promise<void> {
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // The database of root is run by another user, who must pass through.
  if (made !== undefined && databaseUrl === null && process.getuid?.() === 0) await chmod(dataDir, 0o711);
}

/** Where the embedded database lies, or what leads to it, once it has been started. */
export function postgresFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'postgres');
}

function startPostgres(config: Config, log: Logger): Promise<Postgres> {
  return launchPostgres({ dataDir: postgresFolder(config), log: (line) => log.debug({ postgres: line }) });
}
