import type { Context } from '../access/context.ts';
import { type Database, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { type StoredGfm, selectStoredGfms } from './graph-models.ts';
import type { StoredVersion } from './place-version.ts';
import type { FrozenObject } from './snapshot-files.ts';
import { selectAliases, selectServing, selectVersions } from './sql.ts';

type Snapshot = {
  readonly id: string;
  readonly frozen: FrozenObject;
  readonly frozenBytes: number;
  readonly identifiersKey: string | null;
};

/** What a workspace serves, and its serving epoch (a count of changes) when it was read. */
export type ServingState = {
  readonly epoch: number;
  readonly snapshot: Snapshot | null;
  /** Version id by `<model>/<alias>`. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, ServedStored>;
};

type ServedStored = StoredVersion & {
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
    const aliases = await selectAliases(tx);
    const versions = await selectVersions(tx);
    const graphModels = await selectStoredGfms(tx, versions);
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
      aliases: new Map(aliases.map(({ model_id, alias, version_id }) => [`${model_id}/${alias}`, version_id])),
      versions: new Map(
        versions.map(({ id, model_id, status, storage_prefix, files, gfm_version_id }) => [
          id,
          {
            modelId: model_id,
            isActive: status === 'active',
            prefix: storage_prefix,
            files,
            graphModel: gfm_version_id === null ? null : graphModels.get(gfm_version_id)!,
          },
        ]),
      ),
    };
  });
}

/**
 * The message that a model has no such alias or version, with the aliases that it has. `aliases` are `<model>/<alias>`.
 */
export function unknownName(modelId: string, name: string, aliases: Iterable<string>): string {
  const own = [...aliases].filter((alias) => alias.startsWith(`${modelId}/`));
  const has =
    own.length === 0 ? '' : `; the model has ${own.map((alias) => alias.slice(modelId.length + 1)).join(', ')}`;
  return `there is no model ${modelId} with an alias or version ${name}${has}`;
}

/**
 * The version and snapshot that an alias or version id means in a serving state. Throws Failure 'not_found',
 * 'version_inactive', 'no_data'.
 */
export function choose({ aliases, versions, snapshot }: ServingState, modelId: string, name: string) {
  const aliased = aliases.get(`${modelId}/${name}`);
  const versionId = aliased ?? name;
  const stored = versions.get(versionId);
  if (!stored || stored.modelId !== modelId) throw refuse('not_found', unknownName(modelId, name, aliases.keys()));
  if (!stored.isActive) throw refuse('version_inactive', `version ${versionId} is not active`);
  if (!snapshot) throw refuse('no_data', 'the workspace has no data yet');
  return { versionId, stored, snapshot, isAlias: aliased !== undefined };
}
