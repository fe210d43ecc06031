import { expect, test } from 'vitest';
import { openRecentUse } from './recent-use.ts';

test('a group is heavy while it has used much, and light again after some time', () => {
  let now = 0;
  const use = openRecentUse(() => now);
  for (let task = 0; task < 10; task++) {
    use.add('busy', 2);
    use.add('calm', 0.3);
    now += 30_000;
  }
  expect([use.isHeavy('busy'), use.isHeavy('calm'), use.isHeavy('new')]).toEqual([false, false, false]);
  use.add('busy', 7);
  expect([use.isHeavy('busy'), use.isHeavy('calm')]).toEqual([true, false]);
  now += 120_000;
  expect(use.isHeavy('busy')).toBe(false);
});

test('what is added at one moment adds up, and halves in a minute', () => {
  let now = 0;
  const use = openRecentUse(() => now);
  use.add('a', 12);
  use.add('a', 7);
  now = 60_000;
  expect(use.isHeavy('a')).toBe(false);
  use.add('a', 1);
  expect(use.isHeavy('a')).toBe(true);
});
