import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is repeated at an interval. */
export type Repeated = {
  readonly name: string;
  /** The longest pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  /** Of other work in the same process: when a run of it has done something, this runs at once. */
  readonly after?: string;
  /** While runs fail, pauses are short at first and double up to this; without it, they are as long as ever. */
  readonly failingMaxMs?: number;
  /**
   * Does the work once; `signal` asks it to stop soon. A number that it resolves to says how much it has done; a list
   * names other work that is to run at once, unless it fails.
   */
  run(signal: AbortSignal): Promise<unknown>;
};

/** Longest time that twice over is the first pause of what fails. */
const failingMinMs = 100;

type Log = { warn(details: object, message: string): void };

/**
 * Repeats each work at its interval, the first time after one pause. Returns a function that asks all of it to stop,
 * and resolves once it has.
 */
export function startRepeating(works: readonly Repeated[], log: Log): () => Promise<void> {
  const stop = new AbortController();
  const alarms = new Map(works.map(({ name }) => [name, openAlarm(stop.signal)]));
  const running = works.map((work) =>
    repeat(work, alarms.get(work.name)!, stop.signal, log, (done) => {
      if (Array.isArray(done)) for (const name of done) alarms.get(name)?.ring();
      if (typeof done === 'number' && done > 0)
        for (const { name, after } of works) if (after === work.name) alarms.get(name)!.ring();
    }),
  );
  return async (): Promise<void> => {
    stop.abort();
    await Promise.all(running);
  };
}

async function repeat(
  { name, everyMs, failingMaxMs, run }: Repeated,
  alarm: Alarm,
  signal: AbortSignal,
  log: Log,
  onDone: (done: unknown) => void,
): Promise<void> {
  const firstMs = failingMaxMs === undefined ? everyMs : Math.min(everyMs, failingMinMs);
  for (let failingMs = 0; ; ) {
    await (failingMs > 0 ? sleep(failingMs, undefined, { signal }).catch(() => {}) : alarm.sleep(everyMs));
    if (signal.aborted) return;
    try {
      onDone(await run(signal));
      failingMs = 0;
    } catch (error) {
      failingMs = Math.min(2 * (failingMs || firstMs), failingMaxMs ?? everyMs);
      log.warn({ err: error, work: name, againInMs: failingMs }, 'upkeep');
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
