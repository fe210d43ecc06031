import { randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tx } from '../access/transactions.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { FileHashes } from '../schema/json.ts';
import { selectGfmVersions } from './sql.ts';

/**
 * Where a released version of the graph model is stored: the prefix of its storage keys, and the SHA-256 of its files
 * by name below it.
 */
export type StoredGfm = { readonly id: string; readonly prefix: string; readonly files: FileHashes };

export function storedGfm(row: {
  readonly id: string;
  readonly storage_prefix: string;
  readonly files: FileHashes;
}): StoredGfm {
  return { id: row.id, prefix: row.storage_prefix, files: row.files };
}

/** The graph-model versions that the given model versions read, by id. */
export async function selectStoredGfms(
  tx: Tx,
  versions: readonly { readonly gfm_version_id: string | null }[],
): Promise<Map<string, StoredGfm>> {
  const ids = [...new Set(versions.flatMap(({ gfm_version_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await selectGfmVersions(tx, ids);
  return new Map(rows.map((row) => [row.id, storedGfm(row)]));
}

/**
 * Makes a local folder with the files of a graph-model version, under their own names. All readers of the version share
 * the folder.
 */
export async function gfmFolderOf(
  storage: Storage,
  workFolder: string,
  { id, prefix, files }: StoredGfm,
): Promise<string> {
  const folder = join(workFolder, 'gfm', id);
  for (const [name, sha256] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const from = await storage.localPath(`${prefix}${name}`, sha256);
    // A link more would change the file's times, and so have it hashed anew.
    if (await isSameFile(from, path)) continue;
    // Another reader may be opening the file, so it is linked under a temporary name and renamed.
    const partial = `${path}-${randomUUID()}`;
    // The files of periods are read only when needed, and by then the storage cache may have deleted its copy: a hard
    // link keeps the file. Hard links do not reach across disks; there a symbolic link has to do.
    await link(from, partial).catch(() => symlink(from, partial));
    await rename(partial, path);
    // When both names are links to one file, `rename` does nothing and leaves both.
    await rm(partial, { force: true });
  }
  return folder;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => null)));
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
}
