// Starts and ends the processes of a pool.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataLimitMb, heapFlags } from './budget.ts';

export type ProcessOptions = {
  /** Path of a script that calls `serveTasks`. */
  readonly script: string;
  /** Flags of Node, such as `--max-old-space-size=4096`. */
  readonly nodeFlags?: readonly string[];
  /** The whole environment of the children. Empty by default: they handle foreign files and need no secrets. */
  readonly environment?: Readonly<Record<string, string>>;
};

const shell = '/bin/sh';
const isWindows = process.platform === 'win32';

/**
 * Starts a child for tasks that may use `memoryMb`; null for no limit. Its script gets the number as its argument. The
 * child leads a session of its own, so that it can be killed with whatever it has started.
 */
export function startProcess(
  { script, nodeFlags = [], environment = {} }: ProcessOptions,
  memoryMb: number | null,
): ChildProcess {
  const flags = [...process.execArgv, ...(memoryMb === null ? [] : heapFlags(memoryMb)), ...nodeFlags];
  const child = fork(script, memoryMb === null ? [] : [String(memoryMb)], {
    ...programOf(flags, memoryMb),
    env: { ...environment, ...keptCode() },
    serialization: 'advanced',
    // The parent's stdout is its own: what children print, and V8's last words, go to its stderr.
    stdio: ['ignore', 2, 2, 'ipc'],
    detached: !isWindows,
  });
  // When memory runs out, the kernel should kill a child, whose task runs again, and not the server. Only Linux has
  // this.
  if (process.platform === 'linux' && child.pid !== undefined)
    void writeFile(`/proc/${child.pid}/oom_score_adj`, '500').catch(() => {});
  return child;
}

/** Kills a child with all that it has started. */
export function killProcess(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (!isWindows && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has not become the leader of its session yet.
  }
  child.kill('SIGKILL');
}

/**
 * Node with its flags. On Linux a shell first limits the memory of the process and then becomes Node: this holds also
 * while the parent is too busy to look.
 */
function programOf(flags: readonly string[], memoryMb: number | null): { execPath: string; execArgv: string[] } {
  if (memoryMb === null || process.platform !== 'linux' || !existsSync(shell))
    return { execPath: process.execPath, execArgv: [...flags] };
  const limited = `ulimit -d ${Math.round(dataLimitMb(memoryMb) * 1024)}; exec "$0" "$@"`;
  return { execPath: shell, execArgv: ['-c', limited, process.execPath, ...flags] };
}

/** Lets a child use this process's cache of compiled code, if there is one. */
function keptCode(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  // The folder that the variable names, without the part that Node adds for its own version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/**
 * Sets the niceness of a child. On Linux niceness belongs to a thread and is inherited by the threads it starts, and
 * V8's threads start before any script: so every thread is set. Where the kernel shares the processors among sessions
 * (sched(7), autogroup), niceness counts only within one, and a child leads its own: so its session is set too.
 */
export async function lowerPriority(pid: number, nice: number): Promise<void> {
  if (process.platform === 'linux') await lowerSession(pid, nice);
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

/** How often and how long apart a session is set: the kernel takes one change in a tenth of a second. */
const sessionTries = 5;
const sessionRetryMs = 100;

async function lowerSession(pid: number, nice: number): Promise<void> {
  for (let attempt = 1; attempt <= sessionTries; attempt++) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(Math.max(nice, getPriority())), { flag: 'r+' });
      return;
    } catch (error) {
      // Otherwise the child has ended, or the kernel knows no such groups.
      if (!isBusy(error)) return;
      await sleep(sessionRetryMs);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
