/** Never more than the limit are open, and none is closed while it is in use. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepOpen } from './keep-open.ts';

/** Resources that count how many of them are open, and notice use after closing. */
function shop() {
  let now = 0;
  let most = 0;
  let opened = 0;
  const open = async () => {
    opened++;
    now++;
    most = Math.max(most, now);
    let isOpen = true;
    await nextTurn();
    return {
      use: async () => {
        expect(isOpen).toBe(true);
        await nextTurn();
        expect(isOpen).toBe(true);
        return 'answer';
      },
      async close() {
        isOpen = false;
        await nextTurn();
        now--;
      },
    };
  };
  return { open, told: () => ({ now, most, opened }) };
}
type Thing = Awaited<ReturnType<ReturnType<typeof shop>['open']>>;

test('what is used in turn by more than there is room for is answered, and there are never more', async () => {
  const { open, told } = shop();
  const kept = keepOpen<Thing>(8);
  for (let i = 0; i < 100; i++) await kept.use(`w${i % 9}`, open, (one) => one.use());
  expect(told()).toEqual({ now: 8, most: 8, opened: 100 });
  await kept.close();
  expect(told().now).toBe(0);
});

test('many at once share what is open, and wait for room', async () => {
  const { open, told } = shop();
  const kept = keepOpen<Thing>(3);
  const asked = Array.from({ length: 300 }, (_, i) => kept.use(`w${(i * 7) % 11}`, open, (one) => one.use()));
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['answer']));
  expect(told().most).toBe(3);
  await kept.close();
  expect(told().now).toBe(0);
});

test('what is used last stays, and what is in use is not closed', async () => {
  const { open, told } = shop();
  const kept = keepOpen<Thing>(2);
  const done = Promise.withResolvers<void>();
  const use = (key: string) => kept.use(key, open, (one) => one.use());
  const long = kept.use('long', open, async (one) => {
    await done.promise;
    return one.use();
  });
  for (const key of ['a', 'b', 'c']) await use(key);
  expect(told()).toMatchObject({ now: 2, opened: 4 });
  await use('c');
  expect(told().opened).toBe(4);
  done.resolve();
  expect(await long).toBe('answer');
  await use('d');
  await use('c');
  expect(told().opened, 'the long one made room, being used before').toBe(5);
});

test('several are open at once for one who needs them, also more than are kept, and no more than those after', async () => {
  const { open, told } = shop();
  const kept = keepOpen<Thing>(2);
  const wanted = ['a', 'b', 'c', 'd'].map((key) => ({ key, open }));
  const answers = await kept.useAll(wanted, (all) => Promise.all(all.map((one) => one.use())));
  expect(answers).toEqual(Array.from({ length: 4 }, () => 'answer'));
  expect(told()).toEqual({ now: 4, most: 4, opened: 4 });
  await kept.useAll(wanted.slice(2), (all) => Promise.all(all.map((one) => one.use())));
  expect(told().opened).toBe(4);
  await kept.use('e', open, (one) => one.use());
  expect(told().now).toBe(2);
  const failed = kept.useAll(
    [wanted[0], { key: 'x', open: () => Promise.reject(new Error('broken')) }],
    async () => {},
  );
  await expect(failed).rejects.toThrow('broken');
  await kept.use('f', open, (one) => one.use());
  expect(told().now, 'what was taken with the broken one is let go').toBeLessThanOrEqual(2);
});

test('whoever finds no room in time is asked to come again', async () => {
  const { open } = shop();
  const kept = keepOpen<Thing>(1, 10);
  const done = Promise.withResolvers<void>();
  const long = kept.use('long', open, () => done.promise);
  await expect(kept.use('other', open, (one) => one.use())).rejects.toMatchObject({ code: 'unavailable' });
  done.resolve();
  await long;
  expect(await kept.use('other', open, (one) => one.use())).toBe('answer');
});

test('what cannot be opened, or ends by itself, holds no room and is opened anew', async () => {
  const { open } = shop();
  const kept = keepOpen<Thing & { ended?: Promise<void> }>(1);
  const fail = () => Promise.reject(new Error('no such file'));
  await expect(kept.use('a', fail, (one) => one.use())).rejects.toThrow('no such file');
  const end = Promise.withResolvers<void>();
  await kept.use(
    'a',
    async () => ({ ...(await open()), ended: end.promise }),
    (one) => one.use(),
  );
  end.resolve();
  await nextTurn();
  expect(await kept.use('b', open, (one) => one.use())).toBe('answer');
});

test('what is open weighs no more than it may together, and what is too heavy alone is open alone', async () => {
  const { open, told } = shop();
  const kept = keepOpen<Thing>(8, 1_000, 10);
  const use = (key: string, weight: number) => kept.use(key, open, (one) => one.use(), weight);
  for (const key of ['a', 'b', 'c', 'd']) await use(key, 3);
  expect(told(), 'the first made room for the fourth').toMatchObject({ now: 3, most: 3 });
  await use('e', 10);
  expect(told().now).toBe(1);
  await use('f', 100);
  expect(told()).toMatchObject({ now: 1, most: 3 });
  await Promise.all(Array.from({ length: 30 }, (_, at) => use(`w${at % 7}`, 4)));
  expect(told().most, 'two of four fit together').toBe(3);
  expect(told().now).toBeLessThanOrEqual(2);
  await kept.close();
});
