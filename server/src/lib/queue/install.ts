import type { PgBoss } from 'pg-boss';
import type { Connection } from '../db/db.ts';
import { withClient } from '../db/migrate.ts';

const jobHoursMax = 12;
const retriesMax = 8;
const retryDelayMaxSeconds = 60;
/** The least that pg-boss allows. The workers notice a dead worker sooner; this is for when no worker is left. */
const heartbeatSeconds = 10;
/** How long done jobs are kept. Nobody needs them: what they did is in the tables of their senders. */
const keepDoneSeconds = 3_600;

/**
 * Creates or updates pg-boss's schema and the queues, and starts its upkeep. Processes that start together take turns.
 */
export async function install(
  connection: Connection,
  boss: PgBoss,
  queues: readonly string[],
  roles: readonly string[],
): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query("select pg_advisory_lock(hashtext('lastro queue'))");
    await boss.start();
    for (const name of queues) await ensureQueue(boss, name);
    // Every two seconds the workers look for jobs without a heartbeat: few active jobs among many done ones.
    await client.query("create index if not exists active_jobs on pgboss.job_common (name) where state = 'active'");
    for (const role of roles) {
      await client.query(`grant usage on schema pgboss to ${role}`);
      await client.query(`grant select on pgboss.queue to ${role}`);
      await client.query(`grant insert, select (id, start_after) on pgboss.job_common to ${role}`);
    }
  });
}

async function ensureQueue(boss: PgBoss, name: string): Promise<void> {
  const options = {
    expireInSeconds: jobHoursMax * 3_600,
    heartbeatSeconds,
    retryLimit: retriesMax,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    deleteAfterSeconds: keepDoneSeconds,
  };
  if (await boss.getQueue(name)) await boss.updateQueue(name, options);
  else await boss.createQueue(name, { ...options, policy: 'short' });
}
