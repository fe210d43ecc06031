import type { Context } from '../access/context.ts';
import { type Database, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { Failure } from '../lib/failure.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { EventDays } from './event-days.ts';
import { type Asked, type Data, openGenerations, type Unit } from './generations.ts';
import { gfmFolderOf } from './graph-models.ts';
import { keepOpen } from './keep-open.ts';
import { requireOpenable, snapshotMb } from './memory.ts';
import { type OpenData, openData, type ServedVersion, type TracedVersion } from './open-data.ts';
import { openCopies, openStored } from './open-stored.ts';
import { placeVersion } from './place-version.ts';
import { lineOf, localSnapshot } from './snapshot-files.ts';
import {
  choose,
  meaningOf,
  type Pin,
  readPin,
  readState,
  type ServedStored,
  type ServingState,
  type Snapshot,
  type Split,
} from './state.ts';
import { unserved } from './unserved.ts';

/** A version that is open over its snapshot, ready to predict. */
export type Served = {
  readonly modelId: string;
  readonly versionId: string;
  /** The alias by which it was asked for; null when it was asked for by its version id. */
  readonly alias: string | null;
  /** Of whom the alias is asked about, a share is for another version to answer; null where it is not split. */
  readonly split: Split | null;
  readonly snapshotId: string;
  readonly opened: ServedVersion;
  readonly eventDays: EventDays;
};

type Work<R> = (served: Served) => Promise<R>;

/** What a request asks for. `model`: its id or name. `name`: an alias or a version id. */
export type AskedVersion = {
  readonly model: string;
  readonly name: string;
  /** The answer must be from this snapshot or a newer one; absent if any that is served will do. */
  readonly snapshotId?: string | undefined;
  /** Whether it is for the version that answers a share of the alias, as long as it is split. */
  readonly challenged?: boolean;
};

/** A version over the snapshot that something was answered from by it. */
export type Pinned = { readonly opened: TracedVersion; readonly eventDays: EventDays };

export type Serving = {
  /**
   * Runs `work` with the version that a model serves now under an alias or a version id, over the newest snapshot that
   * is ready: see `openGenerations`. Throws Failure 'not_found', 'model_training' while a run makes what the alias is
   * to mean, 'version_inactive', 'no_data', 'budget_exceeded' when the data are too large to be open, and 'unavailable'
   * when too many workspaces are answered at once.
   */
  use<R>(ctx: Context, asked: AskedVersion, work: Work<R>): Promise<R>;
  /**
   * Runs `work` with the version that something was answered by, over the snapshot that it was answered from, whatever
   * is served now. Throws Failure 'pin_gone', 'budget_exceeded', 'object_damaged', and 'unavailable' as `use` does.
   */
  usePinned<R>(ctx: Context, pin: Pin, work: (pinned: Pinned) => Promise<R>): Promise<R>;
  /**
   * Reports the serving epoch of a workspace, read from the database no earlier than `since` (milliseconds since 1970).
   * A cached serving state of another epoch that was read before `since` is dropped.
   */
  note(workspaceId: string, servingEpoch: number, since: number): void;
  /**
   * Opens a snapshot that is stored and about to be served, if this process answers for the workspace. Resolves when
   * requests can be answered from it, or after half a minute, to a function for the case that it is not served after
   * all.
   */
  prepare(ctx: Context, snapshot: Snapshot): Promise<() => void>;
  /** Ends the serving threads. */
  close(): Promise<void>;
};

/** A cached serving state is read again after this long, so that a moved alias is served everywhere within a second. */
const stateMs = 300;
/** Within this time after a change is committed, every process answers by it. */
export const servedWithinMs = 1_000;
/** Snapshots open at once. Each has a thread and holds its tables in memory. */
export const openDataMax = 8;

/** Workspaces whose states are remembered: of those asked about last. */
const statesMax = 1_000;

type Known = {
  readonly state: ServingState;
  /** It has been served since then or later: until then the state before was seen to be. */
  readonly since: number;
  /** When it was last seen to be served. */
  readAt: number;
  /** Whether something newer is known to be there. */
  isOutdated: boolean;
};

/**
 * Keeps snapshots and versions open in this process, in about `memoryMb` together, and caches the serving state of each
 * workspace.
 */
export function openServing(db: Database, storage: Storage, workFolder: string, memoryMb: number): Serving {
  const states = new Map<string, Known>();
  const reading = new Map<string, Promise<Known>>();
  const opened = keepOpen<OpenData>(openDataMax, undefined, memoryMb);
  const generations = openGenerations<OpenData, TracedVersion, ServingState>(opened, memoryMb);
  /** By workspace, the snapshot before that which is served now that was last answered from. */
  const pinned = new Map<string, string>();

  async function current(ctx: Context): Promise<Known> {
    const { workspaceId } = ctx;
    const known = states.get(workspaceId);
    if (known && !known.isOutdated && Date.now() - known.readAt < stateMs) return known;
    let asked = reading.get(workspaceId);
    if (!asked) {
      const readAt = Date.now();
      asked = readState(db, ctx, known?.state)
        .then((state) => {
          const since = state === known?.state ? known.since : (known?.readAt ?? readAt);
          const read = { state, readAt, since, isOutdated: false };
          states.delete(workspaceId);
          states.set(workspaceId, read);
          if (states.size > statesMax) states.delete(states.keys().next().value!);
          return read;
        })
        .finally(() => reading.delete(workspaceId));
      reading.set(workspaceId, asked);
    }
    return asked;
  }

  /** The serving state, not older than a snapshot. Throws Failure 'not_found'. */
  async function currentWith(ctx: Context, snapshotId: string | undefined): Promise<Known> {
    const known = await current(ctx);
    if (snapshotId === undefined || has(known.state.snapshot, snapshotId)) return known;
    known.isOutdated = true;
    const read = await current(ctx);
    if (!has(read.state.snapshot, snapshotId))
      throw refuse(
        'not_found',
        `there is no snapshot ${snapshotId}; the newest is ${read.state.snapshot?.id ?? 'none'}`,
      );
    return read;
  }

  const dataOf = ({ id, frozen, frozenBytes, identifiersKey }: Snapshot): Data<OpenData> => ({
    key: `${id} ${identifiersKey}`,
    line: lineOf(identifiersKey),
    weightMb: snapshotMb(frozenBytes),
    open: () => openCopies(async () => openData(await localSnapshot(storage, frozen, identifiersKey))),
  });

  const unitOf = (versionId: string, stored: ServedStored): Unit<OpenData, TracedVersion> => {
    const place = async () => ({
      folder: await placeVersion(storage, workFolder, versionId, stored),
      graphModel: stored.graphModel && (await gfmFolderOf(storage, workFolder, stored.graphModel)),
    });
    return { id: versionId, use: (data, work) => data.useVersion(versionId, place, work) };
  };
  const versionOf = (versionId: string, { versions }: ServingState) => unitOf(versionId, versions.get(versionId)!);

  async function ask(
    ctx: Context,
    { model, name, snapshotId, challenged = false }: AskedVersion,
  ): Promise<Asked<OpenData, TracedVersion, ServingState>> {
    const { state, since } = await currentWith(ctx, snapshotId);
    const chosen = choose(state, model, name, challenged);
    if (!chosen) throw await tenant(db, ctx, (tx) => unserved(tx, model, name, state.aliases.keys()));
    const { modelId, snapshot } = chosen;
    requireOpenable(snapshot.frozenBytes, memoryMb);
    return {
      ...{ workspaceId: ctx.workspaceId, state, servedSince: since },
      // A state without a snapshot is refused.
      dataOf: ({ snapshot }) => dataOf(snapshot!),
      unitOf(by) {
        const versionId = meaningOf(by, modelId, name, challenged);
        // What is no longer active answers no more, whatever it was before.
        return versionId !== null && state.versions.get(versionId)?.isActive ? versionOf(versionId, by) : null;
      },
      newUnits: (now, before) => newVersions(now, before, modelId).map((versionId) => versionOf(versionId, now)),
      accepts: ({ snapshot }) => snapshotId === undefined || has(snapshot, snapshotId),
    };
  }

  async function useCurrent<R>(ctx: Context, asked: AskedVersion, work: Work<R>): Promise<R> {
    const { name } = asked;
    return generations.use(
      await ask(ctx, asked),
      () => ask(ctx, asked),
      ({ state, data, unit, unitId }) => {
        const { modelId } = state.versions.get(unitId)!;
        return work({
          ...{ modelId, versionId: unitId, alias: unitId === name ? null : name },
          split: state.splits.get(`${modelId}/${name}`) ?? null,
          snapshotId: state.snapshot!.id,
          ...{ opened: unit, eventDays: data.eventDays },
        });
      },
    );
  }

  return {
    async use(ctx, asked, work) {
      let hasBegun = false;
      try {
        return await useCurrent(ctx, asked, (served) => {
          hasBegun = true;
          return work(served);
        });
      } catch (error) {
        if (hasBegun || !(error instanceof Failure)) throw error;
        // The cached serving state may be out of date: the caller may have just set the model up, or an erasure may
        // have removed what was served. So the state is read anew before anything is refused.
        states.delete(ctx.workspaceId);
        return openStored(storage, `What ${asked.model}/${asked.name} is served from`, () =>
          useCurrent(ctx, asked, work),
        );
      }
    },
    async usePinned(ctx, pin, work) {
      const { stored, snapshot } = await tenant(db, ctx, (tx) => readPin(tx, ctx, pin));
      const unit = unitOf(pin.versionId, stored);
      const data = dataOf(snapshot);
      const { workspaceId } = ctx;
      return openStored(storage, `What it was answered by, ${pin.versionId} over ${pin.snapshotId},`, async () => {
        const open = generations.useOpen(workspaceId, data.key, unit, (version, { eventDays }) =>
          work({ opened: version, eventDays }),
        );
        if (open) return open;
        requireOpenable(snapshot.frozenBytes, memoryMb);
        // Of each workspace one snapshot is kept open besides: pages are asked for one after the other.
        const key = `${data.key} of a pin`;
        const before = pinned.get(workspaceId);
        if (before !== undefined && before !== key) opened.drop(before);
        pinned.delete(workspaceId);
        pinned.set(workspaceId, key);
        if (pinned.size > openDataMax) pinned.delete(pinned.keys().next().value!);
        const { weightMb } = data;
        return opened.use(
          key,
          data.open,
          (own) => unit.use(own, (version) => work({ opened: version, eventDays: own.eventDays })),
          weightMb,
        );
      });
    },
    note(workspaceId, servingEpoch, since) {
      const known = states.get(workspaceId);
      if (!known) return;
      if (known.state.epoch === servingEpoch) known.readAt = Math.max(known.readAt, since);
      else if (known.readAt < since) known.isOutdated = true;
    },
    async prepare(ctx, snapshot) {
      const known = states.get(ctx.workspaceId);
      if (!known || snapshotMb(snapshot.frozenBytes) > memoryMb) return () => {};
      return generations.prepare(ctx.workspaceId, { ...known.state, snapshot }, dataOf(snapshot));
    },
    close: () => opened.close(),
  };
}

/** Whether a snapshot is the one with an id, or newer: ids ascend with time. */
function has(snapshot: Snapshot | null, id: string): boolean {
  return snapshot !== null && snapshot.id >= id;
}

/** The versions of a model that have become active, or that an alias or a split has moved to, since `before`. */
function newVersions(now: ServingState, before: ServingState, modelId: string): string[] {
  if (now === before) return [];
  const ofModel = (alias: string) => alias.startsWith(`${modelId}/`);
  const moved = [...now.aliases].flatMap(([alias, id]) =>
    ofModel(alias) && before.aliases.get(alias) !== id ? [id] : [],
  );
  const challenging = [...now.splits].flatMap(([alias, { versionId }]) =>
    ofModel(alias) && before.splits.get(alias)?.versionId !== versionId ? [versionId] : [],
  );
  const activated = [...now.versions].flatMap(([id, own]) =>
    own.modelId === modelId && own.isActive && !before.versions.get(id)?.isActive ? [id] : [],
  );
  return [...new Set([...moved, ...challenging, ...activated])].filter((id) => now.versions.get(id)?.isActive);
}
