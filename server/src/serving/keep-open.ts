import { refuse } from '../errors.ts';

/** A resource that is slow to open and holds memory while it is open. */
export type Opened = {
  /** Resolves when the resource ends by itself; absent if it never does. */
  readonly ended?: Promise<void>;
  close(): unknown;
};

export type KeptOpen<T> = {
  /**
   * Runs `work` with the resource of a key. Opens it first if it is not open, and does not close it while `work` runs.
   * Throws what `open` and `work` throw; Failure 'unavailable' when other resources stay in use for too long.
   */
  use<R>(key: string, open: () => Promise<T>, work: (opened: T) => Promise<R>, weight?: number): Promise<R>;
  /** Like `use`, with the resources of several keys at once, even if they are more than are kept open. */
  useAll<R>(wanted: readonly Wanted<T>[], work: (opened: readonly T[]) => Promise<R>): Promise<R>;
  /** Whether the resource of a key is open or opening. */
  has(key: string): boolean;
  /** Closes the resource of a key as soon as nobody uses it. */
  drop(key: string): void;
  /** Closes all resources, those in use as well; not awaited are those that were dropped and are still in use. */
  close(): Promise<void>;
};

type Wanted<T> = {
  readonly key: string;
  readonly open: () => Promise<T>;
  /** What it counts against `weightMax`, known before it is opened. 0 by default. */
  readonly weight?: number;
};

/** `users`: the number of calls that work with the resource now. `isDropped`: it is closed when they are done. */
type Entry<T> = { readonly opening: Promise<T>; readonly weight: number; users: number; isDropped: boolean };

/** How long a call waits until another resource can be closed. */
export const roomWaitMs = 5_000;

/**
 * Keeps the most recently used resources open. At most `most` are open, or as many as one call of `useAll` needs;
 * resources that are still opening or closing count. What is open weighs at most `weightMax` together, but for one that
 * is heavier alone. To open another one, the least recently used idle resource is closed. When all are in use, the call
 * waits for the first one that becomes idle.
 */
export function keepOpen<T extends Opened>(
  most: number,
  waitMs = roomWaitMs,
  weightMax = Number.POSITIVE_INFINITY,
): KeptOpen<T> {
  // In order of last use, the most recent last.
  const kept = new Map<string, Entry<T>>();
  const waiting = new Set<() => void>();
  let open = 0;
  let held = 0;
  let closing = 0;

  const wake = (): void => {
    const woken = [...waiting];
    waiting.clear();
    for (const next of woken) next();
  };

  const begin = (key: string, opening: Promise<T>, weight: number): Entry<T> => {
    const entry: Entry<T> = { opening, weight, users: 0, isDropped: false };
    kept.set(key, entry);
    open++;
    held += weight;
    const end = (): void => {
      if (kept.get(key) !== entry) return;
      kept.delete(key);
      open--;
      held -= weight;
      wake();
    };
    opening.then(({ ended }) => ended?.then(end), end);
    return entry;
  };

  const closeIdle = (): void => {
    const idle = [...kept].find(([, { users }]) => users === 0);
    if (!idle) return;
    kept.delete(idle[0]);
    close(idle[1]);
  };

  const close = ({ opening, weight }: Entry<T>): void => {
    closing++;
    opening
      .then((opened) => opened.close())
      .catch(() => {})
      .finally(() => {
        closing--;
        open--;
        held -= weight;
        wake();
      });
  };

  const change = (leftMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const next = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(next);
        reject(refuse('unavailable', 'too many workspaces are answered at once; try again shortly'));
      }, leftMs);
      waiting.add(next);
      // One idle resource is closed for each waiting call.
      if (closing < waiting.size) closeIdle();
    });

  /**
   * Returns the entry of a key and counts the caller as its user. Opens the resource when fewer than `room` are open,
   * and otherwise waits.
   */
  const take = async ({ key, open: start, weight = 0 }: Wanted<T>, room: number): Promise<Entry<T>> => {
    const until = performance.now() + waitMs;
    for (;;) {
      let entry = kept.get(key);
      if (entry) {
        kept.delete(key);
        kept.set(key, entry);
      } else if (open < room && (open === 0 || held + weight <= weightMax)) entry = begin(key, start(), weight);
      if (entry) {
        entry.users++;
        return entry;
      }
      await change(until - performance.now());
    }
  };

  const useAll: KeptOpen<T>['useAll'] = async (wanted, work) => {
    const taken: Entry<T>[] = [];
    try {
      const opened: T[] = [];
      for (const one of wanted) {
        const entry = await take(one, Math.max(most, wanted.length));
        taken.push(entry);
        opened.push(await entry.opening);
      }
      return await work(opened);
    } finally {
      for (const entry of taken) {
        entry.users--;
        if (entry.isDropped && entry.users === 0) close(entry);
      }
      if (taken.some(({ users }) => users === 0)) wake();
    }
  };

  return {
    use: (key, start, work, weight = 0) => useAll([{ key, open: start, weight }], ([opened]) => work(opened)),
    useAll,
    has: (key) => kept.has(key),
    drop(key) {
      const entry = kept.get(key);
      if (!entry) return;
      kept.delete(key);
      entry.isDropped = true;
      if (entry.users === 0) close(entry);
    },
    async close() {
      const all = [...kept.values()];
      kept.clear();
      await Promise.allSettled(all.map(async ({ opening }) => (await opening).close()));
    },
  };
}
