import { randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tx } from '../access/transactions.ts';
import type { Storage } from '../lib/storage/storage.ts';
import { selectGfmVersions } from './sql.ts';

/** Where a released version is kept. */
export type StoredGfm = { readonly id: string; readonly prefix: string; readonly files: readonly string[] };

export function storedGfm(row: {
  readonly id: string;
  readonly storage_prefix: string;
  readonly files: unknown;
}): StoredGfm {
  return { id: row.id, prefix: row.storage_prefix, files: Object.keys(row.files as object) };
}

/** Those that are read by some of the versions of models, by id. */
export async function selectStoredGfms(
  tx: Tx,
  versions: readonly { readonly gfm_version_id: string | null }[],
): Promise<Map<string, StoredGfm>> {
  const ids = [...new Set(versions.flatMap(({ gfm_version_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await selectGfmVersions(tx, ids);
  return new Map(rows.map((row) => [row.id, storedGfm(row)]));
}

/** A local folder with the files of a version under the names they have in it; whoever reads the version shares it. */
export async function gfmFolderOf(
  storage: Storage,
  workFolder: string,
  { id, prefix, files }: StoredGfm,
): Promise<string> {
  const folder = join(workFolder, 'gfm', id);
  for (const name of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    // Somebody may be opening it.
    const partial = `${path}-${randomUUID()}`;
    const from = await storage.localPath(`${prefix}${name}`);
    // Periods are read when they are asked for, and by then the cache may have let its copy go. On another disk it is
    // all there is.
    await link(from, partial).catch(() => symlink(from, partial));
    await rename(partial, path);
    // Of two links to one file the renaming leaves both.
    await rm(partial, { force: true });
  }
  return folder;
}
