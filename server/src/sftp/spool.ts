import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refuse } from '../errors.ts';
import { storageFull } from '../lib/storage/storage.ts';
import type { SpoolShare } from './spool-room.ts';

/** A local file into which a client writes, at whatever places and in whatever order. */
export type Spool = {
  readonly path: string;
  bytes(): number;
  write(offset: number, bytes: Uint8Array): Promise<void>;
  truncate(bytes: number): Promise<void>;
  /** Closes it; the file stays. */
  close(): Promise<void>;
  remove(): Promise<void>;
};

/**
 * Opens a new spool in a folder, with bytes that are there already, if any. It takes at most `most` bytes, and room of
 * its share, which it releases when it is removed; unless it opens, the share stays its caller's to release. Throws
 * Failure 'limit_exceeded', 'insufficient_storage', 'quota_exceeded'.
 */
export async function openSpool(
  folder: string,
  { most, share, already }: { readonly most: number; readonly share: SpoolShare; readonly already: Readable | null },
): Promise<Spool> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const remove = async (): Promise<void> => {
    await rm(path, { force: true });
    share.release();
  };
  try {
    if (already) await pipeline(already, createWriteStream(path)).catch(asFull);
    return await openAt(path, { most, share, remove, isThere: already !== null });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function openAt(
  path: string,
  {
    most,
    share,
    remove,
    isThere,
  }: {
    readonly most: number;
    readonly share: SpoolShare;
    readonly remove: () => Promise<void>;
    readonly isThere: boolean;
  },
): Promise<Spool> {
  const handle = await open(path, isThere ? 'r+' : 'w+');
  let size = isThere ? (await handle.stat()).size : 0;
  const requireRoom = async (bytes: number): Promise<void> => {
    if (bytes > most) throw refuse('limit_exceeded', `a file has at most ${most} bytes: split it`);
    await share.resize(bytes);
  };
  return {
    ...{ path, remove },
    bytes: () => size,
    async write(offset, bytes) {
      const end = Math.max(size, offset + bytes.length);
      await requireRoom(end);
      await handle.write(bytes, 0, bytes.length, offset).catch(asFull);
      size = end;
    },
    async truncate(bytes) {
      await requireRoom(bytes);
      await handle.truncate(bytes).catch(asFull);
      size = bytes;
    },
    close: () => handle.close(),
  };
}

function asFull(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOSPC' || error.code === 'EDQUOT' ? storageFull(error) : error;
}
