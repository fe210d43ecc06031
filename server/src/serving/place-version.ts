import { randomUUID } from 'node:crypto';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '../lib/storage/storage.ts';
import type { FileHashes } from '../schema/json.ts';

/** Where the files of a version are stored: the prefix of their storage keys, and their SHA-256 by name below it. */
export type StoredVersion = { readonly prefix: string; readonly files: FileHashes };

/**
 * Makes a local folder with links to the files of a version, under their own names. Throws Failure 'object_damaged'
 * when one of them is not what was stored.
 */
export async function placeVersion(
  storage: Storage,
  workFolder: string,
  versionId: string,
  { prefix, files }: StoredVersion,
): Promise<string> {
  const folder = join(workFolder, 'versions', versionId);
  await mkdir(folder, { recursive: true });
  for (const [name, sha256] of Object.entries(files)) {
    const from = await storage.localPath(`${prefix}${name}`, sha256);
    // The same version may be opened over two snapshots at once, so a link is made under a temporary name and renamed.
    const partial = join(folder, `.${name}-${randomUUID()}`);
    await symlink(from, partial);
    await rename(partial, join(folder, name));
  }
  return folder;
}
