// The child's side of a pool: a script that ends in `serveTasks(handlers)` is what `openPool` runs.
import { assert } from '../failure.ts';
import { type FromChild, packError, type ToChild } from './messages.ts';

/** Does one task. Input, output and progress cross between processes by structured clone: data, no functions. */
export type Handler<Input, Output, Progress = unknown> = (input: Input, task: TaskContext<Progress>) => Promise<Output>;

export type TaskContext<Progress> = {
  /** Tells the caller how far the task is. Cheap to call often: what is not sent yet gives way to what is newer. */
  readonly progress: (value: Progress) => void;
  /**
   * Asks the task to stop soon. It is noticed only between turns of the event loop: long loops must await now and then.
   */
  readonly signal: AbortSignal;
};

/** A task that never awaits still tells how far it is, so often. */
const unheardMs = 200;

export type Handlers = Readonly<Record<string, Handler<never, unknown>>>;

/**
 * Serves tasks one after the other until the parent closes the channel or dies; then the process ends, whatever it is
 * doing. Keep in module scope what should stay warm between tasks.
 */
export function serveTasks(handlers: Handlers): void {
  assert(process.send !== undefined, 'tasks are served in a child process of a pool');
  const parent = process.ppid;
  let running: AbortController | null = null;

  const run = async (name: string, input: unknown): Promise<void> => {
    running = new AbortController();
    const sender = openSender(parent);
    try {
      assert(Object.hasOwn(handlers, name), `no handler is called ${name}`);
      // The pool's types, taken from these handlers, say that the input is the handler's.
      const output = await handlers[name](input as never, { progress: sender.progress, signal: running.signal });
      running = null;
      sender.end({ type: 'done', output, rssMb: rssMb() });
    } catch (error) {
      running = null;
      sender.end({ type: 'failed', error: packError(error), rssMb: rssMb() });
    }
  };

  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') running?.abort();
    else void run(message.name, message.input);
  });
  // Native threads may keep an ordinary exit waiting; of a task without a parent nothing is wanted any more.
  process.on('disconnect', () => (running === null ? process.exit(0) : endAtOnce()));
  // A terminal and a service manager signal the whole group: the parent decides what becomes of the tasks.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  send({ type: 'ready' });
}

/** Sends the progress of one task, the newest when several wait, and its end after them. */
function openSender(parent: number): { progress: (value: unknown) => void; end: (last: FromChild) => void } {
  let sending = false;
  let sentAt = 0;
  let waiting: { value: unknown } | null = null;
  let ended = false;
  const sendWaiting = (): void => {
    if (waiting === null || ended) return;
    const { value } = waiting;
    waiting = null;
    sending = true;
    sentAt = Date.now();
    send({ type: 'progress', value }, () => {
      sending = false;
      sendWaiting();
    });
  };
  return {
    progress(value) {
      // A loop that never awaits does not hear that the channel has closed.
      if (process.ppid !== parent) endAtOnce();
      waiting = { value };
      // Nor does it hear that what was sent has arrived.
      if (!sending || Date.now() - sentAt > unheardMs) sendWaiting();
    },
    end(last) {
      if (waiting !== null) send({ type: 'progress', value: waiting.value });
      ended = true;
      send(last);
    },
  };
}

/**
 * Throws what structured clone throws for a value that cannot cross. A channel that has closed ends the process
 * elsewhere.
 */
function send(message: FromChild, sent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, sent);
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

function rssMb(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}
