import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { Call } from '../../api/route.ts';
import { sendArchive } from '../../api/send-archive.ts';
import { refuse } from '../../errors.ts';
import type { Answer } from '../../lib/http/server.ts';
import { openThread } from '../../lib/threads/thread.ts';
import type { ZipEntry } from '../../lib/zip/zip.ts';
import type { ExportedModel } from '../../ml/export/export.ts';
import type { FileHashes } from '../../schema/json.ts';
import { openStored } from '../../serving/open-stored.ts';
import { placeVersion } from '../../serving/place-version.ts';
import { currentIdentifiers, currentSnapshot } from '../../serving/snapshot.ts';
import { localIdentifiers } from '../../serving/snapshot-files.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { placeGfm } from '../gfm-versions/place.ts';
import type { ExportCalls } from './export-thread.ts';
import { requireRfmVersion } from './require.ts';
import { selectAliased } from './sql.ts';

const script = fileURLToPath(new URL('export-thread.ts', import.meta.url));

/**
 * Sends an archive with an encoder version, every model version that an alias points at, and the GFM version that they
 * read, with which a customer embeds and scores on its own machine. Records the export. Stops when `hungUp` is aborted.
 * Throws Failure 'not_found', 'no_data'.
 */
export async function exportRfmVersion(
  app: App,
  ctx: Context,
  id: string,
  { exchange: { method }, ensure }: Pick<Call<never, never, never>, 'exchange' | 'ensure'>,
  hungUp: AbortSignal,
): Promise<Answer> {
  const { version, snapshot, names, aliased, gfm } = await tenant(app.db, ctx, async (tx) => {
    const version = await requireRfmVersion(tx, id);
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot) throw refuse('no_data', 'the workspace has no data yet, so nothing says how tables are read');
    const all = await selectAliased(tx);
    // An export has at most one GFM version: the encoder's, or else that of the newest model.
    const gfm =
      version.gfm_version_id ?? all.findLast((model) => model.gfm_version_id !== null)?.gfm_version_id ?? null;
    const aliased = all.filter(({ gfm_version_id: own }) => own === null || own === gfm);
    const models = aliased.map(({ model_id, version_id }) => `${model_id}/${version_id}`);
    if (method !== 'HEAD') await record(tx, ctx, 'rfm-version-export', { type: 'rfm_version', id }, { models });
    return { version, snapshot, names: await currentIdentifiers(tx, ctx), aliased, gfm };
  });
  const local = (versionId: string, prefix: string, files: FileHashes) =>
    placeVersion(app.storage, app.workFolder, versionId, { prefix, files });
  hungUp.throwIfAborted();
  const folder = join(app.workFolder, 'exports', randomUUID());
  await mkdir(folder, { recursive: true });
  const thread = openThread<ExportCalls>(script);
  const stop = () => void thread.close();
  hungUp.addEventListener('abort', stop, { once: true });
  const writeFiles = async () => {
    const models: ExportedModel[] = [];
    for (const { model_id, version_id, aliases, storage_prefix, files } of aliased)
      models.push({
        ...{ modelId: model_id, versionId: version_id, aliases },
        folder: await local(version_id, storage_prefix, files),
      });
    return thread.call('write', {
      out: join(folder, id),
      names: await localIdentifiers(app.storage, names),
      manifest: snapshot.manifest,
      input: {
        ...{ modelSnapshot: id, entity: version.entity, timeZone: ctx.timeZone, language: ctx.language },
        encoder: await local(id, version.storage_prefix, version.files),
        models,
        ...(gfm !== null && { graphModel: await placeGfm(app, ctx, app.workFolder, gfm) }),
      },
    });
  };
  try {
    const files = await openStored(app.storage, `What the export of ${id} is made of`, writeFiles);
    const entries = files.map(
      ({ path, ...file }): ZipEntry => ({
        ...file,
        modified: version.created_at,
        open: async () => createReadStream(path),
      }),
    );
    const answer = sendArchive(id, entries, ensure);
    // 'close' is also emitted when the caller disconnects before the first byte.
    answer.body.once('close', () => void rm(folder, { recursive: true, force: true }));
    return answer;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    hungUp.removeEventListener('abort', stop);
    await thread.close();
  }
}
