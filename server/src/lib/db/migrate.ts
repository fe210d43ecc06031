// Migrations: plain SQL files, applied in order, once each. A file that was applied is never edited: a database made
// before the edit would differ from one made after it.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { assert, Failure } from '../failure.ts';
import type { Connection } from './db.ts';
import { nameFailure, nameRefusal } from './failures.ts';
import { ensureRoles } from './roles.ts';

/** How long to wait for another process that is migrating. */
const lockTimeoutMs = 600_000;
const connectTimeoutMs = 10_000;

export type Migration = { readonly name: string; readonly sql: string; readonly sha256: string };

/**
 * Migrates the database to the newest file of `folder` (`0001-what-it-does.sql`, numbered without gaps), or to the
 * `until`-th, one transaction per file. First creates the two roles if they are missing. Processes that migrate at the
 * same time take turns. Returns the names of the files it applied. Throws `Failure('conflict')` when a newer release
 * has migrated it or an applied file is another here, `Failure('invalid')` when the database does not let this user
 * connect or create roles, and `Failure('unavailable')` when it does not answer.
 */
export async function migrate(
  connection: Connection,
  folder: string,
  { until = Number.POSITIVE_INFINITY }: { readonly until?: number } = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return withClient(connection, async (client) => {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    // The session holds this lock, so it spans the transactions and ends with the session.
    await client.query("select pg_advisory_lock(hashtext('lastro migrations'))");
    await ensureRoles(client);
    await client.query(`create table if not exists migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
    // A process that runs looks whether a newer release has migrated.
    await client.query('grant select on migrations to lastro_system');
    const { rows } = await client.query<Omit<Migration, 'sql'>>('select name, sha256 from migrations order by name');
    refuseOtherHistory(rows, migrations);
    const pending = migrations.slice(rows.length, until);
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  }).catch((error) => {
    throw nameRefusal(error);
  });
}

/** The files of a folder in order, with their hashes. Line ends are normalized: a checkout may have changed them. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = String(index + 1).padStart(4, '0');
      assert(/^\d{4}-[a-z0-9-]+\.sql$/.test(name) && name.startsWith(number), `${name} is migration ${number}`);
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function refuseOtherHistory(applied: readonly Omit<Migration, 'sql'>[], migrations: readonly Migration[]): void {
  for (const [index, { name, sha256 }] of applied.entries()) {
    const here = migrations[index];
    if (here === undefined)
      throw new Failure(
        'conflict',
        `The database belongs to a newer release of this program, which has brought it up to ${applied.at(-1)!.name}; the newest that this one knows is ${migrations.at(-1)?.name ?? 'none'}. Run the newer release; to go back to this one, restore a backup that was made before.`,
      );
    if (here.name !== name)
      throw new Failure(
        'conflict',
        `The database was made by another version of this program, which had ${name} where this one has ${here.name}. Run that version, or start on an empty database.`,
      );
    if (here.sha256 !== sha256)
      throw new Failure(
        'conflict',
        `The database was made by another version of this program, whose ${name} differs. Run that version, or start on an empty database; who changed the file puts it back and writes a new one.`,
      );
  }
}

async function apply(client: pg.Client, { name, sql, sha256 }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => {});
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`migration ${name} failed: ${why}`, { cause: nameFailure(cause) });
  }
}

/** A connection of its own. */
export type Client = pg.Client;

/** Runs `work` on a new connection of the database's owner. Turns errors of a lost connection into Failures. */
export async function withClient<R>(connection: Connection, work: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw nameFailure(error);
  } finally {
    await client.end().catch(() => {});
  }
}
