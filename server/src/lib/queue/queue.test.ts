/** Jobs: each is done at least once, and again where its worker fails, dies or loses it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { app, type TestQueue, until, useTestQueue } from '../../../tests/support/samples/lib-queue.ts';
import { transaction } from '../db/db.ts';
import { withClient } from '../db/migrate.ts';

let database: TestQueue['database'];
let db: TestQueue['db'];
let queue: TestQueue['queue'];
let name: TestQueue['name'];
let warnings: TestQueue['warnings'];
const { send, waiting } = useTestQueue((made) => {
  ({ database, db, queue, name, warnings } = made);
});

test('a job exists once its transaction commits, and not when it rolls back', async () => {
  const done: unknown[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (data) => void done.push(data));
  const undone = transaction(db, app, async (tx) => {
    await queue.send(tx, name, { n: 1 });
    throw new RangeError('no');
  });
  await expect(undone).rejects.toThrow(RangeError);
  let committed = false;
  await transaction(db, app, async (tx) => {
    await queue.send(tx, name, { n: 2 });
    await sleep(300);
    expect(done).toEqual([]);
    committed = true;
  });
  await until(() => done.length > 0);
  expect(committed).toBe(true);
  await until(async () => (await waiting()) === 0);
  expect(done).toEqual([{ n: 2 }]);
});

test('who may send may not read what others sent', async () => {
  await send({ secret: 1 });
  const read = transaction(db, app, (tx) => sql`select data from pgboss.job`.execute(tx));
  await expect(read).rejects.toMatchObject({ code: '42501' });
});

test('while a job with a key waits another one is not added; once it runs, one is', async () => {
  for (let n = 0; n < 3; n++) await send({ n }, { singletonKey: 'same' });
  await send({ n: 3 }, { singletonKey: 'other' });
  const seen: number[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (data) => {
    const { n } = data as { n: number };
    if (n === 0) await send({ n: 4 }, { singletonKey: 'same' });
    seen.push(n);
  });
  await until(() => seen.length === 3);
  await until(async () => (await waiting()) === 0);
  expect(seen.sort()).toEqual([0, 3, 4]);
});

test('a job for later waits until then', async () => {
  const startAfter = new Date(Date.now() + 1_000);
  await send({}, { startAfter });
  let startedAt = 0;
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async () => {
    startedAt = Date.now();
  });
  await until(() => startedAt > 0);
  expect(startedAt).toBeGreaterThanOrEqual(startAfter.getTime());
});

test('a handler that throws is tried again, and says so', async () => {
  await send({});
  let attempts = 0;
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async () => {
    if (++attempts < 2) throw new Error('not yet');
  });
  await until(async () => (await waiting()) === 0);
  expect(attempts).toBe(2);
  expect(warnings).toEqual(['job failed and will be tried again']);
});

test('close asks handlers to stop, waits for them, and queues again what they gave up', async () => {
  await send({ stops: true });
  await send({ stops: false });
  const log: string[] = [];
  await queue.work(name, { concurrency: 2, perGroup: 2 }, async (data, signal) => {
    log.push('started');
    await once(signal, 'abort');
    await sleep(50);
    log.push('ended');
    if ((data as { stops: boolean }).stops) throw signal.reason;
  });
  await until(() => log.length === 2);
  await queue.close();
  expect(log).toEqual(['started', 'started', 'ended', 'ended']);
  const { rows } = await sql<{ state: string; data: unknown; retry_count: number }>`
    select state, data, retry_count from pgboss.job where name = ${name} order by state`.execute(db.kysely);
  expect(rows).toEqual([
    { state: 'retry', data: { stops: true }, retry_count: 0 },
    { state: 'completed', data: { stops: false }, retry_count: 0 },
  ]);
  expect(warnings).toEqual([]);
});

test('a job whose worker was killed is done by another', async () => {
  await send({ n: 1 });
  const code = `
    import { openQueue } from ${JSON.stringify(join(import.meta.dirname, 'queue.ts'))};
    const queue = await openQueue(${JSON.stringify(database.connection)}, { log: console, queues: [${JSON.stringify(name)}], roles: [] });
    await queue.work(${JSON.stringify(name)}, { concurrency: 1, perGroup: 1 }, () => {
      console.log('started');
      return new Promise(() => {});
    });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGKILL');
  let done = 0;
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async () => void done++);
  await until(async () => (await waiting()) === 0);
  expect(done).toBe(1);
  expect(warnings).toEqual(['the worker of a job is gone, and it will be done again']);
});

test('a handler is told when its job was given to another', async () => {
  await send({});
  const reasons: unknown[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (_, signal) => {
    if (reasons.length > 0) return;
    await sql`update pgboss.job set retry_count = retry_count + 1 where name = ${name}`.execute(db.kysely);
    await once(signal, 'abort');
    reasons.push(signal.reason.message);
    throw signal.reason;
  });
  await until(() => reasons.length === 1);
  expect(reasons).toEqual(['the job was given to another worker']);
});

test('a job that comes back to the process that has it stops the earlier run, and the later one is kept alive', async () => {
  await send({});
  const log: string[] = [];
  const heartbeat = async () => {
    const { rows } = await sql<{
      at: Date | null;
    }>`select heartbeat_on as at from pgboss.job where name = ${name}`.execute(db.kysely);
    return rows[0].at?.getTime() ?? 0;
  };
  await queue.work(name, { concurrency: 2, perGroup: 2 }, async (_, signal, failures) => {
    log.push(`begun ${failures}`);
    if (failures === 0) {
      // Does what another process does that has not heard of this one for long.
      await sql`update pgboss.job_common set state = 'retry', start_after = now() where name = ${name}`.execute(
        db.kysely,
      );
      await once(signal, 'abort');
      log.push('earlier stopped');
      throw signal.reason;
    }
    await until(() => log.includes('earlier stopped'));
    const before = await heartbeat();
    await until(async () => (await heartbeat()) > before);
    log.push('later kept alive');
  });
  await until(async () => (await waiting()) === 0);
  expect(log.sort()).toEqual(['begun 0', 'begun 1', 'earlier stopped', 'later kept alive']);
  expect(warnings).toEqual([]);
});

test('work goes on after the database broke every connection', async () => {
  const done: number[] = [];
  await queue.work(name, { concurrency: 2, perGroup: 9 }, async (data) => {
    await sleep(50);
    done.push((data as { n: number }).n);
  });
  for (let n = 0; n < 6; n++) await send({ n });
  await until(() => done.length >= 1);
  await withClient({ ...database.connection, database: 'postgres' }, (client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database.connection.database,
    ]),
  );
  await until(() => new Set(done).size === 6);
});
