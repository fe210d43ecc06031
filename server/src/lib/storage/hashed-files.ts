// Which local files have been hashed, so that a file is read once for its hash, not each time it is opened.
import { createHash } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openThread } from '../threads/thread.ts';
import type { HashCalls } from './hash-thread.ts';

export type HashedFiles = {
  /**
   * The SHA-256 of an open file in hexadecimal. Taken from memory while the file is the same: same inode, size, and
   * times of its last changes.
   */
  readonly hashOf: (path: string, file: FileHandle) => Promise<string>;
  /** Notes the SHA-256 of a file whose bytes this process has just hashed as it wrote them. */
  readonly remember: (path: string, sha256: string) => Promise<void>;
};

/** A file that is read often is hashed anew after this time: bits also rot without the file's times changing. */
const rememberedMs = 60 * 60 * 1000;
/**
 * A file that changed this short a time ago is not remembered: clocks of file systems tick every few milliseconds, and
 * the next change within a tick would not show.
 */
const settledMs = 100;
const rememberedMax = 10_000;
/** Larger files are hashed in a thread of their own, so that they do not take turns of the event loop. */
const threadBytes = 32 * 2 ** 20;
const threadsMax = 2;
const sliceBytes = 256 * 1024;
const script = fileURLToPath(new URL('hash-thread.ts', import.meta.url));

type Known = { readonly identity: string; readonly sha256: string; readonly hashedAt: number };

export function openHashedFiles(): HashedFiles {
  const known = new Map<string, Known>();
  const hashing = new Map<string, Promise<string>>();

  async function hash(path: string, file: FileHandle, identity: string): Promise<string> {
    const hashedAt = Date.now();
    const { size } = await file.stat();
    const sha256 = size > threadBytes ? await inThread(file.fd) : await inSlices(file);
    const after = await file.stat({ bigint: true });
    if (identityOf(after) !== identity || hashedAt - Number(after.ctimeMs) < settledMs) known.delete(path);
    else keep(path, { identity, sha256, hashedAt });
    return sha256;
  }

  function keep(path: string, one: Known): void {
    known.set(path, one);
    if (known.size > rememberedMax) known.delete(known.keys().next().value!);
  }

  return {
    async remember(path, sha256) {
      keep(path, { identity: identityOf(await stat(path, { bigint: true })), sha256, hashedAt: Date.now() });
    },
    async hashOf(path, file) {
      const identity = identityOf(await file.stat({ bigint: true }));
      const last = known.get(path);
      if (last?.identity === identity && Date.now() - last.hashedAt < rememberedMs) return last.sha256;
      const place = `${path} ${identity}`;
      // Whoever comes meanwhile waits for the same hash.
      const begun = hashing.get(place) ?? hash(path, file, identity).finally(() => hashing.delete(place));
      hashing.set(place, begun);
      return begun;
    },
  };
}

function identityOf(stat: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
}

async function inSlices(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const slice = Buffer.allocUnsafe(sliceBytes);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(slice, 0, sliceBytes, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(slice.subarray(0, bytesRead));
    at += bytesRead;
  }
}

let threads = 0;
const waiting: (() => void)[] = [];

/** Hashes a file in a thread, of which a process has at most `threadsMax`. The descriptor must stay open meanwhile. */
async function inThread(descriptor: number): Promise<string> {
  if (threads < threadsMax) threads++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  const thread = openThread<HashCalls>(script);
  try {
    return await thread.call('hash', descriptor);
  } finally {
    await thread.close();
    // The place of this thread passes to whoever waits for one.
    const next = waiting.shift();
    if (next) next();
    else threads--;
  }
}
