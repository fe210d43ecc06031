// Child processes for heavy work: what they crash, leak or block, the server survives.
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
  /** Most children at a time; they are started when needed. */
  readonly size: number;
  /** Unix niceness, 0 (as the parent) to 19 (last of all). */
  readonly nice: number;
  /** How long a task may take to stop when asked, before its process is killed. 10 seconds by default. */
  readonly stopGraceMs?: number;
  /** How long a child may wait for its next task before it is stopped. 1 minute by default. */
  readonly idleMs?: number;
  /** A child that holds more resident memory than this after a task is replaced. No limit by default. */
  readonly rssLimitMb?: number;
  /** Flags of Node, such as `--max-old-space-size=4096`. */
  readonly nodeFlags?: readonly string[];
  /** All that children see of an environment. Nothing by default: they handle foreign files and need no secrets. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Typed by the handlers that its script serves: `openPool<typeof handlers>(…)`. */
export type Pool<H extends Handlers> = {
  /**
   * Runs a task in a child of its own, waiting for a free one in order of arrival, among those that leave as many.
   * Rejects with
   * - the handler's `Failure` or other error, with the child's stack,
   * - `ProcessDied` when the child ended before the task did: the task may be run again,
   * - the signal's reason when the task was stopped: it threw after the signal, or was killed for not stopping in time.
   *   A handler that returns after the signal has its output returned.
   */
  readonly run: <Name extends keyof H & string>(
    task: { readonly name: Name; readonly input: InputOf<H[Name]> },
    options?: RunOptions<ProgressOf<H[Name]>>,
  ) => Promise<OutputOf<H[Name]>>;
  /** Refuses new and waiting tasks, gives running ones `graceMs` to end, kills the rest; resolves without children. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/** A pool for callers that know a task by the type of its handler: `run<typeof score>({ name: 'score', input })`. */
export type TaskRunner = {
  readonly run: <H extends Handler<never, unknown>>(
    task: { readonly name: string; readonly input: InputOf<H> },
    options?: RunOptions<ProgressOf<H>>,
  ) => Promise<OutputOf<H>>;
};

/** The same pool. That a name belongs to the handler it is called with is held by the law of imports. */
export function byHandler<H extends Handlers>(pool: Pool<H>): TaskRunner {
  return pool as unknown as TaskRunner;
}

export type RunOptions<Progress> = {
  readonly onProgress?: (progress: Progress) => void;
  /** Called where the task is not begun at once: no child is free for it. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
  /**
   * Begins only where so many children stay free, for tasks that leave fewer: what takes long holds up nothing short.
   */
  readonly leaves?: number;
};

type InputOf<H> = H extends (input: infer Input, ...rest: never[]) => unknown ? Input : never;
type OutputOf<H> = H extends (...parameters: never[]) => Promise<infer Output> ? Output : never;
type ProgressOf<H> = H extends Handler<never, unknown, infer Progress> ? Progress : never;

/** A child ended while it had a task: killed by the kernel for its memory, crashed in native code, killed by hand. */
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
  /** Takes the job's listener off its signal. */
  forget: () => void;
};

/** A child is idle, has a job, or is leaving; `timer` stops it in the first case and kills it in the others. */
type Child = {
  readonly process: ChildProcess;
  state: 'idle' | 'busy' | 'leaving';
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
};

/** A few tasks of a healthy machine wait; more means that nobody bounds what is asked. */
const waitingMax = 10_000;
/** How long a child without a task may take to leave. */
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

  /** The one used last: it is the warmest, and the others may time out. */
  const findIdle = (): Child | null => [...children].findLast((child) => child.state === 'idle') ?? null;

  const start = (): Child => {
    const child: Child = { process: startProcess(options), state: 'idle', job: null, timer: undefined };
    children.add(child);
    child.process.on('message', (message: FromChild) => hear(child, message));
    child.process.on('exit', (code, signal) => bury(child, code, signal));
    // Not even started: there is no `exit` then.
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
      // The input cannot be cloned; the child has heard nothing.
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
    // Last in the set is the one used last.
    children.delete(child);
    children.add(child);
    if (rssMb > rssLimitMb || isClosed) leave(child);
    else child.timer = setTimeout(() => leave(child), idleMs).unref();
    settle();
    dispatch();
  };

  /** A child that leaves still counts: its memory is not free before it has ended. */
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
      // What crosses is what the script's handlers take and give: H is taken from them.
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
    // The parent's output is its own: what children print, and V8's last words, go to its stderr.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  // When memory runs out the kernel should take a child, whose task runs again, and not the server. Linux alone has
  // this.
  if (process.platform === 'linux' && child.pid !== undefined)
    void writeFile(`/proc/${child.pid}/oom_score_adj`, '500').catch(() => {});
  return child;
}

/** A child reads its code as this process does: compiled already, where it is kept. */
function keptCode(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  // Named without the part that Node adds for its own version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** On Linux niceness belongs to a thread and is inherited by those it starts: V8's have started before any script. */
async function lowerPriority(pid: number, nice: number): Promise<void> {
  const threads = process.platform === 'linux' ? await readdir(`/proc/${pid}/task`).catch(() => []) : [String(pid)];
  for (const thread of threads) {
    try {
      // Rising above one's own parent needs a privilege.
      setPriority(Number(thread), Math.max(nice, getPriority()));
    } catch {
      // The thread has ended, or the system does not let us: work at another priority is still work.
    }
  }
}

/** A child that no longer listens ends, and its job is answered then. Throws when the message cannot be cloned. */
function say(child: Child, message: ToChild): void {
  if (child.process.connected) child.process.send(message, () => {});
}

function closed(): Failure {
  return new Failure('unavailable', 'The service is stopping. Try again in a moment.');
}
