import { randomUUID } from 'node:crypto';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '../lib/storage/storage.ts';

/** Where the files of a version are stored: the prefix of their storage keys, and their names below it. */
export type StoredVersion = { readonly prefix: string; readonly files: readonly string[] };

/** Makes a local folder with links to the files of a version, under their own names. */
export async function placeVersion(
  storage: Storage,
  workFolder: string,
  versionId: string,
  { prefix, files }: StoredVersion,
): Promise<string> {
  const folder = join(workFolder, 'versions', versionId);
  await mkdir(folder, { recursive: true });
  for (const name of files) {
    const from = await storage.localPath(`${prefix}${name}`);
    // The same version may be opened over two snapshots at once, so a link is made under a temporary name and renamed.
    const partial = join(folder, `.${name}-${randomUUID()}`);
    await symlink(from, partial);
    await rename(partial, join(folder, name));
  }
  return folder;
}
