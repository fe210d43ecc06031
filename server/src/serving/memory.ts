// How much memory the data take that are open to be answered from.
import { refuse } from '../errors.ts';

/**
 * What is in memory for each byte of frozen tables: the tables themselves, and the histories that versions read.
 * Measured: 0.8 for tables alone, 4 to 6 for small ones with a version.
 */
const memoryPerFrozenByte = 4;
/** What a snapshot takes in any case: a thread with the code that answers. */
const threadMb = 48;

/** About how much memory a snapshot takes while it is open, in MB. */
export function snapshotMb(frozenBytes: number): number {
  return threadMb + (memoryPerFrozenByte * frozenBytes) / 2 ** 20;
}

/** Throws Failure 'budget_exceeded' for a snapshot that would take more memory than all open snapshots may. */
export function requireOpenable(frozenBytes: number, memoryMb: number): void {
  const neededMb = snapshotMb(frozenBytes);
  if (neededMb <= memoryMb) return;
  const [needed, most] = [neededMb, memoryMb].map((megabytes) => Math.round(megabytes).toLocaleString('en-US'));
  throw refuse(
    'budget_exceeded',
    `the data of the workspace would take about ${needed} MB of memory to answer at once, and there are ${most} MB for that: predict in batches, or take in fewer rows or columns. The operator can raise this limit by LASTRO_SERVING_MEMORY_MB`,
  );
}
