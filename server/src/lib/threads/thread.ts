// A thread beside the event loop, for work that would hold the event loop up.
import { Worker } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import { type PackedError, unpackError } from '../processes/messages.ts';

/** The calls that a thread answers, by name. Inputs and outputs pass by structured clone: data, no functions. */
export type Calls = Readonly<Record<string, (input: never) => unknown>>;

export type ToThread = { readonly id: number; readonly name: string; readonly input: unknown };
export type FromThread =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: PackedError };

export type Thread<C extends Calls> = {
  /**
   * Calls the thread. Throws what the call throws there; Failure 'unavailable' when the thread has ended. Calls begin
   * in the order in which they are made; a call that awaits lets later ones begin.
   */
  call<N extends keyof C & string>(name: N, input: Parameters<C[N]>[0]): Promise<Awaited<ReturnType<C[N]>>>;
  /** Like `call`, for the call that prepares the thread: if it throws, the thread is ended. */
  begin: Thread<C>['call'];
  /** Ends the thread, even during a call. */
  close(): Promise<void>;
  /** Resolves when the thread has ended, by itself or by `close`. */
  readonly ended: Promise<void>;
};

type Pending = { readonly resolve: (output: never) => void; readonly reject: (error: unknown) => void };

/** Starts a thread with a script that ends in `serveCalls`. It keeps the process alive only while a call is pending. */
export function openThread<C extends Calls>(script: string): Thread<C> {
  const worker = new Worker(script);
  const pending = new Map<number, Pending>();
  let last = 0;
  let failure: Failure | null = null;
  const end = (cause: unknown): void => {
    failure ??= new Failure('unavailable', 'what answers has ended and begins anew; try again shortly', { cause });
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  };
  worker.on('message', (message: FromThread) => {
    const { resolve, reject } = pending.get(message.id)!;
    pending.delete(message.id);
    if (pending.size === 0) worker.unref();
    if ('error' in message) reject(unpackError(message.error));
    else resolve(message.output as never);
  });
  worker.on('error', end);
  worker.unref();
  const call: Thread<C>['call'] = (name, input) =>
    new Promise((resolve, reject) => {
      if (failure) throw failure;
      last++;
      worker.postMessage({ id: last, name, input } satisfies ToThread);
      if (pending.size === 0) worker.ref();
      pending.set(last, { resolve, reject });
    });
  return {
    call,
    begin: (name, input) =>
      call(name, input).catch(async (error) => {
        await worker.terminate();
        throw error;
      }),
    async close() {
      await worker.terminate();
    },
    ended: new Promise((resolve) => {
      worker.once('exit', (code) => {
        end(new Error(`the thread ended with ${code}`));
        resolve();
      });
    }),
  };
}
