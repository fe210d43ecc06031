// The child's side of a pool: `openPool` runs a script that ends in `serveTasks(handlers)`.
import { assert } from '../failure.ts';
import { type FromChild, packError, type ToChild } from './messages.ts';

/** Does one task. Input, output and progress pass between processes by structured clone: data, no functions. */
export type Handler<Input, Output, Progress = unknown> = (input: Input, task: TaskContext<Progress>) => Promise<Output>;

export type TaskContext<Progress> = {
  /** Reports how far the task is. Cheap to call often: a newer value replaces one that has not been sent yet. */
  readonly progress: (value: Progress) => void;
  /**
   * Asks the task to stop soon. It changes only between turns of the event loop, so a long loop must await now and
   * then.
   */
  readonly signal: AbortSignal;
};

/** The memory that each task of this process may use, in MB; null without a limit. */
export function ownMemoryMb(): number | null {
  const megabytes = Number(process.argv[2]);
  return megabytes > 0 ? megabytes : null;
}

/** How often a task that never awaits still reports its progress. */
const unheardMs = 200;

export type Handlers = Readonly<Record<string, Handler<never, unknown>>>;

/**
 * Serves tasks one after the other until the parent closes the channel or dies; then the process ends, even in the
 * middle of a task. What should stay warm between tasks belongs in module scope.
 */
export function serveTasks(handlers: Handlers): void {
  assert(process.send !== undefined, 'tasks are served in a child process of a pool');
  // What tasks write holds customers' data, and is for this user alone.
  process.umask(0o077);
  const parent = process.ppid;
  let running: AbortController | null = null;

  const run = async (name: string, input: unknown): Promise<void> => {
    running = new AbortController();
    const sender = openSender(parent);
    try {
      assert(Object.hasOwn(handlers, name), `no handler is called ${name}`);
      // The cast holds: the pool is typed by these handlers, so the input is the handler's.
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
  // Native threads could delay an ordinary exit, and the result of a task without a parent is of no use: so it is
  // killed.
  process.on('disconnect', () => (running === null ? process.exit(0) : endAtOnce()));
  // A terminal or a service manager signals the whole process group; the parent decides what happens to the tasks.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  send({ type: 'ready' });
}

/** Sends the progress of one task, only the newest value when several wait, and then its end. */
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
      // A loop that never awaits gets no event when the channel closes.
      if (process.ppid !== parent) endAtOnce();
      waiting = { value };
      // Nor does it get the event that the last value was sent.
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
 * Sends a message to the parent. Throws what structured clone throws for a value that cannot be cloned. When the
 * channel has closed, the `disconnect` handler ends the process.
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
