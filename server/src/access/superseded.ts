import { sql } from 'kysely';
import type { Repeated } from '../lib/repeat.ts';
import { type Database, system } from './transactions.ts';

/** How long a process may go on after a newer release has migrated its database. */
const everyMs = 5_000;

/**
 * Watches the database that this process has just migrated. `superseded` resolves, with the name of its newest
 * migration, once a newer release has brought it further; `watch` looks for that, repeated.
 */
export async function openReleaseWatch(
  db: Database,
): Promise<{ readonly superseded: Promise<string>; readonly watch: Repeated }> {
  const own = await newestMigration(db);
  const { promise: superseded, resolve } = Promise.withResolvers<string>();
  const run = async (): Promise<void> => {
    const newest = await newestMigration(db);
    if (newest > own) resolve(newest);
  };
  return { superseded, watch: { name: 'watch for a newer release', everyMs, run } };
}

async function newestMigration(db: Database): Promise<string> {
  const { rows } = await system(db, 'start', (tx) =>
    sql<{ name: string }>`select name from migrations order by name desc limit 1`.execute(tx),
  );
  return rows[0].name;
}
