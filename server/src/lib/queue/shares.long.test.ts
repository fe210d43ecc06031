/** The service that groups get of one queue, against their weights, with jobs of all lengths in two processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws } from '../../../tests/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/samples/lib-db.ts';
import { type Db, openDb } from '../db/db.ts';
import { withClient } from '../db/migrate.ts';
import { ensureRoles } from '../db/roles.ts';
import { openQueue, type Queue } from './queue.ts';

const name = 'shares';
const groups = Array.from({ length: 20 }, (_, at) => ({ id: `tenant-${at}`, weight: 1 + (at % 4) }));
/** Of each group more than it gets a turn for, so that every group has jobs waiting to the end. */
const jobsEach = 1_500;
const seconds = 180;
/** Of each process. */
const concurrency = 4;
const shareErrorMax = 0.1;
const seed = 20_261_128;

let database: TestDatabase;
let db: Db<unknown>;
let queues: Queue[];

beforeAll(async () => {
  database = await createTestDatabase();
  await withClient(database.connection, ensureRoles);
  db = openDb(database.connection, { max: 4 });
  queues = await Promise.all(
    [0, 1].map(() =>
      openQueue(database.connection, { log: { warn: () => {} }, queues: [name], roles: ['lastro_app'] }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.close()));
  await db.close();
  await database.drop();
});

test('twenty groups with jobs of all lengths get what their weights say, within a tenth', async () => {
  const draw = draws(seed);
  for (const { id, weight } of groups) {
    await queues[0].weigh(id, weight);
    // Some send many short jobs, others few long ones: what counts is the time, not the turns.
    const usualMs = draw.pick([120, 300, 700]);
    await sql`insert into pgboss.job (name, data, policy, singleton_key, group_id, retry_limit)
      select ${name}, jsonb_build_object('group', ${id}::text, 'ms', ${usualMs}::int * (0.5 + n % 11 / 10.0)),
        'short', gen_random_uuid(), ${id}, 8 from generate_series(1, ${jobsEach}::int) as n`.execute(db.kysely);
  }
  const served = new Map(groups.map(({ id }) => [id, 0]));
  for (const queue of queues)
    await queue.work(name, { concurrency, perGroup: 2 }, async (data) => {
      const { group, ms } = data as { readonly group: string; readonly ms: number };
      const began = performance.now();
      await sleep(ms);
      served.set(group, served.get(group)! + performance.now() - began);
    });
  await sleep(seconds * 1_000);
  const taken = new Map(served);
  const all = [...taken.values()].reduce((sum, one) => sum + one);
  const weights = groups.reduce((sum, { weight }) => sum + weight, 0);
  const errors = groups.map(({ id, weight }) => taken.get(id)! / all / (weight / weights) - 1);
  console.log('shares against weights', errors.map((error) => error.toFixed(3)).join(' '));
  const { rows } = await sql<{ left: number }>`select count(distinct group_id) as left from pgboss.job_common
    where name = ${name} and state < 'active'`.execute(db.kysely);
  expect(Number(rows[0].left), 'every group had jobs to the end').toBe(groups.length);
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(shareErrorMax);
});
