import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is repeated at an interval. */
export type Repeated = {
  readonly name: string;
  /** The pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  /** Of other work in the same process: when a run of it has done something, this runs at once. */
  readonly after?: string;
  /** While runs fail, the pause doubles up to this; without it, the pause stays the same. */
  readonly failingMaxMs?: number;
  /** Does the work once; `signal` asks it to stop soon. A number that it resolves to says how much it has done. */
  run(signal: AbortSignal): Promise<unknown>;
};

type Log = { warn(details: object, message: string): void };

/**
 * Repeats each work at its interval, the first time after one pause. Returns a function that asks all of it to stop,
 * and resolves once it has.
 */
export function startRepeating(works: readonly Repeated[], log: Log): () => Promise<void> {
  const stop = new AbortController();
  const alarms = new Map(works.map(({ name }) => [name, openAlarm(stop.signal)]));
  const running = works.map((work) =>
    repeat(work, alarms.get(work.name)!, stop.signal, log, () => {
      for (const { name, after } of works) if (after === work.name) alarms.get(name)!.ring();
    }),
  );
  return async (): Promise<void> => {
    stop.abort();
    await Promise.all(running);
  };
}

async function repeat(
  { name, everyMs, failingMaxMs = everyMs, run }: Repeated,
  alarm: Alarm,
  signal: AbortSignal,
  log: Log,
  onDone: () => void,
): Promise<void> {
  for (let pauseMs = everyMs; ; ) {
    await alarm.sleep(pauseMs);
    if (signal.aborted) return;
    try {
      const done = await run(signal);
      if (typeof done === 'number' && done > 0) onDone();
      pauseMs = everyMs;
    } catch (error) {
      pauseMs = Math.max(everyMs, Math.min(pauseMs * 2, failingMaxMs));
      log.warn({ err: error, work: name, againInMs: pauseMs }, 'upkeep');
    }
  }
}

type Alarm = {
  /** Resolves after `ms`, when the alarm rings, or at once if it rang since the last sleep. */
  sleep(ms: number): Promise<void>;
  ring(): void;
};

function openAlarm(stopped: AbortSignal): Alarm {
  let rung = new AbortController();
  return {
    async sleep(ms) {
      await sleep(ms, undefined, { signal: AbortSignal.any([stopped, rung.signal]) }).catch(() => {});
      rung = new AbortController();
    },
    ring() {
      rung.abort();
    },
  };
}
