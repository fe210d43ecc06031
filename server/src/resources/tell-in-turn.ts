import type { Log } from '../lib/queue/worker.ts';

/** How far work is; the phase says what it does. */
type Progress = { readonly phase: string };

const everyMs = 400;

/**
 * Writes how far work is, in order: at once where `isUrgent` says so of its phase and of the one written last,
 * otherwise at most once in 400 ms. What cannot be written is logged, and the work goes on.
 */
export function tellInTurn<P extends Progress>(
  log: Log,
  write: (progress: P) => Promise<unknown>,
  isUrgent = (phase: string, last: string): boolean => phase !== last,
): (progress: P) => void {
  let told = 0;
  let last = '';
  let written: Promise<unknown> = Promise.resolve();
  return (progress) => {
    if (!isUrgent(progress.phase, last) && Date.now() - told < everyMs) return;
    told = Date.now();
    last = progress.phase;
    written = written.then(() => write(progress)).catch((error) => log.warn({ err: error }, 'progress not written'));
  };
}
