// Local copies of remote objects, in the folders of their keys, named by the hash of their bytes. So a copy is correct
// or absent, never stale.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { digestOf } from './digest.ts';

export type Cache = {
  /**
   * The path of a local file with the bytes of an object. If there is none, `download` writes it to the path it is
   * given.
   */
  readonly path: (
    key: string,
    object: { readonly sha256: string; readonly size: number },
    download: (path: string) => Promise<void>,
  ) => Promise<string>;
  /** Removes the copies of the objects under a folder of keys. */
  readonly forget: (folder: string) => Promise<void>;
};

/** Copies used within this time stay even when the cache is too large: somebody may be about to open them. */
const inUseMs = 60 * 60 * 1000;
const partialEnding = '.partial';

/**
 * Opens a folder as cache; several processes may share it. When the copies exceed `bytesMax`, those used longest ago
 * are removed.
 */
export async function openCache(folder: string, bytesMax: number): Promise<Cache> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await evict(folder, bytesMax);
  const downloads = new Map<string, Promise<void>>();
  return {
    async path(key, object, download) {
      const path = join(folder, dirname(key), `${object.sha256}${extname(key)}`);
      if (await isThere(path, object.size)) return path;
      const fetching = downloads.get(path) ?? fetchTo(path, object, download).finally(() => downloads.delete(path));
      downloads.set(path, fetching);
      await fetching;
      await evict(folder, bytesMax);
      return path;
    },
    forget: (keys) => rm(join(folder, keys), { recursive: true, force: true }),
  };
}

/** Whether there is a complete copy. Also marks the copy as used now. */
async function isThere(path: string, size: number): Promise<boolean> {
  try {
    const now = new Date();
    await utimes(path, now, now);
    return (await stat(path)).size === size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function fetchTo(path: string, object: { sha256: string }, download: (path: string) => Promise<void>) {
  const partial = `${path}.${randomBytes(8).toString('hex')}${partialEnding}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await download(partial);
    const { sha256 } = await digestOf(createReadStream(partial));
    if (sha256 !== object.sha256) throw new Error(`downloaded bytes have the SHA-256 ${sha256}, not ${object.sha256}`);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Removes downloads that were interrupted, and copies beyond the limit. */
async function evict(folder: string, bytesMax: number): Promise<void> {
  const oldest = Date.now() - inUseMs;
  const found = await Promise.all(
    (await namesIn(folder)).map(async (name) => {
      const path = join(folder, name);
      // Another process may have removed it.
      const file = await stat(path).catch(() => null);
      return !file?.isFile() ? [] : [{ path, size: file.size, usedMs: file.mtimeMs }];
    }),
  );
  const copies = found.flat().sort((a, b) => b.usedMs - a.usedMs);
  let bytes = 0;
  for (const { path, size, usedMs } of copies) {
    bytes += size;
    if (usedMs < oldest && (bytes > bytesMax || path.endsWith(partialEnding))) await rm(path, { force: true });
  }
}

/** The files in the cache; none when a folder in it was just removed, since the next download looks again. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
