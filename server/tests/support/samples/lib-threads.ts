// What the thread of the tests does.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../src/lib/failure.ts';
import { serveCalls } from '../../../src/lib/threads/serve.ts';

const calls = {
  double: (values: Float64Array) => values.map((value) => value * 2),
  wait: async (ms: number) => {
    await sleep(ms);
    return ms;
  },
  refuse: (problem: string) => {
    throw new Failure('invalid', 'cannot be', { problems: [{ at: '/x', message: problem }] });
  },
  crash: () => {
    setImmediate(() => {
      throw new RangeError('nobody caught this');
    });
    return new Promise(() => {});
  },
};
export type SampleCalls = typeof calls;

serveCalls(calls);
