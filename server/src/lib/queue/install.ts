import pg from 'pg';
import { type Db as BossDb, PgBoss } from 'pg-boss';
import { type Connection, openDb } from '../db/db.ts';
import { withClient } from '../db/migrate.ts';
import { claimSchema } from './claim.ts';

const jobHoursMax = 12;
const retriesMax = 8;
const retryDelayMaxSeconds = 60;
/** The least that pg-boss allows. The workers notice a dead worker sooner; this is for when no worker is left. */
const heartbeatSeconds = 10;
/** How long done jobs are kept. Nobody needs them: what they did is in the tables of their senders. */
const keepDoneSeconds = 3_600;

export type Installation = {
  readonly queues: readonly string[];
  /** Database roles that may queue jobs within their transactions; they may read no jobs. */
  readonly roles: readonly string[];
  /** The login that fetches and settles jobs. */
  readonly login: string;
};

/**
 * Creates or updates pg-boss's schema and the queues. `owner` connects as the owner of the database. Processes that
 * start together take turns.
 */
export async function install(owner: Connection, { queues, roles, login }: Installation): Promise<void> {
  await withClient(owner, async (client) => {
    await client.query("select pg_advisory_lock(hashtext('lastro queue'))");
    await withBoss(owner, async (boss) => {
      for (const name of queues) await ensureQueue(boss, name);
    });
    // Every two seconds the workers look for jobs without a heartbeat: few active jobs among many done ones.
    await client.query("create index if not exists active_jobs on pgboss.job_common (name) where state = 'active'");
    await client.query(claimSchema);
    const worker = pg.escapeIdentifier(login);
    await client.query(`grant usage on schema pgboss to ${worker}`);
    await client.query(`grant select, insert, update, delete on all tables in schema pgboss to ${worker}`);
    for (const role of roles) {
      await client.query(`grant usage on schema pgboss to ${role}`);
      await client.query(`grant select on pgboss.queue to ${role}`);
      await client.query(`grant insert, select (id, start_after) on pgboss.job_common to ${role}`);
    }
  });
}

async function withBoss(owner: Connection, work: (boss: PgBoss) => Promise<void>): Promise<void> {
  const { pool, close } = openDb(owner, { max: 1 });
  const db: BossDb = { executeSql: (text, values) => pool.query(text, values) };
  const boss = new PgBoss({ db, schedule: false, supervise: false });
  boss.on('error', () => {});
  try {
    await boss.start();
    await work(boss);
  } finally {
    await boss.stop({ graceful: false });
    await close();
  }
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
