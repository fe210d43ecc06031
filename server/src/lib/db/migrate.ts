import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Failure } from '../failure.ts';

/** Held while migrations run: processes that start together take turns. */
const lockKey = 7_201_177;

/**
 * Applies the `NNNN-name.sql` files of a folder that have not been applied yet, in order, each in a transaction.
 * Returns the names applied. Throws Failure 'conflict' when a file that was applied has changed since.
 */
export async function migrate(connection: pg.ClientConfig, folder: string): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations');
    const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
    const done: string[] = [];
    for (const { name, text, sha256 } of migrationsIn(folder)) {
      const before = applied.get(name);
      if (before === sha256) continue;
      if (before !== undefined)
        throw new Failure(
          'conflict',
          `migration ${name} was applied as it was and has changed since: add a new one instead`,
        );
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
      done.push(name);
    }
    return done;
  } finally {
    await client.end();
  }
}

/** The migrations of a folder in order, with the SHA-256 of each. */
export function migrationsIn(folder: string): { name: string; text: string; sha256: string }[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    });
}
