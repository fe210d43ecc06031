import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is done every so often. */
export type Repeated = {
  readonly name: string;
  /** Between the end of one time and the begin of the next. */
  readonly everyMs: number;
  /** While it fails, the pause doubles up to this; without it, the pause stays. */
  readonly failingMaxMs?: number;
  /** `signal` asks it to stop soon. */
  run(signal: AbortSignal): Promise<unknown>;
};

/**
 * Does something every so often, the first time after a pause; what that returns asks it to stop, and resolves once it
 * has.
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
