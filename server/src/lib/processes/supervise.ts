// Watches a task from outside of its process, which may be busy in code that never yields.
import { type Budget, type Exceeded, findExceeded, type Use } from './budget.ts';
import { descendants, folderMb, type ProcessUse, readProc, readPs } from './usage.ts';

export type Supervision = {
  /** The most memory that was seen, in MB. */
  readonly peakMb: () => number;
  /** The processor time that was seen, in seconds; 0 where it cannot be told. */
  readonly cpuSeconds: () => number;
  stop(): void;
};

/** Memory can grow by gigabytes in a second, and a look takes microseconds. */
const lookEveryMs = 25;
/** How often folders are measured, new processes looked for, and `ps` asked: each takes milliseconds. */
const slowLookEveryMs = 1_000;

/**
 * Calls `onExceeded` once, when a task exceeds its budget. `pid` is the child that runs it, which leads a session of
 * its own; `folder` is where the task writes. On Windows only the time is watched.
 */
export function supervise(
  pid: number,
  budget: Budget,
  folder: string | undefined,
  onExceeded: (exceeded: Exceeded) => void,
): Supervision {
  const began = performance.now();
  const isLinux = process.platform === 'linux';
  let pids = [pid];
  let seen: ProcessUse = isLinux ? readProc(pids) : { cpuSeconds: 0, memoryMb: 0 };
  // A child keeps its processor time from one task to the next.
  let cpuBefore: number | null = isLinux ? seen.cpuSeconds : null;
  let writtenBefore: number | null = null;
  let writtenMb = 0;
  let peakMb = 0;
  let isDone = false;

  const cpuSeconds = (): number => seen.cpuSeconds - (cpuBefore ?? seen.cpuSeconds);

  const look = (): void => {
    if (isLinux) seen = readProc(pids);
    peakMb = Math.max(peakMb, seen.memoryMb);
    const use: Use = {
      wall: (performance.now() - began) / 1000,
      cpu: cpuSeconds(),
      memory: seen.memoryMb,
      written: writtenMb,
    };
    const exceeded = isDone ? null : findExceeded(budget, use);
    if (exceeded === null) return;
    stop();
    onExceeded(exceeded);
  };

  const lookSlowly = async (): Promise<void> => {
    if (isLinux) pids = descendants(pid);
    else if (process.platform !== 'win32') {
      seen = await readPs(pid);
      cpuBefore ??= seen.cpuSeconds;
    }
    if (folder !== undefined && process.platform !== 'win32') {
      const found = await folderMb(folder);
      // What the task was given lies there before it begins.
      writtenBefore ??= found;
      writtenMb = found - writtenBefore;
    }
    if (!isDone) slow = setTimeout(() => void lookSlowly(), slowLookEveryMs).unref();
  };

  const stop = (): void => {
    isDone = true;
    clearInterval(fast);
    clearTimeout(slow);
  };

  let slow: NodeJS.Timeout | undefined;
  const fast = setInterval(look, lookEveryMs).unref();
  void lookSlowly();
  return { peakMb: () => peakMb, cpuSeconds, stop };
}
