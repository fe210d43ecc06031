// Local copies of remote objects, in the folders of their keys, named by the hash of their bytes. So a copy is correct
// or absent, never stale.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { Failure } from '../failure.ts';
import { type HashedFiles, openHashedFiles } from './hashed-files.ts';

export type Cache = {
  /**
   * The path of a local file with the bytes of an object, which have been hashed. If there is none, or one with other
   * bytes, `download` writes it to the path it is given. Throws what `damaged` returns when it writes other bytes.
   */
  readonly path: (
    key: string,
    sha256: string,
    download: (path: string) => Promise<void>,
    damaged: (found: string) => Failure,
  ) => Promise<string>;
  /** Removes copies of the objects under a folder of keys, those made before a moment (milliseconds since 1970). */
  readonly forget: (folder: string, madeBefore: number) => Promise<void>;
};

/** Copies used within this time stay even when the cache is too large: somebody may be about to open them. */
const inUseMs = 60 * 60 * 1000;
/**
 * A use is marked at most this often: each mark changes the file's times, and so has it hashed anew. The time of the
 * last access says when a copy was used, that of the last change when it was made.
 */
const markEveryMs = 15 * 60 * 1000;
const partialEnding = '.partial';

/**
 * Opens a folder as cache; several processes may share it. When the copies exceed `bytesMax`, those used longest ago
 * are removed.
 */
export async function openCache(folder: string, bytesMax: number): Promise<Cache> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await evict(folder, bytesMax);
  const hashed = openHashedFiles();
  const looking = new Map<string, Promise<void>>();
  return {
    async path(key, sha256, download, damaged) {
      const path = join(folder, dirname(key), `${sha256}${extname(key)}`);
      // Who asks beside others joins them before it looks itself: it could see that there is no copy, and hear of it
      // once theirs is there.
      const found = looking.get(path) ?? fetchUnlessThere(path).finally(() => looking.delete(path));
      looking.set(path, found);
      await found;
      return path;

      async function fetchUnlessThere(path: string): Promise<void> {
        if ((await hashOf(path, hashed)) === sha256) return;
        await fetchTo(path, sha256, { download, damaged, hashed });
        await evict(folder, bytesMax);
      }
    },
    async forget(keys, madeBefore) {
      for (const { path, madeMs } of await copiesIn(join(folder, keys)))
        if (madeMs < madeBefore) await rm(path, { force: true });
    },
  };
}

/** The SHA-256 of a copy; null when there is none. Also marks the copy as used now. */
async function hashOf(path: string, hashed: HashedFiles): Promise<string | null> {
  try {
    const file = await open(path);
    try {
      const now = new Date();
      const { atimeMs, mtime } = await file.stat();
      if (now.getTime() - atimeMs > markEveryMs) await utimes(path, now, mtime);
      return await hashed.hashOf(path, file);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

type Fetch = {
  readonly download: (path: string) => Promise<void>;
  readonly damaged: (found: string) => Failure;
  readonly hashed: HashedFiles;
};

async function fetchTo(path: string, sha256: string, { download, damaged, hashed }: Fetch): Promise<void> {
  const partial = `${path}.${randomBytes(8).toString('hex')}${partialEnding}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await download(partial);
    const found = await hashOf(partial, hashed);
    if (found !== sha256) throw damaged(found ?? 'nothing');
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Removes downloads that were interrupted, and copies beyond the limit. */
async function evict(folder: string, bytesMax: number): Promise<void> {
  const oldest = Date.now() - inUseMs;
  const copies = (await copiesIn(folder)).sort((a, b) => b.usedMs - a.usedMs);
  let bytes = 0;
  for (const { path, size, usedMs } of copies) {
    bytes += size;
    if (usedMs < oldest && (bytes > bytesMax || path.endsWith(partialEnding))) await rm(path, { force: true });
  }
}

type Copy = { readonly path: string; readonly size: number; readonly madeMs: number; readonly usedMs: number };

/** The files in a folder; none when it, or a folder in it, was just removed: the next download looks again. */
async function copiesIn(folder: string): Promise<Copy[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // Another process may have removed it.
      const file = await stat(path).catch(() => null);
      return !file?.isFile() ? [] : [{ path, size: file.size, madeMs: file.mtimeMs, usedMs: file.atimeMs }];
    }),
  );
  return found.flat();
}
