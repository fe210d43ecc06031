import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openCache } from './cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'cache-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Whoever asked while the first copy was being put in its place had it written once more, in one round of forty. */
const rounds = 300;

test('whoever asks while a copy is on its way waits for it, until it is there', async () => {
  const cache = await openCache(folder, 10 ** 9);
  const sha256 = createHash('sha256').update('once').digest('hex');
  for (let round = 0; round < rounds; round++) {
    let [downloads, isThere] = [0, false];
    const download = async (path: string) => {
      downloads++;
      writeFileSync(path, 'once');
    };
    const asking: Promise<unknown>[] = [];
    while (!isThere) {
      const path = cache.path(`${round}/a.csv`, sha256, download, () => expect.unreachable());
      asking.push(path.then(() => (isThere = true)));
      await nextTurn();
    }
    await Promise.all(asking);
    expect(downloads).toBe(1);
    await cache.forget(`${round}`, Number.POSITIVE_INFINITY);
  }
});

test('only copies that were made before a moment are forgotten, whenever they were used', async () => {
  const cache = await openCache(folder, 10 ** 9);
  const copyOf = (name: string) =>
    cache.path(
      `forgotten/${name}.csv`,
      createHash('sha256').update(name).digest('hex'),
      async (path) => writeFileSync(path, name),
      () => expect.unreachable(),
    );
  const [early, late] = [await copyOf('early'), await copyOf('late')];
  const made = new Date('2026-01-01T00:00:00Z');
  for (const path of [early, late]) utimesSync(path, made, made);
  utimesSync(late, made, new Date(made.getTime() + 2));
  // A use is marked, and does not make a copy a newer one.
  await copyOf('early');
  expect(statSync(early).atimeMs).toBeGreaterThan(made.getTime());
  await cache.forget('forgotten', made.getTime() + 1);
  expect([early, late].map((path) => existsSync(path))).toEqual([false, true]);
  await cache.forget('never there', Number.POSITIVE_INFINITY);
});
