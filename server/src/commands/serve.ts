import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, system } from '../access/transactions.ts';
import { type Role, type Service, startService } from '../app.ts';
import { type Config, dashboardBuild, readConfig } from '../config.ts';
import { mailFolder } from '../installation.ts';
import { writeAddress } from './address.ts';
import { buildDashboard } from './build-dashboard.ts';
import { seedDemo } from './seed-demo.ts';
import { stopSignal } from './stop-signal.ts';

export const serveRoles: readonly string[] = ['all', 'api', 'worker', 'sftp'];
/** An API process has others beside it, among which a balancer chooses; Kubernetes and others ask every few seconds. */
const drainUsualMs: Readonly<Partial<Record<Role, number>>> = { api: 5_000 };

/** That of a start on the database of a newer release, which would be the next of this one. */
const supersededExit = 2;

/**
 * Runs the service in a role until the process is told to stop, or a newer release has migrated its database. Returns
 * the exit code.
 */
export async function serveCommand(role: Role, say: (line: string) => void): Promise<number> {
  const config = readConfig();
  const stop = stopSignal();
  // The service continues when nobody reads its output any more.
  process.stderr.on('error', () => {});
  say(`starting in ${config.dataDir}`);
  const service = await startService(config, role);
  if (service.http) writeAddress(config.dataDir, service.url);
  if (service.http) say(`Lastro answers at ${service.url}`);
  if (service.sftpPort !== null) say(`SFTP answers at ${config.host}:${service.sftpPort}`);
  if (service.metricsPort !== null) say(`metrics answer at ${config.host}:${service.metricsPort}`);
  if (role === 'worker') say('taking jobs');
  if (config.smtpUrl === null && role !== 'api' && role !== 'sftp')
    say(`mails are written to ${mailFolder(config)}: SMTP_URL names no server for them`);
  if (!config.demo && (await isEmpty(service.app.db)))
    say(
      `it has no keys yet; make the first: ${settingsOf(config)}npm run -s lastro -- admin bootstrap --organization <name> --email <address>`,
    );
  const stopping = new AbortController();
  // Who names a folder of their own builds it too.
  const builds = role === 'all' && config.dashboardDir === dashboardBuild;
  const building = builds ? buildDashboard(service.dashboard!, say, stopping.signal) : Promise.resolve();
  const seeding =
    role === 'all' && config.demo ? seed(service, config.dataDir, say, stopping.signal) : Promise.resolve();
  const superseded = service.superseded.then((migration) => ({ migration }));
  const told = await Promise.race([stop, superseded]);
  const name = typeof told === 'string' ? told : `a newer release has migrated the database (${told.migration})`;
  stopping.abort();
  const drainMs = config.drainMs ?? drainUsualMs[role] ?? 0;
  if (service.http && name === 'SIGTERM' && drainMs > 0) {
    say(`${name}: not ready any more, answering for ${drainMs / 1_000} s`);
    service.leave();
    await sleep(drainMs);
  }
  say(`${name}: finishing what is in flight`);
  await service.close();
  await Promise.all([building, seeding]);
  return typeof told === 'string' ? 0 : supersededExit;
}

/** The settings by which a command finds the data of this service. */
function settingsOf({ dataDir, databaseUrl }: Config): string {
  return databaseUrl === null ? `LASTRO_DATA_DIR=${dataDir} ` : '';
}

async function isEmpty(db: Database): Promise<boolean> {
  return system(
    db,
    'start',
    async (tx) => !(await tx.selectFrom('organizations').select('id').limit(1).executeTakeFirst()),
  );
}

async function seed(service: Service, dataDir: string, say: (line: string) => void, stop: AbortSignal): Promise<void> {
  try {
    await seedDemo(service, dataDir, say, stop);
  } catch (error) {
    if (stop.aborted) return;
    say(
      `error: the demo workspace is not ready: ${error instanceof Error ? error.message : String(error)}; start again to go on`,
    );
  }
}
