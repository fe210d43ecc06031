// Child processes for heavy work: the server survives whatever they crash, leak or block.
import { type ChildProcess, fork } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { assert, Failure } from '../failure.ts';
import { type FromChild, type ToChild, unpackError } from './messages.ts';
import type { Handler, Handlers } from './serve.ts';

export type PoolOptions = {
  /** Path of a script that calls `serveTasks`. */
  readonly script: string;
  /** Most children at a time; each is started when it is needed. */
  readonly size: number;
  /** Unix niceness, from 0 (as the parent) to 19 (the lowest priority). */
  readonly nice: number;
  /** How long a task may take to stop when asked, before its process is killed. 10 seconds by default. */
  readonly stopGraceMs?: number;
  /** How long a child may wait for its next task before it is stopped. 1 minute by default. */
  readonly idleMs?: number;
  /** Most resident memory that a child may hold after a task; one that holds more is replaced. No limit by default. */
  readonly rssLimitMb?: number;
  /** Flags of Node, such as `--max-old-space-size=4096`. */
  readonly nodeFlags?: readonly string[];
  /** The whole environment of the children. Empty by default: they handle foreign files and need no secrets. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** A pool, typed by the handlers that its script serves: `openPool<typeof handlers>(…)`. */
export type Pool<H extends Handlers> = {
  /**
   * Runs a task in a child that does nothing else meanwhile. Tasks wait for a free child in order of arrival; a task
   * with a larger `leaves` lets later ones with a smaller `leaves` pass while too few children are free for it.
   * Rejects with
   * - the handler's `Failure` or other error, with the child's stack,
   * - `ProcessDied` when the child ended before the task did: the task may be run again,
   * - the signal's reason when the task was stopped: it threw after the signal, or was killed for not stopping in time.
   *   When a handler returns after the signal, its output is returned.
   */
  readonly run: <Name extends keyof H & string>(
    task: { readonly name: Name; readonly input: InputOf<H[Name]> },
    options?: RunOptions<ProgressOf<H[Name]>>,
  ) => Promise<OutputOf<H[Name]>>;
  /**
   * Refuses new and waiting tasks, gives running ones `graceMs` to end, and kills the rest. Resolves when no child is
   * left.
   */
  readonly close: (graceMs?: number) => Promise<void>;
};

/** A pool for callers that name a task by the type of its handler: `run<typeof score>({ name: 'score', input })`. */
export type TaskRunner = {
  readonly run: <H extends Handler<never, unknown>>(
    task: { readonly name: string; readonly input: InputOf<H> },
    options?: RunOptions<ProgressOf<H>>,
  ) => Promise<OutputOf<H>>;
};

/**
 * Returns the same pool under the other type. `tests/law.test.ts` checks that each task name goes with its handler's
 * type.
 */
export function byHandler<H extends Handlers>(pool: Pool<H>): TaskRunner {
  return pool as unknown as TaskRunner;
}

export type RunOptions<Progress> = {
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the task does not begin at once because no child is free for it. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
  /**
   * The task begins only when this many children stay free for tasks with a smaller `leaves`: long tasks hold up no
   * short ones.
   */
  readonly leaves?: number;
};

type InputOf<H> = H extends (input: infer Input, ...rest: never[]) => unknown ? Input : never;
type OutputOf<H> = H extends (...parameters: never[]) => Promise<infer Output> ? Output : never;
type ProgressOf<H> = H extends Handler<never, unknown, infer Progress> ? Progress : never;

/**
 * A child ended while it had a task: the kernel killed it for its memory, native code crashed, or somebody killed it.
 */
export class ProcessDied extends Error {
  readonly exitCode: number | null;
  readonly signal: string | null;

  constructor(task: string, exitCode: number | null, signal: string | null) {
    super(`the process of task ${task} ended early: ${signal ?? `exit code ${exitCode}`}`);
    this.name = 'ProcessDied';
    this.exitCode = exitCode;
    this.signal = signal;
  }
}

type Job = {
  readonly name: string;
  readonly input: unknown;
  readonly onProgress: ((progress: unknown) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly leaves: number;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Removes the job's listener from its signal. */
  forget: () => void;
};

/**
 * A child is idle, busy with a job, or leaving. `timer` makes an idle child leave, kills a busy one that does not stop
 * in time, and kills a leaving one that does not end in time.
 */
type Child = {
  readonly process: ChildProcess;
  state: 'idle' | 'busy' | 'leaving';
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
};

/** Most waiting tasks. A healthy machine has a few; more means that nothing limits what is asked. */
const waitingMax = 10_000;
/** How long a child without a task may take to end. */
const leaveGraceMs = 5_000;

export function openPool<H extends Handlers>(options: PoolOptions): Pool<H> {
  const { size, stopGraceMs = 10_000, idleMs = 60_000, rssLimitMb = Number.POSITIVE_INFINITY } = options;
  assert(size >= 1, 'a pool has room for one child at least');
  const children = new Set<Child>();
  const waiting: Job[] = [];
  const emptied = Promise.withResolvers<void>();
  let isClosed = false;

  const dispatch = (): void => {
    for (;;) {
      const free = size - [...children].filter(({ state }) => state !== 'idle').length;
      const next = waiting.findIndex(({ leaves }) => leaves < free);
      if (next < 0) return;
      begin(findIdle() ?? start(), waiting.splice(next, 1)[0]);
    }
  };

  /** The idle child that was used last: it is the warmest, and the others may reach their idle time. */
  const findIdle = (): Child | null => [...children].findLast((child) => child.state === 'idle') ?? null;

  const start = (): Child => {
    const child: Child = { process: startProcess(options), state: 'idle', job: null, timer: undefined };
    children.add(child);
    child.process.on('message', (message: FromChild) => hear(child, message));
    child.process.on('exit', (code, signal) => bury(child, code, signal));
    // A child that could not be started has no `exit` event.
    child.process.on('error', (error) => {
      if (child.process.pid === undefined) bury(child, null, error.message);
    });
    return child;
  };

  const begin = (child: Child, job: Job): void => {
    clearTimeout(child.timer);
    child.state = 'busy';
    child.job = job;
    job.forget();
    const stop = () => {
      say(child, { type: 'stop' });
      child.timer = setTimeout(() => child.process.kill('SIGKILL'), stopGraceMs);
    };
    job.signal?.addEventListener('abort', stop, { once: true });
    job.forget = () => job.signal?.removeEventListener('abort', stop);
    try {
      say(child, { type: 'run', name: job.name, input: job.input });
    } catch (error) {
      // The input cannot be cloned; nothing was sent to the child.
      finish(child, 0, () => job.reject(error));
    }
  };

  const hear = (child: Child, message: FromChild): void => {
    const { job } = child;
    if (message.type === 'ready') void lowerPriority(child.process.pid!, options.nice);
    else if (job === null) return;
    else if (message.type === 'progress') job.onProgress?.(message.value);
    else if (message.type === 'done') finish(child, message.rssMb, () => job.resolve(message.output));
    else {
      const { error } = message;
      finish(child, message.rssMb, () => job.reject(job.signal?.aborted ? job.signal.reason : unpackError(error)));
    }
  };

  const finish = (child: Child, rssMb: number, settle: () => void): void => {
    clearTimeout(child.timer);
    child.job?.forget();
    child.job = null;
    child.state = 'idle';
    // The child used last is last in the set.
    children.delete(child);
    children.add(child);
    if (rssMb > rssLimitMb || isClosed) leave(child);
    else child.timer = setTimeout(() => leave(child), idleMs).unref();
    settle();
    dispatch();
  };

  /** Lets a child end. It still counts as one, since its memory is not free before it has ended. */
  const leave = (child: Child): void => {
    clearTimeout(child.timer);
    child.state = 'leaving';
    if (child.process.connected) child.process.disconnect();
    child.timer = setTimeout(() => child.process.kill('SIGKILL'), leaveGraceMs);
  };

  const bury = (child: Child, code: number | null, signal: string | null): void => {
    clearTimeout(child.timer);
    children.delete(child);
    const { job } = child;
    child.job = null;
    job?.forget();
    job?.reject(job.signal?.aborted ? job.signal.reason : new ProcessDied(job.name, code, signal));
    if (isClosed && children.size === 0) emptied.resolve();
    dispatch();
  };

  const enqueue = (job: Job): void => {
    const drop = () => {
      waiting.splice(waiting.indexOf(job), 1);
      job.reject(job.signal?.reason);
    };
    job.signal?.addEventListener('abort', drop, { once: true });
    job.forget = () => job.signal?.removeEventListener('abort', drop);
    waiting.push(job);
    dispatch();
  };

  return {
    async run({ name, input }, { onProgress, onWait, signal, leaves = 0 } = {}) {
      assert(leaves < size, 'a task leaves room for itself');
      signal?.throwIfAborted();
      if (isClosed) throw closed();
      if (waiting.length >= waitingMax) throw new Failure('unavailable', 'Too much work is waiting. Try again later.');
      // The cast holds: the pool is typed by the handlers of its script, which take this input and give this output.
      return new Promise((resolve, reject) => {
        const job = { name, input, onProgress, signal, leaves, resolve, reject, forget: () => {} } as Job;
        enqueue(job);
        if (waiting.includes(job)) onWait?.();
      });
    },
    async close(graceMs = stopGraceMs) {
      isClosed = true;
      for (const job of waiting.splice(0)) {
        job.forget();
        job.reject(closed());
      }
      if (children.size === 0) return;
      for (const child of children) if (child.state === 'idle') leave(child);
      const timer = setTimeout(() => {
        for (const child of children) child.process.kill('SIGKILL');
      }, graceMs);
      await emptied.promise;
      clearTimeout(timer);
    },
  };
}

function startProcess({ script, nodeFlags = [], environment = {} }: PoolOptions): ChildProcess {
  const child = fork(script, [], {
    execPath: process.execPath,
    execArgv: [...process.execArgv, ...nodeFlags],
    env: { ...environment, ...keptCode() },
    serialization: 'advanced',
    // The parent's stdout is its own: what children print, and V8's last words, go to its stderr.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  // When memory runs out, the kernel should kill a child, whose task runs again, and not the server. Only Linux has
  // this.
  if (process.platform === 'linux' && child.pid !== undefined)
    void writeFile(`/proc/${child.pid}/oom_score_adj`, '500').catch(() => {});
  return child;
}

/** Lets a child use this process's cache of compiled code, if there is one. */
function keptCode(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  // The folder that the variable names, without the part that Node adds for its own version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/**
 * Sets the niceness of a child. On Linux niceness belongs to a thread and is inherited by the threads it starts, and
 * V8's threads start before any script: so every thread is set.
 */
async function lowerPriority(pid: number, nice: number): Promise<void> {
  const threads = process.platform === 'linux' ? await readdir(`/proc/${pid}/task`).catch(() => []) : [String(pid)];
  for (const thread of threads) {
    try {
      // A priority above the parent's needs a privilege.
      setPriority(Number(thread), Math.max(nice, getPriority()));
    } catch {
      // The thread has ended, or the system does not allow it. The child then works at another priority.
    }
  }
}

/**
 * Sends a message to a child. A child that is disconnected ends soon, which settles its job. Throws when the message
 * cannot be cloned.
 */
function say(child: Child, message: ToChild): void {
  if (child.process.connected) child.process.send(message, () => {});
}

function closed(): Failure {
  return new Failure('unavailable', 'The service is stopping. Try again in a moment.');
}
