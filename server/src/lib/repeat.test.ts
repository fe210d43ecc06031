import { expect, test } from 'vitest';
import { type Repeated, startRepeating } from './repeat.ts';

/** Runs work until it has been done this often; returns the pauses that the log reports. */
async function repeat(work: Omit<Repeated, 'name' | 'run'>, times: number, run: (time: number) => void) {
  const told: number[] = [];
  const done = Promise.withResolvers<void>();
  let time = 0;
  const stop = startRepeating(
    [
      {
        name: 'work',
        ...work,
        async run() {
          if (++time === times) done.resolve();
          run(time);
        },
      },
    ],
    { warn: (details) => told.push((details as { againInMs: number }).againInMs) },
  );
  await done.promise;
  await stop();
  expect(time).toBe(times);
  return told;
}

test('what fails is done again after pauses that double up to a bound, and soon again once it goes well', async () => {
  const fails = (time: number): void => {
    if (time !== 5) throw new Error('away');
  };
  expect(await repeat({ everyMs: 1, failingMaxMs: 6 }, 7, fails)).toEqual([2, 4, 6, 6, 2, 4]);
  expect(await repeat({ everyMs: 2 }, 3, fails)).toEqual([2, 2, 2]);
});

test('to stop waits for what is under way, which is told of it', async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  let isOver = false;
  const stop = startRepeating(
    [
      {
        name: 'work',
        everyMs: 1,
        async run(signal) {
          begun.resolve(signal);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          isOver = true;
        },
      },
    ],
    { warn: () => {} },
  );
  await begun.promise;
  await stop();
  expect(isOver).toBe(true);
});

test('what follows other work runs when that has done something, also when it was at work itself just then', async () => {
  const hour = 3_600_000;
  const [slow, seen, done] = [Promise.withResolvers<void>(), [] as string[], Promise.withResolvers<void>()];
  let left = 0;
  const works: Repeated[] = [
    {
      name: 'first',
      everyMs: 1,
      async run() {
        left++;
        if (left === 2) slow.resolve();
        return left === 1 || left === 2 ? 1 : 0;
      },
    },
    {
      name: 'second',
      after: 'first',
      everyMs: hour,
      async run() {
        seen.push(`second, ${left} left`);
        if (seen.length === 1) await slow.promise;
        else done.resolve();
      },
    },
    { name: 'third', after: 'second', everyMs: hour, run: async () => seen.push('third') },
  ];
  const stop = startRepeating(works, { warn: () => {} });
  await done.promise;
  await stop();
  expect(seen[0]).toBe('second, 1 left');
  expect(seen).toHaveLength(2);
});

test('what other work names runs at once, and after a failure only when its pause is over', async () => {
  const hour = 3_600_000;
  const done = Promise.withResolvers<void>();
  const [told, ran]: [object[], string[]] = [[], []];
  const works: Repeated[] = [
    {
      name: 'look',
      everyMs: 1,
      async run() {
        ran.push('look');
        return ['named', 'nobody'];
      },
    },
    {
      name: 'named',
      everyMs: hour,
      failingMaxMs: hour,
      async run() {
        if (ran.push('named') && told.length === 0) throw new Error('away');
        done.resolve();
      },
    },
    { name: 'unnamed', everyMs: hour, run: async () => ran.push('unnamed') },
  ];
  const stop = startRepeating(works, { warn: (details) => told.push(details) });
  await done.promise;
  await stop();
  expect(told).toEqual([expect.objectContaining({ work: 'named', againInMs: 200 })]);
  expect(ran.slice(0, 2)).toEqual(['look', 'named']);
  expect(ran.slice(ran.indexOf('named') + 1, ran.lastIndexOf('named'))).toContain('look');
  expect(ran).not.toContain('unnamed');
});
