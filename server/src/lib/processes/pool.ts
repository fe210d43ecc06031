// Child processes for heavy work: the server survives whatever they crash, leak or block.
import type { ChildProcess } from 'node:child_process';
import { openActiveGroups } from '../active-groups.ts';
import { assert, Failure } from '../failure.ts';
import { openRecentUse } from '../recent-use.ts';
import { noTracing, type Span, type Tracing } from '../tracing/tracing.ts';
import { type Budget, budgetFailure, type Exceeded, isExhausted, isOutOfMemory, memoryExceeded } from './budget.ts';
import { type FromChild, type ToChild, unpackError } from './messages.ts';
import type { Handler, Handlers } from './serve.ts';
import { killProcess, lowerPriority, type ProcessOptions, startProcess } from './start.ts';
import { type Supervision, supervise } from './supervise.ts';
import { openWaiting, type Turn } from './waiting.ts';

export type PoolOptions = ProcessOptions & {
  /** Most children at a time; each is started when it is needed. */
  readonly size: number;
  /** Unix niceness, from 0 (as the parent) to 19 (the lowest priority). */
  readonly nice: number;
  /** The niceness of tasks whose group has used much processor time lately. That of all tasks by default. */
  readonly heavyNice?: number;
  /** How long a task may take to stop when asked, before its process is killed. 10 seconds by default. */
  readonly stopGraceMs?: number;
  /** How long a child may wait for its next task before it is stopped. 1 minute by default. */
  readonly idleMs?: number;
  /**
   * Most resident memory that a child may hold after a task; one that holds more is replaced. By default half of what
   * its tasks may use: most of it is free to the next task, which a new child would take seconds to be as fast at.
   */
  readonly rssLimitMb?: number;
  /** What each task may use, by its name. A task without a budget is not watched. None by default. */
  readonly budgets?: Readonly<Record<string, Budget>>;
  /** A task of traced work is a span, from when it is asked for to its end. */
  readonly tracing?: Tracing;
  /** Called when a task has exceeded its budget, before it is rejected. */
  readonly onExceeded?: (exceeded: TaskExceeded) => void;
};

/** `about` is what the caller of the task said it belongs to. */
export type TaskExceeded = Exceeded & { readonly task: string; readonly about: Readonly<Record<string, string>> };

/** A pool, typed by the handlers that its script serves: `openPool<typeof handlers>(…)`. */
export type Pool<H extends Handlers> = {
  /**
   * Runs a task in a child that does nothing else meanwhile. For a free child groups take turns (`waiting.ts`); tasks
   * of a larger `leaves` let those of a smaller one pass while they hold all children that they may.
   * Rejects with
   * - the handler's `Failure` or other error, with the child's stack,
   * - Failure 'limit_exceeded' with the reason `budget_exceeded` when the task used more than its budget,
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
   * Tasks with this `leaves` or more never hold this many children: long tasks hold up no short ones, and still begin
   * beside them.
   */
  readonly leaves?: number;
  /** Whose task it is: groups take turns. All tasks without one are a group. */
  readonly group?: string;
  /** The folder that the task writes to, which is measured against its budget. */
  readonly folder?: string;
  /** What the task belongs to, for whoever is told that it exceeded its budget. */
  readonly about?: Readonly<Record<string, string>>;
};

export type InputOf<H> = H extends (input: infer Input, ...rest: never[]) => unknown ? Input : never;
export type OutputOf<H> = H extends (...parameters: never[]) => Promise<infer Output> ? Output : never;
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

