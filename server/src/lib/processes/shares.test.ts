import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { handlers } from '../../../tests/support/samples/lib-processes.ts';
import { byHandler, openPool, type Pool } from './pool.ts';
import { openShares } from './shares.ts';

const script = join(import.meta.dirname, '../../../tests/support/samples/lib-processes.ts');
const pools: Pool<typeof handlers>[] = [];
const open = (wallMs: number, waitingMax = 100, nodeFlags: string[] = []) => {
  const pool = openPool<typeof handlers>({ script, size: 2, nice: 0, stopGraceMs: 20, nodeFlags });
  pools.push(pool);
  const says = { waiting: 'too many wait', over: `it took more than ${wallMs / 1000} seconds` };
  return openShares(byHandler(pool), { slots: 2, waitingMax, wallMs, says });
};
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close(0)));
});

type Shares = ReturnType<typeof open>;
const block = (shares: Shares, owner: string) =>
  shares.run<typeof handlers.block>({ name: 'block', input: null }, owner).catch((error) => error);
const echo = (shares: Shares, owner: string) =>
  shares.run<typeof handlers.echo>({ name: 'echo', input: owner }, owner) as Promise<string>;

test('tasks that never end leave a child to everybody else, whatever their number', async () => {
  const shares = open(600_000);
  const hostile = Array.from({ length: 20 }, () => block(shares, 'hostile'));
  const others = ['a', 'b', 'c', 'a', 'b'];
  expect(await Promise.all(others.map((owner) => echo(shares, owner)))).toEqual(others);
  await pools[0].close(0);
  void hostile;
});

test('owners take turns', async () => {
  const shares = open(600_000);
  void block(shares, 'hostile');
  const order: string[] = [];
  const owners = ['a', 'a', 'a', 'a', 'b', 'c'];
  await Promise.all(owners.map(async (owner) => order.push(await echo(shares, owner))));
  expect(order.indexOf('b')).toBeLessThan(3);
  expect(order.indexOf('c')).toBeLessThan(4);
});

test('a task is killed at its time, and the next of its owner has a child', async () => {
  const shares = open(700);
  const [ended, next] = await Promise.all([block(shares, 'a'), block(shares, 'a')]);
  for (const error of [ended, next]) {
    expect(error).toMatchObject({ code: 'limit_exceeded', reason: 'budget_exceeded' });
    expect(error.message).toContain('0.7 seconds');
  }
});

test('a task that needs more memory than its process may have is told so', async () => {
  const shares = open(600_000, 100, ['--max-old-space-size=40']);
  const died = shares.run<typeof handlers.die>({ name: 'die', input: 'heap' }, 'a');
  await expect(died).rejects.toMatchObject({ code: 'limit_exceeded', reason: 'budget_exceeded' });
});

test('of one owner only so many wait', async () => {
  const shares = open(600_000, 2);
  const first = [block(shares, 'a'), block(shares, 'a'), block(shares, 'a')];
  await expect(echo(shares, 'a')).rejects.toMatchObject({ code: 'rate_limited', reason: 'rate_limited' });
  expect(await echo(shares, 'b')).toBe('b');
  await pools[0].close(0);
  void first;
});
