import { refuse } from '../errors.ts';

/** What takes long to open, and memory as long as it is open. */
type Opened = {
  /** Where it may end by itself. */
  readonly ended?: Promise<void>;
  close(): unknown;
};

export type KeptOpen<T> = {
  /**
   * Runs `work` with what a key stands for, opened where it is not; it is not closed meanwhile. Throws what `open` and
   * `work` throw; Failure 'unavailable' where too many others are used for too long.
   */
  use<R>(key: string, open: () => Promise<T>, work: (opened: T) => Promise<R>): Promise<R>;
  /** As `use`, with all that several keys stand for, also where these are more than are kept. */
  useAll<R>(wanted: readonly Wanted<T>[], work: (opened: readonly T[]) => Promise<R>): Promise<R>;
  /** Closes all that is kept. */
  close(): Promise<void>;
};

type Wanted<T> = { readonly key: string; readonly open: () => Promise<T> };

/** `users`: those who work with it now. */
type Entry<T> = { readonly opening: Promise<T>; users: number };

/** How long one waits for room. */
const roomWaitMs = 5_000;

/**
 * Keeps open what was used last. Never are more than `most` open, or as many as one work needs, those that are still
 * opening or closing among them: for another, the one not used for longest is closed, and where all are in use the
 * first whose users have done.
 */
export function keepOpen<T extends Opened>(most: number, waitMs = roomWaitMs): KeptOpen<T> {
  // The one used last comes last.
  const kept = new Map<string, Entry<T>>();
  const waiting = new Set<() => void>();
  let open = 0;
  let closing = 0;

  const wake = (): void => {
    const woken = [...waiting];
    waiting.clear();
    for (const next of woken) next();
  };

  const begin = (key: string, opening: Promise<T>): Entry<T> => {
    const entry = { opening, users: 0 };
    kept.set(key, entry);
    open++;
    const end = (): void => {
      if (kept.get(key) !== entry) return;
      kept.delete(key);
      open--;
      wake();
    };
    opening.then(({ ended }) => ended?.then(end), end);
    return entry;
  };

  const closeIdle = (): void => {
    const idle = [...kept].find(([, { users }]) => users === 0);
    if (!idle) return;
    const [key, { opening }] = idle;
    kept.delete(key);
    closing++;
    opening
      .then((opened) => opened.close())
      .catch(() => {})
      .finally(() => {
        closing--;
        open--;
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
      // Each of those who wait makes room for one.
      if (closing < waiting.size) closeIdle();
    });

  /** The entry of a key, with its user counted, where there is room for so many. */
  const take = async ({ key, open: start }: Wanted<T>, room: number): Promise<Entry<T>> => {
    const until = performance.now() + waitMs;
    for (;;) {
      let entry = kept.get(key);
      if (entry) {
        kept.delete(key);
        kept.set(key, entry);
      } else if (open < room) entry = begin(key, start());
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
      for (const entry of taken) entry.users--;
      if (taken.some(({ users }) => users === 0)) wake();
    }
  };

  return {
    use: (key, start, work) => useAll([{ key, open: start }], ([opened]) => work(opened)),
    useAll,
    async close() {
      const all = [...kept.values()];
      kept.clear();
      await Promise.allSettled(all.map(async ({ opening }) => (await opening).close()));
    },
  };
}
