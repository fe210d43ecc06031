import type { Context } from '../access/context.ts';
import type { Database } from '../access/transactions.ts';
import { Failure } from '../lib/failure.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { EventDays } from './event-days.ts';
import { gfmFolderOf } from './graph-models.ts';
import { keepOpen } from './keep-open.ts';
import { requireOpenable, snapshotMb } from './memory.ts';
import { type OpenData, openData, type ServedVersion } from './open-data.ts';
import { openStored } from './open-stored.ts';
import { placeVersion } from './place-version.ts';
import { localSnapshot } from './snapshot-files.ts';
import { choose, readState, type ServingState } from './state.ts';

/** A version that is open over its snapshot, ready to predict. */
export type Served = {
  readonly modelId: string;
  readonly versionId: string;
  /** The alias by which it was asked for; null when it was asked for by its version id. */
  readonly alias: string | null;
  readonly snapshotId: string;
  readonly opened: ServedVersion;
  readonly eventDays: EventDays;
};

type Work<R> = (served: Served) => Promise<R>;

export type Serving = {
  /**
   * Runs `work` with the version that a model serves now under an alias or a version id, over the newest snapshot.
   * Throws Failure 'not_found', 'version_inactive', 'no_data', 'budget_exceeded' when the data are too large to be
   * open, and 'unavailable' when too many workspaces are answered at once.
   */
  use<R>(ctx: Context, modelId: string, name: string, work: Work<R>): Promise<R>;
  /**
   * Reports the serving epoch of a workspace, read from the database no earlier than `since` (milliseconds since 1970).
   * A cached serving state of another epoch that was read before `since` is dropped.
   */
  note(workspaceId: string, servingEpoch: number, since: number): void;
  /** Ends the serving threads. */
  close(): Promise<void>;
};

/** A cached serving state is read again after this long, so that a moved alias is served everywhere within a second. */
const stateMs = 300;
/** Within this time after a change is committed, every process answers by it. */
export const servedWithinMs = 1_000;
/** Snapshots open at once. Each has a thread and holds its tables in memory. */
export const openDataMax = 8;

/**
 * Keeps snapshots and versions open in this process, in about `memoryMb` together, and caches the serving state of each
 * workspace.
 */
export function openServing(db: Database, storage: Storage, workFolder: string, memoryMb: number): Serving {
  const states = new Map<string, { state: ServingState; readAt: number }>();
  const reading = new Map<string, Promise<ServingState>>();
  const opened = keepOpen<OpenData>(openDataMax, undefined, memoryMb);

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
    requireOpenable(snapshot.frozenBytes, memoryMb);
    const dataKey = `${snapshot.id} ${snapshot.identifiersKey}`;
    const openSnapshot = async () => openData(await localSnapshot(storage, snapshot.frozen, snapshot.identifiersKey));
    const place = async () => ({
      folder: await placeVersion(storage, workFolder, versionId, stored),
      graphModel: stored.graphModel && (await gfmFolderOf(storage, workFolder, stored.graphModel)),
    });
    const about = { modelId, versionId, alias: isAlias ? name : null, snapshotId: snapshot.id };
    return opened.use(
      dataKey,
      openSnapshot,
      ({ eventDays, useVersion }) =>
        useVersion(versionId, place, (version) => work({ ...about, opened: version, eventDays })),
      snapshotMb(snapshot.frozenBytes),
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
        // The cached serving state may be out of date: the caller may have just set the model up, or an erasure may
        // have removed what was served. So the state is read anew before anything is refused.
        states.delete(ctx.workspaceId);
        return openStored(storage, `What ${modelId}/${name} is served from`, () =>
          useCurrent(ctx, modelId, name, work),
        );
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
