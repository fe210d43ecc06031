// What one task may use, and what is told when it used more.
import { Failure } from '../failure.ts';
import type { PackedError } from './messages.ts';

/** What a task may use at most. */
export type Budget = {
  /** What the task does, as the start of a sentence: `Taking in the files`. */
  readonly work: string;
  readonly wallSeconds: number;
  /** Of all threads, and of processes that the task starts. */
  readonly cpuSeconds: number;
  /** Anonymous and shared memory of the process and of those that it starts; pages of files do not count. */
  readonly memoryMb: number;
  /** How much the task's folder may grow on disk. */
  readonly writtenMb: number;
  /** Whether it may take hours, and so gives way to other tasks on the processor. */
  readonly isLong?: boolean;
  /** What the caller can do about it, as a sentence. */
  readonly advice: string;
  /** What the operator can do about it, as a sentence for each limit. */
  readonly raise: Readonly<Record<Limit, string>>;
};

export type Limit = 'wall' | 'cpu' | 'memory' | 'written';

/** What a task has used so far. Numbers are absolute, in the units of its budget. */
export type Use = Readonly<Record<Limit, number>>;

/** `used` is null when the task ended for want of memory before anybody saw how much it used. */
export type Exceeded = { readonly limit: Limit; readonly allowed: number; readonly used: number | null };

/**
 * How much memory the address space may grow beyond what a task uses: threads' stacks and V8's reserves count there and
 * are never touched. Measured: 0.6 GB in an idle process, 0.75 GB while a model is trained.
 */
const untouchedMb = 1_024;
/** The share of a task's memory that V8's heap may take; arrays, WebAssembly and DuckDB live outside of it. */
const heapShare = 0.75;
/** A process that ends by a signal of its own with this share of its memory used has run out of it. */
const exhaustedShare = 0.6;
/** Signals by which V8 and native code end the process when memory cannot be had. */
const abortSignals: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'];
/** Errors of V8, Node, DuckDB and native code for memory that cannot be had. */
const outOfMemory =
  /Out of Memory Error|could not allocate (block|memory)|failed to pin block|Array buffer allocation failed|Failed to allocate memory|bad_alloc/;
/** Node's own: of native code, and of the heap of a thread. */
const outOfMemoryCodes: ReadonlySet<string | undefined> = new Set([
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ERR_WORKER_OUT_OF_MEMORY',
]);

const limits: readonly Limit[] = ['memory', 'cpu', 'wall', 'written'];

/** The first limit of a budget that is exceeded; null when none is. */
export function findExceeded(budget: Budget, use: Use): Exceeded | null {
  for (const limit of limits) {
    const allowed = allowedBy(budget, limit);
    if (use[limit] > allowed) return { limit, allowed, used: use[limit] };
  }
  return null;
}

/** Whether a task's error says that memory could not be had. A Failure never does: it was worded for the caller. */
export function isOutOfMemory(error: PackedError): boolean {
  if (error.problems !== undefined) return false;
  if (outOfMemory.test(error.message) || outOfMemoryCodes.has(error.code)) return true;
  return error.cause !== undefined && isOutOfMemory(error.cause);
}

/**
 * Whether a process that ended by a signal had run out of the memory of its budget. SIGKILL by anybody but the pool is
 * not one of them: the kernel may have chosen this process for the memory of others.
 */
export function isExhausted(budget: Budget, signal: string | null, memoryMb: number): boolean {
  return abortSignals.includes(signal) && memoryMb >= exhaustedShare * budget.memoryMb;
}

/** Memory as a limit exceeded. `used` in MB; null when it is not known. */
export function memoryExceeded({ memoryMb }: Budget, used: number | null): Exceeded {
  return { limit: 'memory', allowed: memoryMb, used: used !== null && used > memoryMb ? used : null };
}

/** The Failure of a task that exceeded its budget: 'limit_exceeded', by the documented code `budget_exceeded`. */
export function budgetFailure(budget: Budget, { limit, allowed, used }: Exceeded): Failure {
  const told = used === null ? '' : `; it had used ${amount(limit, used)} when it was stopped`;
  return new Failure(
    'limit_exceeded',
    `${budget.work} needed more ${names[limit]} than the ${amount(limit, allowed)} that one task may use${told}. ${budget.advice} ${budget.raise[limit]}`,
    { reason: 'budget_exceeded' },
  );
}

/** Flags of Node that keep V8's heap within a task's memory, and make it collect garbage before that is used up. */
export function heapFlags(memoryMb: number): readonly string[] {
  return [`--max-old-space-size=${Math.max(1, Math.floor(heapShare * memoryMb))}`];
}

/** The limit of the address space for data, in MB, that catches what grows faster than anybody looks. */
export function dataLimitMb(memoryMb: number): number {
  return memoryMb + untouchedMb;
}

const names: Readonly<Record<Limit, string>> = {
  wall: 'time',
  cpu: 'processor time',
  memory: 'memory',
  written: 'space on disk',
};

function allowedBy(budget: Budget, limit: Limit): number {
  const allowed: Use = {
    wall: budget.wallSeconds,
    cpu: budget.cpuSeconds,
    memory: budget.memoryMb,
    written: budget.writtenMb,
  };
  return allowed[limit];
}

/** Two digits where the number is small, whole units where it is not. */
function amount(limit: Limit, value: number): string {
  const unit = limit === 'wall' || limit === 'cpu' ? 'seconds' : 'MB';
  const rounded = value < 10 ? Number(value.toPrecision(2)) : Math.round(value);
  return `${rounded.toLocaleString('en-US')} ${unit}`;
}
