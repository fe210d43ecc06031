import type { Context } from '../access/context.ts';
import { type Database, type Tx, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { type StoredGfm, selectStoredGfms } from './graph-models.ts';
import type { StoredVersion } from './place-version.ts';
import type { FrozenObject } from './snapshot-files.ts';
import {
  selectAliases,
  selectIdentifiersKey,
  selectModelNames,
  selectServing,
  selectSnapshot,
  selectSplits,
  selectVersion,
  selectVersions,
} from './sql.ts';

/** A stored snapshot, and the key of the dictionary of names by which it is read. */
export type Snapshot = {
  readonly id: string;
  readonly frozen: FrozenObject;
  readonly frozenBytes: number;
  readonly identifiersKey: string | null;
};

/** What a workspace serves, and its serving epoch (a count of changes) when it was read. */
export type ServingState = {
  readonly epoch: number;
  readonly snapshot: Snapshot | null;
  /** Id of each model by its name. */
  readonly models: ReadonlyMap<string, string>;
  /** Version id by `<model id>/<alias>`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The split of an alias by the same. */
  readonly splits: ReadonlyMap<string, Split>;
  readonly versions: ReadonlyMap<string, ServedStored>;
};

/** A version that answers a share of those whom an alias is asked about, in place of the one that it points at. */
export type Split = { readonly versionId: string; readonly share: number };

export type ServedStored = StoredVersion & {
  readonly modelId: string;
  readonly isActive: boolean;
  /** The graph-model version that it reads; null if it reads none. */
  readonly graphModel: StoredGfm | null;
};

/** Reads the serving state of a workspace. Returns `known` when the serving epoch is still the same. */
export function readState(db: Database, ctx: Context, known: ServingState | undefined): Promise<ServingState> {
  return tenant(db, ctx, async (tx) => {
    const workspace = await selectServing(tx, ctx);
    if (known?.epoch === workspace.serving_epoch) return known;
    const models = await selectModelNames(tx);
    const aliases = await selectAliases(tx);
    const splits = await selectSplits(tx);
    const versions = await selectVersions(tx);
    const graphModels = await selectStoredGfms(tx, versions);
    const stored = versions.map((version) => [version.id, storedOf(version, graphModels)] as const);
    return {
      epoch: workspace.serving_epoch,
      snapshot: workspace.id
        ? {
            id: workspace.id,
            frozen: { frozen_key: workspace.frozen_key!, frozen_sha256: workspace.frozen_sha256! },
            frozenBytes: Number(workspace.frozen_bytes),
            identifiersKey: workspace.identifiers_key,
          }
        : null,
      models: new Map(models.map(({ id, name }) => [name, id])),
      aliases: new Map(aliases.map(({ model_id, alias, version_id }) => [`${model_id}/${alias}`, version_id])),
      splits: new Map(
        splits.map(({ model_id, alias, version_id, share }) => [
          `${model_id}/${alias}`,
          { versionId: version_id, share },
        ]),
      ),
      versions: new Map(stored),
    };
  });
}

type VersionRow = NonNullable<Awaited<ReturnType<typeof selectVersion>>>;

function storedOf(
  { model_id, status, storage_prefix, files, gfm_version_id }: VersionRow,
  graphModels: ReadonlyMap<string, StoredGfm>,
): ServedStored {
  return {
    modelId: model_id,
    isActive: status === 'active',
    prefix: storage_prefix,
    files,
    graphModel: gfm_version_id === null ? null : graphModels.get(gfm_version_id)!,
  };
}

/** The version and the snapshot that something was answered by. */
export type Pin = { readonly versionId: string; readonly snapshotId: string };

/**
 * What a pin names, with the dictionary of names as it is now. Throws Failure 'pin_gone' when the version was deleted,
 * or when an erasure has emptied the snapshot.
 */
export async function readPin(
  tx: Tx,
  ctx: Context,
  { versionId, snapshotId }: Pin,
): Promise<{ readonly stored: ServedStored; readonly snapshot: Snapshot }> {
  const version = await selectVersion(tx, versionId);
  if (!version) throw refuse('pin_gone', `version ${versionId}, which it was answered by, has been deleted`);
  const snapshot = await selectSnapshot(tx, snapshotId);
  if (!snapshot || snapshot.erased_at !== null)
    throw refuse('pin_gone', `the data of snapshot ${snapshotId}, which it was answered from, are gone`);
  const { id, frozen_key, frozen_sha256, frozen_bytes } = snapshot;
  return {
    stored: storedOf(version, await selectStoredGfms(tx, [version])),
    snapshot: {
      ...{ id, frozen: { frozen_key, frozen_sha256 }, frozenBytes: Number(frozen_bytes) },
      identifiersKey: await selectIdentifiersKey(tx, ctx),
    },
  };
}

/**
 * The version and snapshot that an alias or version id of a model, named by its id or name, means in a serving state;
 * null when there is none. `challenged`: see `meaningOf`. Throws Failure 'version_inactive', 'no_data'.
 */
export function choose(state: ServingState, model: string, name: string, challenged: boolean) {
  const modelId = state.models.get(model) ?? model;
  const versionId = meaningOf(state, modelId, name, challenged);
  if (versionId === null) return null;
  const stored = state.versions.get(versionId)!;
  const { snapshot } = state;
  if (!stored.isActive) throw refuse('version_inactive', `version ${versionId} is not active`);
  if (!snapshot) throw refuse('no_data', 'the workspace has no data yet');
  return { modelId, versionId, snapshot };
}

/**
 * The version of a model that an alias or version id means in a serving state; null when it has none such.
 * `challenged`: the version that answers a share of the alias, where it is split.
 */
export function meaningOf(
  { aliases, splits, versions }: Pick<ServingState, 'aliases' | 'splits' | 'versions'>,
  modelId: string,
  name: string,
  challenged: boolean,
): string | null {
  const alias = `${modelId}/${name}`;
  const versionId = (challenged ? splits.get(alias)?.versionId : undefined) ?? aliases.get(alias) ?? name;
  return versions.get(versionId)?.modelId === modelId ? versionId : null;
}
