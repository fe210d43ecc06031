import { open } from 'node:fs/promises';
import type { Entry, ReadableFile } from '../lib/sftp/file-tree.ts';
import type { Storage } from '../lib/storage/storage.ts';

/** Opens the bytes of a stored object, which have been checked. `ensure` is awaited before any of them is told. */
export async function openStored(
  storage: Storage,
  { key, sha256 }: { readonly key: string; readonly sha256: string },
  entry: Entry,
  ensure: () => Promise<unknown>,
): Promise<ReadableFile> {
  const handle = await open(await storage.localPath(key, sha256), 'r');
  return {
    entry,
    async read(offset, length) {
      await ensure();
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    close: () => handle.close(),
  };
}