type Job = Turn & {
  readonly name: string;
  readonly input: unknown;
  readonly onProgress: ((progress: unknown) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly budget: Budget | null;
  readonly folder: string | undefined;
  readonly about: Readonly<Record<string, string>>;
  readonly span: Span;
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
  /** The memory of its tasks, which its process is started for; null without a limit. */
  readonly memoryMb: number | null;
  readonly nice: number;
  /** When it had its last task, by `performance.now()`. */
  idleAt: number;
  supervision: Supervision | null;
  /** The limit for which its task is being killed. */
  exceeded: Exceeded | null;
  state: 'idle' | 'busy' | 'leaving';
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
};

/** How many children those of the lower priority never hold, so that others find a warm one. */
const highKept = 2;
/** How long a child of the lower priority must be idle before it is ended for a task of the other. */
const lowIdleMs = 1_000;
/** How long a child without a task may take to end. */
const leaveGraceMs = 5_000;

export function openPool<H extends Handlers>(options: PoolOptions): Pool<H> {
  const { size, stopGraceMs = 10_000, idleMs = 60_000, tracing = noTracing } = options;
  assert(size >= 1, 'a pool has room for one child at least');
  const children = new Set<Child>();
  const active = openActiveGroups();
  const waiting = openWaiting<Job>(size, active);
  const recentUse = openRecentUse();
  const emptied = Promise.withResolvers<void>();
  let isClosed = false;

  const dispatch = (): void => {
    for (;;) {
      const running = [...children].flatMap(({ job }) => job ?? []);
      const ending = [...children].filter(({ state }) => state === 'leaving').length;
      const next = waiting.next(running, ending, mayBegin);
      if (next === undefined) return;
      const memoryMb = next.budget?.memoryMb ?? null;
      const child = findIdle(memoryMb, niceOf(next)) ?? (children.size < size ? start(memoryMb, niceOf(next)) : null);
      if (child === null) {
        makeRoom(next);
        return;
      }
      waiting.take(next);
      begin(child, next);
    }
  };

  const isLow = (nice: number): boolean => nice > options.nice;
  const lowMax = Math.max(1, size - highKept);
  const countLow = (): number => [...children].filter(({ nice }) => isLow(nice)).length;

  /** Whether a child that may take the job's niceness is free, or can be made so. */
  const mayBegin = (job: Job): boolean => {
    if (isLow(niceOf(job))) return [...children].filter(({ job, nice }) => job !== null && isLow(nice)).length < lowMax;
    return children.size < size || [...children].some((child) => child.state !== 'busy' && mayReplace(child, job));
  };

  /** Whether an idle child may be used or ended for a job. Niceness can only grow, so the two kinds are kept apart. */
  const mayReplace = (child: Child, job: Job): boolean => {
    if (isLow(niceOf(job))) return isLow(child.nice) || countLow() < lowMax;
    return !isLow(child.nice) || countLow() > lowMax || performance.now() - child.idleAt >= lowIdleMs;
  };

  /** Long tasks give way on the processor; so do those of a group that has used much lately, while others have work. */
  const niceOf = ({ group, budget }: Job): number => {
    const { nice, heavyNice = nice } = options;
    const givesWay = budget?.isLong || (active.areSeveral() && recentUse.isHeavy(group));
    return givesWay ? heavyNice : nice;
  };

  /**
   * The idle child of this memory and niceness that was used last: it is the warmest, and the others may reach their
   * idle time.
   */
  const findIdle = (memoryMb: number | null, nice: number): Child | null =>
    [...children].findLast(
      (child) => child.state === 'idle' && child.memoryMb === memoryMb && isLow(child.nice) === isLow(nice),
    ) ?? null;

  /** Ends the idle child that was used first, for a job of other memory or niceness; the job begins when it is gone. */
  const makeRoom = (job: Job): void => {
    const all = [...children];
    if (all.some(({ state }) => state === 'leaving')) return;
    const child = all.find((child) => child.state === 'idle' && mayReplace(child, job));
    if (child) leave(child);
  };

  const start = (memoryMb: number | null, nice: number): Child => {
    const child: Child = {
      ...{ process: startProcess(options, memoryMb), memoryMb, nice, state: 'idle', job: null },
      idleAt: performance.now(),
      ...{ timer: undefined, supervision: null, exceeded: null },
    };
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
      child.timer = setTimeout(() => killProcess(child.process), stopGraceMs);
    };
    job.signal?.addEventListener('abort', stop, { once: true });
    job.forget = () => job.signal?.removeEventListener('abort', stop);
    if (child.process.pid !== undefined) job.span.set({ 'process.pid': child.process.pid });
    if (job.budget !== null && child.process.pid !== undefined)
      child.supervision = supervise(child.process.pid, job.budget, job.folder, (exceeded) => {
        child.exceeded = exceeded;
        killProcess(child.process);
      });
    try {
      say(child, { type: 'run', name: job.name, input: job.input });
    } catch (error) {
      // The input cannot be cloned; nothing was sent to the child.
      finish(child, 0, () => job.reject(error));
    }
  };

  const hear = (child: Child, message: FromChild): void => {
    const { job } = child;
    if (message.type === 'ready') void lowerPriority(child.process.pid!, child.nice);
    else if (job === null || child.exceeded !== null) return;
    else if (message.type === 'progress') job.onProgress?.(message.value);
    else if (message.type === 'done') finish(child, message.rssMb, () => job.resolve(message.output));
    else {
      const { error, rssMb } = message;
      const exceeded = job.budget !== null && isOutOfMemory(error) ? memoryExceeded(job.budget, null) : null;
      finish(child, rssMb, () =>
        job.reject(job.signal?.aborted ? job.signal.reason : exceeded ? refusal(job, exceeded) : unpackError(error)),
      );
    }
  };

  /** Tells of a task that exceeded its budget, and makes what it is rejected with. */
  const refusal = (job: Job, exceeded: Exceeded): Failure => {
    options.onExceeded?.({ ...exceeded, task: job.name, about: job.about });
    return budgetFailure(job.budget!, exceeded);
  };

  const endSupervision = ({ supervision, job }: Child): void => {
    supervision?.stop();
    if (job !== null) recentUse.add(job.group, supervision?.cpuSeconds() ?? 0);
  };

  const finish = (child: Child, rssMb: number, settle: () => void): void => {
    clearTimeout(child.timer);
    endSupervision(child);
    child.job?.forget();
    child.job = null;
    child.state = 'idle';
    child.idleAt = performance.now();
    if (isLow(child.nice)) setTimeout(dispatch, lowIdleMs).unref();
    // The child used last is last in the set.
    children.delete(child);
    children.add(child);
    const rssLimitMb = options.rssLimitMb ?? (child.memoryMb ?? Number.POSITIVE_INFINITY) / 2;
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
    child.timer = setTimeout(() => killProcess(child.process), leaveGraceMs);
  };

  const bury = (child: Child, code: number | null, signal: string | null): void => {
    clearTimeout(child.timer);
    children.delete(child);
    endSupervision(child);
    const { job } = child;
    child.job = null;
    job?.forget();
    job?.reject(reasonOf(child, job, code, signal));
    if (isClosed && children.size === 0) emptied.resolve();
    dispatch();
  };

  const reasonOf = (child: Child, job: Job, code: number | null, signal: string | null): unknown => {
    if (job.signal?.aborted) return job.signal.reason;
    if (child.exceeded !== null) return refusal(job, child.exceeded);
    const { budget } = job;
    const peakMb = child.supervision?.peakMb() ?? 0;
    if (budget !== null && isExhausted(budget, signal, peakMb)) return refusal(job, memoryExceeded(budget, peakMb));
    return new ProcessDied(job.name, code, signal);
  };

  const enqueue = (job: Job): void => {
    waiting.add(job);
    const drop = () => {
      waiting.remove(job);
      job.reject(job.signal?.reason);
    };
    job.signal?.addEventListener('abort', drop, { once: true });
    job.forget = () => job.signal?.removeEventListener('abort', drop);
    dispatch();
  };

  return {
    async run({ name, input }, { onProgress, onWait, signal, leaves = 0, group = '', folder, about = {} } = {}) {
      assert(leaves < size, 'a task leaves room for itself');
      signal?.throwIfAborted();
      if (isClosed) throw closed();
      // The cast holds: the pool is typed by the handlers of its script, which take this input and give this output.
      return tracing.beneath(
        `task ${name}`,
        'internal',
        about,
        (span) =>
          new Promise((resolve, reject) => {
            const asked = { name, input, onProgress, signal, leaves, group, folder, about, span };
            const budget = options.budgets?.[name] ?? null;
            const job = { ...asked, budget, resolve, reject, forget: () => {} } as Job;
            enqueue(job);
            if (![...children].some((child) => child.job === job)) onWait?.();
          }),
      );
    },
    async close(graceMs = stopGraceMs) {
      isClosed = true;
      for (const job of waiting.clear()) {
        job.forget();
        job.reject(closed());
      }
      if (children.size === 0) return;
      for (const child of children) if (child.state === 'idle') leave(child);
      const timer = setTimeout(() => {
        for (const child of children) killProcess(child.process);
      }, graceMs);
      await emptied.promise;
      clearTimeout(timer);
    },
  };
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
