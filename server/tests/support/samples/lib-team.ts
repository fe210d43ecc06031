// A thread of the team that team.test.ts opens.
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';
import { Failure } from '../../../src/lib/failure.ts';
import { serveTeam } from '../../../src/lib/threads/team.ts';

export const teamCalls = (factor: number) => ({
  /** The product, and the thread that made it, which waits until `others` threads have begun. */
  multiply({ value, begun, others }: { value: number; begun: Int32Array; others: number }): [number, number] {
    if (Atomics.compareExchange(begun, threadId + 1, 0, 1) === 0) Atomics.add(begun, 0, 1);
    while (Atomics.load(begun, 0) < others) Atomics.wait(begun, 0, Atomics.load(begun, 0), 10);
    return [value * factor, threadId];
  },
  refuse(value: number): number {
    if (value % 2 === 1) throw new Failure('invalid', `${value} is odd`);
    return value;
  },
  /** Ends the thread, unless that is the one that asks. */
  end(begun: Int32Array): void {
    if (isMainThread) Atomics.wait(begun, 0, 0, 5_000);
    else {
      Atomics.store(begun, 0, 1);
      Atomics.notify(begun, 0);
      process.exit(3);
    }
  },
});

export const teamScript = fileURLToPath(import.meta.url);

if (!isMainThread) serveTeam((factor: number) => teamCalls(factor));
