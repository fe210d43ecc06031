// The thread's side: `openThread` runs a script that ends in `serveCalls(calls)`.
import { parentPort } from 'node:worker_threads';
import { assert } from '../failure.ts';
import { packError } from '../processes/messages.ts';
import type { Calls, FromThread, ToThread } from './thread.ts';

/** Answers calls until the thread is ended. */
export function serveCalls(calls: Calls): void {
  const port = parentPort;
  assert(port, 'calls are served in a thread');
  const answer = (message: FromThread): void => port.postMessage(message);
  port.on('message', async ({ id, name, input }: ToThread) => {
    try {
      assert(Object.hasOwn(calls, name), `no call is named ${name}`);
      // The cast holds: `openThread` is typed by these calls, so the input is the call's.
      answer({ id, output: await calls[name](input as never) });
    } catch (error) {
      answer({ id, error: packError(error) });
    }
  });
}
