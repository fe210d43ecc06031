import { setTimeout as sleep } from 'node:timers/promises';

/** The state of a place that its streams depend on. */
export type Standing = {
  /** The position of its newest row. */
  readonly position: number;
  /** The count of changes of rights in the workspace. */
  readonly authEpoch: number;
  /** When the query was sent, in milliseconds of `performance.now`: the state is at least as new as that. */
  readonly askedAt: number;
};

/** Receives the standing of what `key` names several times a second. */
export type Watcher<S extends Standing = Standing> = { readonly key: string; tell(standing: S): void };

export type News<S extends Standing = Standing> = {
  /** Starts sending standings to a watcher. Returns the function that stops it. */
  watch(watcher: Watcher<S>): () => void;
};

const pollMs = 200;
const errorPauseMs = 1_000;

/**
 * Polls the standings of all that is watched as long as there are watchers, with one call of `ask` for the whole
 * process.
 */
export function openNews<S extends Standing>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Omit<S, 'askedAt'>>>,
  log: { warn(details: object, message: string): void },
): News<S> {
  const watchers = new Set<Watcher<S>>();
  let isAsking = false;
  const askWhileWatched = async (): Promise<void> => {
    while (watchers.size > 0) {
      let pauseMs = pollMs;
      try {
        const askedAt = performance.now();
        const standings = await ask([...new Set([...watchers].map(({ key }) => key))]);
        for (const watcher of [...watchers]) {
          const standing = standings.get(watcher.key);
          if (standing) watcher.tell({ ...standing, askedAt } as S);
        }
      } catch (error) {
        log.warn({ err: error }, 'streams wait');
        pauseMs = errorPauseMs;
      }
      await sleep(pauseMs);
    }
    isAsking = false;
  };
  return {
    watch(watcher) {
      watchers.add(watcher);
      if (!isAsking) {
        isAsking = true;
        void askWhileWatched();
      }
      return () => void watchers.delete(watcher);
    },
  };
}
