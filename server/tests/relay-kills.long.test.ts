/** kill -9 of processes that relay events, at random moments: each event reaches each reader once, in order. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../src/access/context.ts';
import { type Database, tenant } from '../src/access/transactions.ts';
import { openDb } from '../src/lib/db/db.ts';
import { record } from '../src/trail/record.ts';
import { draws } from './samples.ts';
import { createTestDatabase, type TestDatabase } from './support/samples/lib-db.ts';

const eventsPlanned = 10_000;
const killsPlanned = 20;
const processes = 2;
const writers = 6;
const resources = 40;
const seed = 20_261_123;

const ctx = systemContext({ organizationId: 'org_1', workspaceId: 'ws_1', timeZone: 'UTC', language: 'en' });
const draw = draws(seed);
let database: TestDatabase;
let db: Database;
const relays = new Set<ChildProcess>();

beforeAll(async () => {
  database = await createTestDatabase(join(import.meta.dirname, '../src/schema'));
  db = openDb(database.connection, { max: writers + 1 });
  for (const statement of [
    sql`insert into organizations (id, name) values ('org_1', 'One')`,
    sql`insert into workspaces (id, organization_id, name) values ('ws_1', 'org_1', 'One')`,
    sql`create table noted (event_id text not null, at bigserial)`,
    sql`grant insert on noted to lastro_system`,
    sql`grant usage on sequence noted_at_seq to lastro_system`,
  ])
    await statement.execute(db.kysely);
});
afterAll(async () => {
  for (const relay of relays) relay.kill('SIGKILL');
  await db.close();
  await database.drop();
});

/** Starts a process and resolves once it relays. */
async function startRelay(): Promise<void> {
  const script = join(import.meta.dirname, 'relay-process.ts');
  const relay = spawn(process.execPath, [script, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  relays.add(relay);
  await once(relay.stdout!, 'data');
}

/**
 * Transactions of one to four events, which take their time, and of which some are given up. Returns how many were
 * kept.
 */
async function write(most: number, isAhead: () => boolean, tell: (kept: number) => void): Promise<number> {
  let kept = 0;
  while (kept < most) {
    // Slowly where kills have fallen behind, so that each of them meets a relay at work.
    if (isAhead()) await sleep(100);
    const ids = Array.from(
      { length: Math.min(draw.between(1, 4), most - kept) },
      () => `run_${draw.between(1, resources)}`,
    );
    const isGivenUp = draw.next() < 0.1;
    await tenant(db, ctx, async (tx) => {
      // In one order, so that two do not wait for each other.
      for (const id of ids.sort())
        await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status: 'running' });
      if (draw.next() < 0.2) await sleep(draw.next() * 30);
      if (isGivenUp) throw new Error('given up');
    }).then(
      () => {
        kept += ids.length;
        tell(ids.length);
      },
      (error: Error) => {
        if (error.message !== 'given up') throw error;
      },
    );
  }
  return kept;
}

async function count(table: 'noted' | 'event_feed'): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db.kysely);
  return rows[0].count;
}

test(`${eventsPlanned} events under ${killsPlanned} kills reach each reader once, in the order of each resource`, async () => {
  for (let i = 0; i < processes; i++) await startRelay();
  const began = performance.now();
  const killedAt: number[] = [];
  let isWritten = false;
  let keptInAll = 0;
  const isAhead = () => keptInAll / eventsPlanned > (killedAt.length + 1) / (killsPlanned + 1);
  const tell = (kept: number) => void (keptInAll += kept);
  const writing = Promise.all(
    Array.from({ length: writers }, (_, i) => write(Math.floor((eventsPlanned + i) / writers), isAhead, tell)),
  )
    .then((kept) => kept.reduce((sum, each) => sum + each))
    .finally(() => {
      isWritten = true;
    });
  while (killedAt.length < killsPlanned) {
    // While events are still written, and at different places of the work.
    await sleep(50 + draw.next() * 400);
    if (isWritten) break;
    const victim = draw.pick([...relays]);
    relays.delete(victim);
    killedAt.push(await count('noted'));
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    await startRelay();
  }
  const written = await writing;
  const writtenMs = performance.now() - began;
  while ((await count('noted')) < written || (await count('event_feed')) < written) await sleep(20);
  const relayedMs = performance.now() - began;
  console.log({ written, killedAt, writtenMs: Math.round(writtenMs), relayedMs: Math.round(relayedMs) });
  expect(written).toBe(eventsPlanned);
  expect(killedAt).toHaveLength(killsPlanned);

  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from events) as events, (select max(position) from events) as newest,
      (select count(*) from noted) as noted, (select count(distinct event_id) from noted) as distinct_noted,
      (select count(*) from event_feed) as fed,
      (select count(*) from event_feed join events on id = event_id
        where event_feed.position <> events.position) as misplaced,
      -- Both have come to the end: nothing is left that could come twice.
      (select count(*) from event_readers where position = ${eventsPlanned}) as done`.execute(db.kysely);
  const all = eventsPlanned;
  expect(rows[0]).toEqual({
    events: all,
    newest: all,
    noted: all,
    distinct_noted: all,
    fed: all,
    misplaced: 0,
    done: 2,
  });
  for (const order of [sql.ref('noted.at'), sql.ref('events.position')]) {
    const { rows: unordered } = await sql`
      select * from (
        select resource_id, sequence, row_number() over (partition by resource_id order by ${order}) as came
        from events join noted on noted.event_id = events.id) as told
      where came <> sequence`.execute(db.kysely);
    expect(unordered).toEqual([]);
  }
});
