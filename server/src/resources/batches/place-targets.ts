import type { FileHashes } from '../../schema/json.ts';
import { gfmFolderOf, type StoredGfm } from '../../serving/graph-models.ts';
import { placeVersion } from '../../serving/place-version.ts';
import type { App } from '../app.ts';
import type { TargetsTask } from './scoring/open-targets.ts';

/** A version as the database has it. */
type VersionRow = {
  readonly id: string;
  readonly model_id: string;
  readonly storage_prefix: string;
  readonly files: FileHashes;
  readonly gfm_version_id: string | null;
};

/** Fetches versions, and the graph models that they read, into local folders for a child process. */
export function placeTargets(
  app: App,
  folder: string,
  versions: readonly VersionRow[],
  graphModels: ReadonlyMap<string, StoredGfm>,
): Promise<TargetsTask['targets']> {
  return Promise.all(
    versions.map(async ({ id, model_id, storage_prefix, files, gfm_version_id }) => ({
      modelId: model_id,
      versionId: id,
      folder: await placeVersion(app.storage, folder, id, { prefix: storage_prefix, files }),
      graphModel:
        gfm_version_id === null
          ? null
          : {
              id: gfm_version_id,
              // Not in the task's folder: a child process keeps the model open and reads it after that folder is
              // removed.
              folder: await gfmFolderOf(app.storage, app.workFolder, graphModels.get(gfm_version_id)!),
            },
    })),
  );
}
