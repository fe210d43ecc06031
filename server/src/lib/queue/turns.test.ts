/** Turns: whose job is next, in which process, and how many run at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestQueue, until, useTestQueue } from '../../../tests/support/samples/lib-queue.ts';
import { claimJobs, weightOfGroup } from './claim.ts';

let db: TestQueue['db'];
let queue: TestQueue['queue'];
let name: TestQueue['name'];
const { open, send, waiting } = useTestQueue((made) => {
  ({ db, queue, name } = made);
});

test('higher priority goes first, and the same in the order sent', async () => {
  for (const [n, priority] of [0, 5, 1, 5, 10].entries()) await send({ n }, { priority });
  const order: number[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 9 }, async (data) => void order.push((data as { n: number }).n));
  await until(() => order.length === 5);
  expect(order).toEqual([4, 1, 3, 2, 0]);
});

test('a group never has more at once than its share over all processes, and holds up no other', async () => {
  for (let n = 0; n < 12; n++) await send({ group: 'large' }, { group: 'large' });
  for (let n = 0; n < 3; n++) await send({ group: 'small' }, { group: 'small' });
  const running: Record<string, number> = { large: 0, small: 0 };
  const most: Record<string, number> = { large: 0, small: 0 };
  const order: string[] = [];
  const handler = async (data: unknown) => {
    const { group } = data as { group: string };
    most[group] = Math.max(most[group], ++running[group]);
    await sleep(20);
    running[group]--;
    order.push(group);
  };
  const queues = [queue, await open(), await open()];
  for (const each of queues) await each.work(name, { concurrency: 4, perGroup: 2 }, handler);
  await until(() => order.length === 15);
  expect(most).toEqual({ large: 2, small: 2 });
  expect(order.lastIndexOf('small')).toBeLessThan(order.lastIndexOf('large'));
});

test('a process that has its own at once leaves further jobs to those that have less to do', async () => {
  const queues = [queue, await open()];
  const taken = queues.map(() => 0);
  let isOver = false;
  for (let n = 0; n < 4; n++) await send({ n });
  for (const [q, each] of queues.entries())
    await each.work(name, { concurrency: 4, atOnce: 1, perGroup: 9 }, async () => {
      taken[q]++;
      await until(() => isOver);
    });
  await until(() => taken[0] + taken[1] === 4);
  isOver = true;
  expect(Math.min(...taken)).toBeGreaterThan(0);
  await until(async () => (await waiting()) === 0);
});

test('of groups that have one job at a time, a slow process does not keep what a fast one could do', async () => {
  const queues = [queue, await open()];
  const [groups, jobs] = [4, 8];
  for (let n = 0; n < groups * jobs; n++) await send({ n }, { group: `${n % groups}` });
  const running = [0, 0];
  const done = [0, 0];
  const options = { concurrency: 3, atOnce: 1, perGroup: 1 };
  // As on a core: what it does at once takes the longer. The first one has little of a core.
  for (const [q, each] of queues.entries())
    await each.work(name, options, async () => {
      running[q]++;
      await sleep([300, 30][q] * running[q]);
      running[q]--;
      done[q]++;
    });
  await until(() => done[0] + done[1] === groups * jobs);
  expect(done[1]).toBeGreaterThan(2 * done[0]);
  await until(async () => (await waiting()) === 0);
});

test('a process does no more at once than it was told, and uses all of it', async () => {
  for (let n = 0; n < 10; n++) await send({ n });
  let running = 0;
  let most = 0;
  let done = 0;
  await queue.work(name, { concurrency: 3, perGroup: 9 }, async () => {
    most = Math.max(most, ++running);
    await sleep(30);
    running--;
    done++;
  });
  await until(() => done === 10);
  expect(most).toBe(3);
});

test('a group that wants a whole process leaves room for one job of others', async () => {
  for (let n = 0; n < 6; n++) await send({ group: 'large' }, { group: 'large' });
  const running = { large: 0, small: 0 };
  const release = Promise.withResolvers<void>();
  await queue.work(name, { concurrency: 3, perGroup: 9 }, async (data) => {
    const { group } = data as { group: 'large' | 'small' };
    running[group]++;
    if (group === 'large') await release.promise;
  });
  await until(() => running.large === 2);
  await send({ group: 'small' }, { group: 'small' });
  await until(() => running.small === 1);
  expect(running.large).toBe(2);
  release.resolve();
  await until(() => running.large === 6);
});

test('a group that keeps a process busy rests between its jobs while others have work', async () => {
  for (let n = 0; n < 30; n++) await send({ group: 'large' }, { group: 'large' });
  const began: number[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (data) => {
    if ((data as { group: string }).group === 'large') began.push(performance.now());
    await sleep(500);
  });
  await send({ group: 'small' }, { group: 'small' });
  await until(() => began.length === 30);
  const gaps = began.slice(1).map((at, n) => at - began[n]);
  // Ten seconds of jobs make a group heavy; it then rests for as long as a job takes.
  expect(gaps.slice(0, 5).some((gap) => gap < 950)).toBe(true);
  expect(gaps.slice(-5).every((gap) => gap >= 950)).toBe(true);
});

test('groups take turns however many jobs one of them has sent before', async () => {
  for (let n = 0; n < 40; n++) await send({ group: 'large' }, { group: 'large' });
  for (const group of ['one', 'two', 'three']) for (let n = 0; n < 2; n++) await send({ group }, { group });
  const order: string[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 9 }, async (data) => {
    order.push((data as { group: string }).group);
  });
  await until(() => order.length === 46);
  expect(order.slice(0, 4).sort()).toEqual(['large', 'one', 'three', 'two']);
  expect(order.slice(0, 10).filter((group) => group !== 'large')).toHaveLength(6);
});

test('a turn is measured in time: a group of long jobs waits for those of short ones', async () => {
  for (let n = 0; n < 6; n++) await send({ group: 'long' }, { group: 'long' });
  for (let n = 0; n < 8; n++) await send({ group: 'short' }, { group: 'short' });
  const order: string[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (data) => {
    const { group } = data as { group: string };
    if (group === 'long') await sleep(600);
    order.push(group);
  });
  await until(() => order.length === 14);
  // Turns by number would follow every long job by one short one.
  expect(order.slice(0, 8).filter((group) => group === 'short').length).toBeGreaterThan(5);
});

test('a group of twice the weight gets twice the turns', async () => {
  await queue.weigh('heavy', 2);
  for (const group of ['heavy', 'light']) for (let n = 0; n < 30; n++) await send({ group }, { group });
  const order: string[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (data) => {
    order.push((data as { group: string }).group);
    await sleep(30);
  });
  await until(() => order.length >= 30);
  const heavy = order.slice(0, 30).filter((group) => group === 'heavy').length;
  expect(heavy).toBeGreaterThan(16);
  expect(heavy).toBeLessThan(24);
  await until(() => order.length === 60);
});

test('a usual weight holds for a group that was given none, and until it has none any more', async () => {
  await queue.weighUsually(
    new Map([
      ['usual', 2],
      ['given', 2],
    ]),
  );
  await queue.weigh('given', 1);
  const weights = async () => {
    const { rows } = await sql<{
      id: string;
      weight: number;
    }>`select group_id as id, ${sql.raw(weightOfGroup)} as weight
      from pgboss.group_weight where group_id in ('usual', 'given') order by 1`.execute(db.kysely);
    return Object.fromEntries(rows.map(({ id, weight }) => [id, weight]));
  };
  expect(await weights()).toEqual({ usual: 2, given: 1 });
  await queue.weighUsually(new Map([['given', 4]]));
  expect(await weights()).toEqual({ usual: 1, given: 1 });
});

test('a group that comes back has saved up nothing, and one that was served alone owes nothing', async () => {
  for (let n = 0; n < 20; n++) await send({ group: 'first' }, { group: 'first' });
  const order: string[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (data) => {
    order.push((data as { group: string }).group);
    await sleep(20);
  });
  await until(() => order.length === 20);
  for (const group of ['late', 'first']) for (let n = 0; n < 6; n++) await send({ group }, { group });
  await until(() => order.length === 32);
  const after = order.slice(20, 28);
  expect(after.filter((group) => group === 'first').length).toBeGreaterThanOrEqual(2);
  expect(after.filter((group) => group === 'late').length).toBeGreaterThanOrEqual(2);
});

test('low priority waits for what was sent within the head start of higher, and not for ever', async () => {
  await send({ n: 'old' }, { group: 'a' });
  await send({ n: 'new' }, { group: 'a', priority: 10 });
  await sql`update pgboss.job_common set created_on = created_on - interval '3 hours'
    where name = ${name} and priority = 0`.execute(db.kysely);
  const order: unknown[] = [];
  await queue.work(name, { concurrency: 1, perGroup: 1 }, async (data) => void order.push((data as { n: string }).n));
  await until(() => order.length === 2);
  expect(order).toEqual(['old', 'new']);
});

test('a claim costs the same with a thousand jobs waiting as with a hundred thousand', async () => {
  const fill = (jobs: number) =>
    sql`insert into pgboss.job (name, data, policy, singleton_key, group_id, retry_limit)
      select ${name}, '{}', 'short', gen_random_uuid(), 'flood', 8 from generate_series(1, ${jobs}::int)`.execute(
      db.kysely,
    );
  const claimMs = async () => {
    const times: number[] = [];
    for (let n = 0; n < 15; n++) {
      const began = performance.now();
      expect(await claimJobs(db.pool, name, 1_000, 1, () => [])).toHaveLength(1);
      times.push(performance.now() - began);
    }
    // The least: other programs of the machine only add to it.
    return Math.min(...times);
  };
  await fill(1_000);
  const few = await claimMs();
  await fill(99_000);
  // PostgreSQL does it by itself at some time, and may then choose another plan.
  await sql`analyze pgboss.job_common`.execute(db.kysely);
  const many = await claimMs();
  // In proportion to what waits, it would cost a hundred times as much.
  expect(many / few).toBeLessThan(20);
});
