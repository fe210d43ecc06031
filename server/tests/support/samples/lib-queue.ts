// A queue for each test of a file, on a database of the file's own.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Db, openDb, transaction } from '../../../src/lib/db/db.ts';
import { withClient } from '../../../src/lib/db/migrate.ts';
import { ensureRoles } from '../../../src/lib/db/roles.ts';
import { openQueue, type Queue, type SendOptions } from '../../../src/lib/queue/queue.ts';
import { createTestDatabase, type TestDatabase } from './lib-db.ts';

export const app = { role: 'lastro_app' };

/** What is there while a test runs. */
export type TestQueue = {
  readonly database: TestDatabase;
  readonly db: Db<unknown>;
  readonly queue: Queue;
  readonly name: string;
  /** What was warned of. */
  readonly warnings: string[];
};

/** Opens a queue of another name before each test of the file, tells `use` of it, and closes it after. */
export function useTestQueue(use: (made: TestQueue) => void) {
  let database: TestDatabase;
  let db: Db<unknown>;
  let made: TestQueue;
  let opened: Queue[];
  let tests = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    await withClient(database.connection, ensureRoles);
    db = openDb(database.connection, { max: 4 });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(async () => {
    opened = [];
    const [name, warnings]: [string, string[]] = [`work-${++tests}`, []];
    made = { database, db, name, warnings, queue: await openAs(name, warnings) };
    use(made);
  });
  afterEach(async () => {
    await Promise.all(opened.map((each) => each.close()));
  });

  async function openAs(name: string, warnings: string[]): Promise<Queue> {
    const log = { warn: (_: object, message: string) => warnings.push(message) };
    const queue = await openQueue(database.connection, { log, queues: [name], roles: ['lastro_app'] });
    opened.push(queue);
    return queue;
  }

  return {
    /** Opens the queue as another process would, within this process. */
    open: () => openAs(made.name, made.warnings),
    send: (data: object, options?: SendOptions) =>
      transaction(db, app, (tx) => made.queue.send(tx, made.name, data, options)),
    async waiting(): Promise<number> {
      const { rows } = await sql<{ count: number }>`select count(*) from pgboss.job
        where name = ${made.name} and state <> 'completed'`.execute(db.kysely);
      return rows[0].count;
    },
  };
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}
