import { randomUUID } from 'node:crypto';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../access/context.ts';
import { type Database, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { Failure } from '../lib/failure.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { EventDays } from './event-days.ts';
import { gfmFolderOf, type StoredGfm, selectStoredGfms } from './graph-models.ts';
import { keepOpen } from './keep-open.ts';
import { type OpenData, openData, type ServedVersion } from './open-data.ts';

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
   * Runs `work` with what a model answers with now under an alias or a version id, over the newest data.
   * Throws Failure 'not_found', 'version_inactive', 'no_data', and 'unavailable' where too many workspaces are answered at once.
   */
  use<R>(ctx: Context, modelId: string, name: string, work: Work<R>): Promise<R>;
  /** Tells which count of changes the database was at, no earlier than `since` (ms): an older state is not used again. */
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

type Snapshot = { readonly id: string; readonly frozenKey: string; readonly identifiersKey: string | null };

type ServingState = {
  readonly epoch: number;
  readonly snapshot: Snapshot | null;
  /** Version id by `<model>/<alias>`. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, StoredVersion>;
};

type StoredVersion = {
  readonly modelId: string;
  readonly isActive: boolean;
  readonly prefix: string;
  readonly files: readonly string[];
  /** The version of the graph model that it reads. */
  readonly graphModel: StoredGfm | null;
};

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
      folder: await versionFolder(storage, workFolder, versionId, stored),
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
        // Whoever has just set it up may ask at once, and an erasure takes away what was served: nothing is refused on a
        // kept state.
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

/** Says that a model has no such name, and those that it has. `aliases` as `<model>/<alias>`. */
export function unknownName(modelId: string, name: string, aliases: Iterable<string>): string {
  const own = [...aliases].filter((alias) => alias.startsWith(`${modelId}/`));
  const has =
    own.length === 0 ? '' : `; the model has ${own.map((alias) => alias.slice(modelId.length + 1)).join(', ')}`;
  return `there is no model ${modelId} with an alias or version ${name}${has}`;
}

/** What a name stands for in a serving state. Throws Failure as `use` does. */
function choose({ aliases, versions, snapshot }: ServingState, modelId: string, name: string) {
  const aliased = aliases.get(`${modelId}/${name}`);
  const versionId = aliased ?? name;
  const stored = versions.get(versionId);
  if (!stored || stored.modelId !== modelId) throw refuse('not_found', unknownName(modelId, name, aliases.keys()));
  if (!stored.isActive) throw refuse('version_inactive', `version ${versionId} is not active`);
  if (!snapshot) throw refuse('no_data', 'the workspace has no data yet');
  return { versionId, stored, snapshot, isAlias: aliased !== undefined };
}

/** A local folder with the files of a version, under the names they have in it. */
export async function versionFolder(
  storage: Storage,
  workFolder: string,
  versionId: string,
  { prefix, files }: Pick<StoredVersion, 'prefix' | 'files'>,
): Promise<string> {
  const folder = join(workFolder, 'versions', versionId);
  await mkdir(folder, { recursive: true });
  for (const name of files) {
    const from = await storage.localPath(`${prefix}${name}`);
    // The same version may be opened over two snapshots at once.
    const partial = join(folder, `.${name}-${randomUUID()}`);
    await symlink(from, partial);
    await rename(partial, join(folder, name));
  }
  return folder;
}

function readState(db: Database, ctx: Context, known: ServingState | undefined): Promise<ServingState> {
  return tenant(db, ctx, async (tx) => {
    const workspace = await tx
      .selectFrom('workspaces')
      .leftJoin('snapshots', 'snapshots.id', 'workspaces.snapshot_id')
      .select(['workspaces.serving_epoch', 'workspaces.identifiers_key', 'snapshots.id', 'snapshots.frozen_key'])
      .where('workspaces.id', '=', ctx.workspaceId)
      .executeTakeFirstOrThrow();
    if (known?.epoch === workspace.serving_epoch) return known;
    const aliases = await tx.selectFrom('aliases').select(['model_id', 'alias', 'version_id']).execute();
    const versions = await tx
      .selectFrom('model_versions')
      .select(['id', 'model_id', 'status', 'storage_prefix', 'files', 'gfm_version_id'])
      .execute();
    const graphModels = await selectStoredGfms(tx, versions);
    return {
      epoch: workspace.serving_epoch,
      snapshot: workspace.id
        ? { id: workspace.id, frozenKey: workspace.frozen_key!, identifiersKey: workspace.identifiers_key }
        : null,
      aliases: new Map(aliases.map(({ model_id, alias, version_id }) => [`${model_id}/${alias}`, version_id])),
      versions: new Map(
        versions.map(({ id, model_id, status, storage_prefix, files, gfm_version_id }) => [
          id,
          {
            modelId: model_id,
            isActive: status === 'active',
            prefix: storage_prefix,
            files: Object.keys(files as Record<string, string>),
            graphModel: gfm_version_id === null ? null : graphModels.get(gfm_version_id)!,
          },
        ]),
      ),
    };
  });
}
