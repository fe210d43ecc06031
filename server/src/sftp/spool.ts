import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refuse } from '../errors.ts';
import { storageFull } from '../lib/storage/storage.ts';

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
 * Opens a new spool in a folder, with bytes that are there already, if any. It takes at most `most` bytes. Throws
 * Failure 'limit_exceeded', 'insufficient_storage'.
 */
export async function openSpool(folder: string, most: number, already: Readable | null): Promise<Spool> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  if (already) await pipeline(already, createWriteStream(path)).catch(asFull);
  const handle = await open(path, already ? 'r+' : 'w+');
  let size = already ? (await handle.stat()).size : 0;
  const requireRoom = (end: number): void => {
    if (end > most) throw refuse('limit_exceeded', `a file has at most ${most} bytes: split it`);
  };
  return {
    path,
    bytes: () => size,
    async write(offset, bytes) {
      requireRoom(offset + bytes.length);
      await handle.write(bytes, 0, bytes.length, offset).catch(asFull);
      size = Math.max(size, offset + bytes.length);
    },
    async truncate(bytes) {
      requireRoom(bytes);
      await handle.truncate(bytes).catch(asFull);
      size = bytes;
    },
    close: () => handle.close(),
    remove: () => rm(path, { force: true }),
  };
}

function asFull(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOSPC' || error.code === 'EDQUOT' ? storageFull(error) : error;
}
