import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Answer } from '../../lib/http/server.ts';
import { writeZip, type ZipEntry, zipBytes } from '../../lib/zip/zip.ts';
import type { Contract } from '../../ml/contract/contract.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { openIdentifiers } from '../../ml/lake/identifiers.ts';
import { personalColumns } from '../../ml/lake/layout.ts';
import { readManifest } from '../../ml/lake/manifest.ts';
import { type ExportedModel, writeExport } from '../../ml/rfm/export.ts';
import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { type Tx, tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import type { App } from '../app.ts';
import { currentIdentifiers, currentSnapshot } from '../ingestions/snapshot.ts';
import { versionFolder } from '../models/serving.ts';
import { requireRfmVersion } from './require.ts';

/**
 * An archive of a version and of every model that an alias points at now, to embed and score where the customer's tables are. Leaves the
 * trail of its export. Throws Failure 'not_found', 'no_data'.
 */
export async function exportRfmVersion(app: App, ctx: Context, id: string): Promise<Answer> {
  const { version, snapshot, names, aliased } = await tenant(app.db, ctx, async (tx) => {
    const version = await requireRfmVersion(tx, id);
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot) throw refuse('no_data', 'the workspace has no data yet, so nothing says how tables are read');
    const aliased = await selectAliased(tx);
    const models = aliased.map(({ model_id, version_id }) => `${model_id}/${version_id}`);
    await record(tx, ctx, 'rfm-version-export', { type: 'rfm_version', id }, { models });
    return { version, snapshot, names: await currentIdentifiers(tx, ctx), aliased };
  });
  const local = (versionId: string, prefix: string, files: unknown) =>
    versionFolder(app.storage, app.workFolder, versionId, { prefix, files: Object.keys(files as object) });
  const models: ExportedModel[] = [];
  for (const { model_id, version_id, aliases, storage_prefix, files } of aliased)
    models.push({
      ...{ modelId: model_id, versionId: version_id, aliases },
      folder: await local(version_id, storage_prefix, files),
    });
  const identifiers = names === null ? null : await openIdentifiers(await app.storage.localPath(names));
  const folder = join(app.workFolder, 'exports', randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    await writeExport(join(folder, id), {
      ...{ modelSnapshot: id, entity: version.entity, timeZone: ctx.timeZone, language: ctx.language },
      encoder: await local(id, version.storage_prefix, version.files),
      contract: contractOfFiles(snapshot.manifest),
      models,
      ...(identifiers && { nameOf: (number: number) => identifiers.entryOf(number)?.identifier ?? null }),
    });
    const entries = await entriesOf(folder, version.created_at);
    const body = Readable.from(writeZip(entries), { objectMode: false });
    // Also where the caller goes away before the first byte.
    body.once('close', () => void rm(folder, { recursive: true, force: true }));
    return {
      status: 200,
      headers: {
        'content-type': 'application/zip',
        'content-length': String(zipBytes(entries)),
        'content-disposition': `attachment; filename="${id}.zip"`,
        'cache-control': 'private, no-transform',
      },
      body,
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Active versions with the aliases that point at each. */
async function selectAliased(tx: Tx) {
  const rows = await tx
    .selectFrom('aliases')
    .innerJoin('model_versions', 'model_versions.id', 'aliases.version_id')
    .select(['aliases.model_id', 'aliases.version_id', 'aliases.alias', 'storage_prefix', 'files'])
    .where('model_versions.status', '=', 'active')
    .orderBy('aliases.version_id')
    .orderBy('aliases.alias')
    .execute();
  return [...Map.groupBy(rows, (row) => row.version_id).values()].map((group) => ({
    ...group[0]!,
    aliases: group.map(({ alias }) => alias),
  }));
}

/** By which the customer's files are read: what their newest rows were, without the personal columns that are not kept. */
function contractOfFiles(text: string): Contract {
  const manifest = readManifest(text);
  const contract = parseContract(manifest.contract, 'the contract of the snapshot');
  if (manifest.numbered === undefined) return contract;
  return {
    ...contract,
    tables: contract.tables.map((table) => {
      const personal = personalColumns(table);
      return { ...table, columns: table.columns.filter(({ name }) => !personal.includes(name)) };
    }),
  };
}

async function entriesOf(folder: string, modified: Date): Promise<ZipEntry[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const entries: ZipEntry[] = [];
  for (const path of paths.sort()) {
    entries.push({
      name: relative(folder, path).split(sep).join('/'),
      bytes: (await stat(path)).size,
      crc32: crc32(await readFile(path)),
      modified,
      open: async () => createReadStream(path),
    });
  }
  return entries;
}
