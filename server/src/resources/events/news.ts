import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, system } from '../../access/transactions.ts';
import { selectStandings } from './sql.ts';

/** The state of a workspace that its event streams depend on. */
export type Standing = {
  /** The position of its newest event. */
  readonly position: number;
  readonly authEpoch: number;
  /** When the query was sent, in milliseconds of `performance.now`: the state is at least as new as that. */
  readonly askedAt: number;
};

/** Receives the standing of a workspace several times a second. */
export type Watcher = { readonly workspaceId: string; tell(standing: Standing): void };

export type News = {
  /** Starts sending standings to a watcher. Returns the function that stops it. */
  watch(watcher: Watcher): () => void;
};

const pollMs = 200;
const errorPauseMs = 1_000;

/** Polls the standings of all watched workspaces in one query for the whole process, as long as there are watchers. */
export function openNews(db: Database, log: { warn(details: object, message: string): void }): News {
  const watchers = new Set<Watcher>();
  let isAsking = false;
  const askWhileWatched = async (): Promise<void> => {
    while (watchers.size > 0) {
      let pauseMs = pollMs;
      try {
        const standings = await ask(db, [...new Set([...watchers].map(({ workspaceId }) => workspaceId))]);
        for (const watcher of [...watchers]) {
          const standing = standings.get(watcher.workspaceId);
          if (standing) watcher.tell(standing);
        }
      } catch (error) {
        log.warn({ err: error }, 'streams of events wait');
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

async function ask(db: Database, workspaces: readonly string[]): Promise<ReadonlyMap<string, Standing>> {
  const askedAt = performance.now();
  const rows = await system(db, 'follow events', (tx) => selectStandings(tx, workspaces));
  return new Map(rows.map(({ id, ...standing }) => [id, { ...standing, askedAt }]));
}
