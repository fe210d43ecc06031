import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { SampleCalls } from '../../../tests/support/samples/lib-threads.ts';
import { openThread } from './thread.ts';

const open = () =>
  openThread<SampleCalls>(fileURLToPath(new URL('../../../tests/support/samples/lib-threads.ts', import.meta.url)));

test('calls are answered, each with its own, and may overtake one that awaits', async () => {
  const thread = open();
  const ended: string[] = [];
  const slow = thread.call('wait', 200).then(() => ended.push('slow'));
  const doubled = await Promise.all(
    Array.from({ length: 50 }, (_, i) => thread.call('double', Float64Array.of(i, Number.NaN))),
  );
  ended.push('fast');
  await slow;
  expect(doubled.map(([first]) => first)).toEqual(Array.from({ length: 50 }, (_, i) => 2 * i));
  expect(ended).toEqual(['fast', 'slow']);
  await thread.close();
  await thread.ended;
});

test('a refusal arrives as the Failure it is, and the thread goes on', async () => {
  const thread = open();
  await expect(thread.call('refuse', 'too long')).rejects.toMatchObject({
    name: 'Failure',
    code: 'invalid',
    problems: [{ at: '/x', message: 'too long' }],
  });
  expect(await thread.call('wait', 0)).toBe(0);
  await thread.close();
});

test('a thread whose first call is refused is closed', async () => {
  const thread = open();
  await expect(thread.begin('refuse', 'too long')).rejects.toMatchObject({ code: 'invalid' });
  await thread.ended;
  await expect(thread.call('wait', 0)).rejects.toMatchObject({ code: 'unavailable' });
  const other = open();
  expect(await other.begin('wait', 0)).toBe(0);
  expect(await other.call('wait', 1)).toBe(1);
  await other.close();
});

test('a thread that ends leaves nobody waiting', async () => {
  const thread = open();
  const waiting = thread.call('wait', 60_000);
  const crashing = thread.call('crash', undefined as never);
  await expect(crashing).rejects.toMatchObject({ code: 'unavailable' });
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  await thread.ended;
  await expect(thread.call('wait', 0)).rejects.toMatchObject({ code: 'unavailable' });
});
