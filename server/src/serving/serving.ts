import type { Context } from '../access/context.ts';
import type { Database } from '../access/transactions.ts';
import { Failure } from '../lib/failure.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { EventDays } from './event-days.ts';
import { gfmFolderOf } from './graph-models.ts';
import { keepOpen } from './keep-open.ts';
import { type OpenData, openData, type ServedVersion } from './open-data.ts';
import { placeVersion } from './place-version.ts';
import { choose, readState, type ServingState } from './state.ts';

/** A version over the data that it reads, ready to answer. */
export type Served = {
  readonly modelId: string;
  readonly versionId: string;
  /** The name that it was asked for by; null where it was its id. */
  readonly alias: string | null;
  readonly snapshotId: string;
  readonly opened: ServedVersion;
  readonly eventDays: EventDays;
};

type Work<R> = (served: Served) => Promise<R>;

export type Serving = {
  /**
   * Runs `work` with what a model answers with now under an alias or a version id, over the newest data. Throws Failure
   * 'not_found', 'version_inactive', 'no_data', and 'unavailable' where too many workspaces are answered at once.
   */
  use<R>(ctx: Context, modelId: string, name: string, work: Work<R>): Promise<R>;
  /**
   * Tells which count of changes the database was at, no earlier than `since` (ms): an older state is not used again.
   */
  note(workspaceId: string, servingEpoch: number, since: number): void;
  /** Ends the threads that answer. */
  close(): Promise<void>;
};

/** What is served is asked for again after this long: a moved alias is served everywhere within a second. */
const stateMs = 300;
/** So long after a change is committed no process answers by what was before, in milliseconds. */
export const servedWithinMs = 1_000;
/** Each has a thread and its tables in memory. */
const openDataMax = 8;

/** Keeps versions and tables open in this process, and knows what each workspace serves. */
export function openServing(db: Database, storage: Storage, workFolder: string): Serving {
  const states = new Map<string, { state: ServingState; readAt: number }>();
  const reading = new Map<string, Promise<ServingState>>();
  const opened = keepOpen<OpenData>(openDataMax);

  async function current(ctx: Context): Promise<ServingState> {
    const { workspaceId } = ctx;
    const known = states.get(workspaceId);
    if (known && Date.now() - known.readAt < stateMs) return known.state;
    let asked = reading.get(workspaceId);
    if (!asked) {
      const readAt = Date.now();
      asked = readState(db, ctx, known?.state)
        .then((state) => {
          states.set(workspaceId, { state, readAt });
          return state;
        })
        .finally(() => reading.delete(workspaceId));
      reading.set(workspaceId, asked);
    }
    return asked;
  }

  async function useCurrent<R>(ctx: Context, modelId: string, name: string, work: Work<R>): Promise<R> {
    const { versionId, stored, snapshot, isAlias } = choose(await current(ctx), modelId, name);
    const dataKey = `${snapshot.id} ${snapshot.identifiersKey}`;
    const openSnapshot = async () => {
      const { frozenKey, identifiersKey } = snapshot;
      const frozen = await storage.localPath(frozenKey);
      const names = identifiersKey === null ? null : await storage.localPath(identifiersKey);
      return openData({ frozen, names });
    };
    const place = async () => ({
      folder: await placeVersion(storage, workFolder, versionId, stored),
      graphModel: stored.graphModel && (await gfmFolderOf(storage, workFolder, stored.graphModel)),
    });
    const about = { modelId, versionId, alias: isAlias ? name : null, snapshotId: snapshot.id };
    return opened.use(dataKey, openSnapshot, ({ eventDays, useVersion }) =>
      useVersion(versionId, place, (version) => work({ ...about, opened: version, eventDays })),
    );
  }

  return {
    async use(ctx, modelId, name, work) {
      let hasBegun = false;
      try {
        return await useCurrent(ctx, modelId, name, (served) => {
          hasBegun = true;
          return work(served);
        });
      } catch (error) {
        if (hasBegun || !(error instanceof Failure)) throw error;
        // Whoever has just set it up may ask at once, and an erasure takes away what was served: nothing is refused on
        // a kept state.
        states.delete(ctx.workspaceId);
        return useCurrent(ctx, modelId, name, work);
      }
    },
    note(workspaceId, servingEpoch, since) {
      const known = states.get(workspaceId);
      if (!known) return;
      if (known.state.epoch === servingEpoch) known.readAt = Math.max(known.readAt, since);
      else if (known.readAt < since) states.delete(workspaceId);
    },
    close: () => opened.close(),
  };
}
