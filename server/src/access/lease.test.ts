import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withinLease } from './lease.ts';

/** How often the check is run. */
async function checks(
  lease: Parameters<typeof withinLease>[0],
  check: (attempt: number) => Promise<void> = async () => {},
): Promise<number> {
  let count = 0;
  await withinLease(lease, () => check(++count));
  return count;
}

test('what was asked for just now holds', async () => {
  expect(await checks({ askedAt: performance.now(), already: true })).toBe(0);
});

test('what was asked for too long ago is asked again, however it was', async () => {
  expect(await checks({ askedAt: performance.now() - 1_000, already: true })).toBe(1);
});

test('what has changed is asked again, however lately', async () => {
  expect(await checks({ askedAt: performance.now(), already: false })).toBe(1);
});

test('a check that takes too long proves nothing, and is made again', async () => {
  const slowOnce = (attempt: number) => sleep(attempt === 1 ? 500 : 0);
  expect(await checks({ askedAt: performance.now(), already: false }, slowOnce)).toBe(2);
});

test('checks that always take too long are given up', async () => {
  const slow = checks({ askedAt: performance.now(), already: false }, () => sleep(450));
  await expect(slow).rejects.toMatchObject({ code: 'unavailable' });
});

test('a refusal is passed on at once', async () => {
  const refusal = new Error('no');
  const refused = checks({ askedAt: performance.now(), already: false }, () => Promise.reject(refusal));
  await expect(refused).rejects.toBe(refusal);
});
