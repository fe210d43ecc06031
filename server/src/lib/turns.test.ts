import { expect, test } from 'vitest';
import { openTurns } from './turns.ts';

/** Work that ends when told, and the names of what has begun. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)!() };
}

test('so many are done at once, one of each owner, in the order they came', async () => {
  const turns = openTurns('exports', 2, 60_000);
  const { begun, work, end } = openWork();
  const all = ['a1', 'a2', 'b1', 'c1'].map((name) => turns(name[0], work(name)));
  await expect.poll(() => begun).toEqual(['a1', 'b1']);
  end('b1');
  // The first that waits has an owner who is busy.
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'c1']);
  end('a1');
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  end('c1');
  end('a2');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('who no longer wants it leaves the line', async () => {
  const turns = openTurns('exports', 1, 60_000);
  const { begun, work, end } = openWork();
  const first = turns('a', work('a1'));
  const stop = new AbortController();
  const second = turns('b', work('b1'), stop.signal);
  const third = turns('c', work('c1'));
  stop.abort(new Error('hung up'));
  await expect(second).rejects.toThrow('hung up');
  await expect(turns('d', work('d1'), stop.signal)).rejects.toThrow('hung up');
  end('a1');
  await first;
  await expect.poll(() => begun).toEqual(['a1', 'c1']);
  end('c1');
  await third;
});

test('what fails leaves its place, and what waits too long is refused and never begun', async () => {
  const turns = openTurns('exports', 1, 20);
  const { begun, work, end } = openWork();
  await expect(turns('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const first = turns('a', work('a1'));
  await expect(turns('b', work('b1'))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'too many exports are made at once; try again shortly',
  });
  end('a1');
  expect(await first).toBe('a1');
  expect(begun).toEqual(['a1']);
});
