// A thread with others beside it, which share out work that takes seconds.
import { Failure } from '../failure.ts';
import { type PackedError, packError, unpackError } from '../processes/messages.ts';
import { serveCalls } from './serve.ts';
import { type Calls, openThread } from './thread.ts';

export type EachOptions<Input> = {
  /** Called in this thread with how many of the inputs it knows to be taken. */
  readonly told?: (taken: number) => void;
  /** About how long an input takes, in any unit. The longest begin first, so that threads end together. */
  readonly costOf?: (input: Input) => number;
};

export type Team<C extends Calls> = {
  /** How many threads it has, this one among them. */
  readonly threads: number;
  /**
   * Calls `name` once for each input, in this thread and in the others, whichever is free, and returns the outputs in
   * the order of the inputs. A call returns when it is done, and its output must not depend on the calls before it.
   * Throws what the first input throws that is refused, in the order in which they begin; and an Error where a thread
   * has ended.
   */
  each<N extends keyof C & string>(
    name: N,
    inputs: readonly Parameters<C[N]>[0][],
    options?: EachOptions<Parameters<C[N]>[0]>,
  ): Promise<Awaited<ReturnType<C[N]>>[]>;
  /** Ends the other threads, even during a call. */
  close(): Promise<void>;
};

/** What a thread is asked to take its share of. */
type Order = {
  readonly name: string;
  readonly inputs: readonly unknown[];
  /** The places of the inputs in the order in which they begin, and how many have been taken, by all threads. */
  readonly places: readonly number[];
  readonly taken: Int32Array<SharedArrayBuffer>;
};
type Outputs = readonly (readonly [place: number, output: unknown])[];
/** What a thread has done; `refused` is the call that threw, by its number in the order. */
type Share<E> = { readonly outputs: Outputs; readonly refused?: { readonly number: number; readonly error: E } };
type TeamCalls = { begin(input: unknown): void; share(order: Order): Share<PackedError> };

/**
 * Opens a team of this thread, which answers by `calls`, and of `others` threads with a script that ends in
 * `serveTeam` of the same calls. `begin` is the input that each of them is prepared with.
 */
export function openTeam<C extends Calls>(calls: C, script: string, others: number, begin: unknown): Team<C> {
  const threads = Array.from({ length: others }, () => openThread<TeamCalls>(script));
  const begun = threads.map((thread) => thread.call('begin', begin));
  for (const one of begun) ignore(one);
  return {
    threads: others + 1,
    async each(name, inputs, { told = () => {}, costOf } = {}) {
      const places = [...inputs.keys()];
      if (costOf) places.sort((a, b) => costOf(inputs[b]) - costOf(inputs[a]) || a - b);
      const order: Order = { name, inputs, places, taken: new Int32Array(new SharedArrayBuffer(4)) };
      const helping = inputs.length > 1 ? threads.map((thread) => thread.call('share', order)) : [];
      for (const one of helping) ignore(one);
      const own = takeShare(calls, order, told);
      await Promise.all(begun).catch(tellEnd);
      const shares = [own, ...(await Promise.all(helping).catch(tellEnd)).map(unpackShare)];
      const [first] = shares.flatMap(({ refused }) => refused ?? []).sort((a, b) => a.number - b.number);
      if (first) throw first.error;
      const outputs = new Array<never>(inputs.length);
      // The cast holds: the outputs are those of the call `name`.
      for (const share of shares) for (const [place, output] of share.outputs) outputs[place] = output as never;
      return outputs;
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** Answers a team from its thread until that is closed. `open` makes the calls from what the thread begins with. */
export function serveTeam<Begin>(open: (begin: Begin) => Calls): void {
  let calls: Calls = {};
  serveCalls({
    begin(input: Begin) {
      calls = open(input);
    },
    share(order: Order): Share<PackedError> {
      const { outputs, refused } = takeShare(calls, order, () => {});
      return { outputs, ...(refused && { refused: { ...refused, error: packError(refused.error) } }) };
    },
  });
}

function takeShare(
  calls: Calls,
  { name, inputs, places, taken }: Order,
  told: (taken: number) => void,
): Share<unknown> {
  const outputs: [number, unknown][] = [];
  for (;;) {
    const number = Atomics.add(taken, 0, 1);
    if (number >= inputs.length) return { outputs };
    told(number);
    const place = places[number];
    try {
      // The cast holds: the inputs are those of the call `name`.
      outputs.push([place, calls[name](inputs[place] as never)]);
    } catch (error) {
      // All before it have been taken, so the first that is refused is the same whichever thread takes it.
      Atomics.store(taken, 0, inputs.length);
      return { outputs, refused: { number, error } };
    }
  }
}

function unpackShare({ outputs, refused }: Share<PackedError>): Share<unknown> {
  return { outputs, ...(refused && { refused: { ...refused, error: unpackError(refused.error) } }) };
}

/** Whoever waits for it later hears of its failure. */
function ignore(promise: Promise<unknown>): void {
  promise.catch(() => {});
}

/** A thread that ends is nothing that the caller could mend. */
function tellEnd(error: unknown): never {
  if (error instanceof Failure && error.code === 'unavailable')
    throw new Error('a thread that shared the work has ended', { cause: error.cause });
  throw error;
}
