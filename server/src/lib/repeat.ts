import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is repeated at an interval. */
export type Repeated = {
  readonly name: string;
  /** The pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  /** While runs fail, the pause doubles up to this; without it, the pause stays the same. */
  readonly failingMaxMs?: number;
  /** Does the work once; `signal` asks it to stop soon. */
  run(signal: AbortSignal): Promise<unknown>;
};

/**
 * Repeats work at an interval, the first time after one pause. Returns a function that asks it to stop, and resolves
 * once it has.
 */
export function startRepeating(
  { name, everyMs, failingMaxMs = everyMs, run }: Repeated,
  log: { warn(details: object, message: string): void },
): () => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const running = (async () => {
    for (let pauseMs = everyMs; !signal.aborted; ) {
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await run(signal);
        pauseMs = everyMs;
      } catch (error) {
        pauseMs = Math.max(everyMs, Math.min(pauseMs * 2, failingMaxMs));
        log.warn({ err: error, work: name, againInMs: pauseMs }, 'upkeep');
      }
    }
  })();
  return (): Promise<void> => {
    stop.abort();
    return running;
  };
}
