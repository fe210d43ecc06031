import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { ValidationReport } from '../../ml/validation/report.ts';
import { readableUntil } from '../../serving/as-of.ts';
import { selectStoredGfms } from '../../serving/graph-models.ts';
import { currentIdentifiers, requireSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { placeTargets } from '../batches/place-targets.ts';
import { localName } from '../files/ending.ts';
import { requireUploaded } from '../files/require.ts';
import { leaves, waitingPhase } from '../job.ts';
import { shadowTraffic } from '../models/gates/shadow-traffic.ts';
import { requireTask } from '../tasks/require.ts';
import type { ValidateProgress, ValidateTask, validate } from './compute.ts';
import { type StoredVersion, selectStoredVersion } from './sql.ts';

/** What is held against what, and by which data. */
export type Judged = {
  /** The version, which need not be in the database yet. */
  readonly version: StoredVersion;
  readonly taskId: string;
  readonly warnings: readonly { readonly code: string }[];
  /** The version that it would replace; null where there is none. */
  readonly compareWith: string | null;
  readonly snapshotId: string;
  readonly earlierSnapshotId: string | null;
  readonly segments: readonly string[];
  readonly asOf: Date;
  readonly timeZone: string;
};

type Work = {
  /** An empty local folder, and who asks, as logs name it. */
  readonly folder: string;
  readonly about: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  tell(progress: ValidateProgress): void;
};

/** Holds a version against the one that it would replace, in a child process. Throws Failure as `validateVersion`. */
export async function judgeVersion(
  app: App,
  ctx: Context,
  judged: Judged,
  { folder, about, signal, tell }: Work,
): Promise<ValidationReport> {
  return app.compute!.run<typeof validate>(
    { name: 'validate', input: await makeTask(app, ctx, judged, folder) },
    {
      ...{ signal, group: ctx.workspaceId, leaves: leaves.evaluation, folder },
      about: { workspace: ctx.workspaceId, ...about },
      onWait: () => tell({ phase: waitingPhase, fraction: 0 }),
      onProgress: tell,
    },
  );
}

/** Fetches everything that the validation reads into local files. */
async function makeTask(app: App, ctx: Context, judged: Judged, folder: string): Promise<ValidateTask> {
  const { version, compareWith, earlierSnapshotId, segments, timeZone } = judged;
  const found = await tenant(app.db, ctx, async (tx) => {
    const other = compareWith === null ? [] : [await selectStoredVersion(tx, compareWith)];
    const versions = [version, ...other];
    const { labels } = await requireTask(tx, judged.taskId);
    const files = [];
    for (const id of [labels.train, labels.validation]) if (id) files.push(await requireUploaded(tx, id));
    return {
      ...{ versions, files },
      graphModels: await selectStoredGfms(tx, versions),
      snapshot: await requireSnapshot(tx, judged.snapshotId),
      earlier: earlierSnapshotId === null ? null : await requireSnapshot(tx, earlierSnapshotId),
      names: await currentIdentifiers(tx, ctx),
      shadow: compareWith === null ? null : await shadowTraffic(tx, ctx, version, compareWith, judged.asOf),
    };
  });
  const { versions, files, graphModels, snapshot, earlier, names, shadow } = found;
  const local = await localSnapshot(app.storage, snapshot, names);
  const localEarlier = earlier && (await localSnapshot(app.storage, earlier, names));
  const labelFiles: string[] = [];
  for (const [at, file] of files.entries()) {
    const place = join(folder, `labels-${at}`);
    await mkdir(place, { recursive: true });
    const path = join(place, localName(file.path, file.content_type));
    await symlink(await app.storage.localPath(file.storage_key, file.sha256), path);
    labelFiles.push(path);
  }
  return {
    data: { id: `${snapshot.id} ${names}`, frozen: local.frozen, identifiers: local.names },
    targets: await placeTargets(app, folder, versions, graphModels),
    model: 0,
    compareWith: compareWith === null ? null : 1,
    labelFiles,
    earlier: localEarlier && {
      ...{ frozen: localEarlier.frozen, identifiers: localEarlier.names },
      until: readableUntil(timeZone, earlier!.created_at.getTime()),
    },
    shadow,
    segments,
    warnings: judged.warnings.map(({ code }) => code),
    until: readableUntil(timeZone, judged.asOf.getTime()),
  };
}
