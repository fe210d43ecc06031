// Bytes on their way: cut into blocks, counted and hashed in one pass.
import { createHash } from 'node:crypto';
import { assert, Failure } from '../failure.ts';
import type { Body, StoredObject } from './storage.ts';

export type Digests = Pick<StoredObject, 'size' | 'sha256' | 'md5'>;

/** Collects what is known of an object once all its bytes have passed. */
export type Digester = { readonly update: (bytes: Uint8Array) => void; readonly end: () => Digests };

export function startDigest(): Digester {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let size = 0;
  return {
    update(bytes) {
      size += bytes.length;
      sha256.update(bytes);
      md5.update(bytes);
    },
    end: () => ({ size, sha256: sha256.digest('hex'), md5: md5.digest('base64') }),
  };
}

export async function digestOf(body: Body): Promise<Digests> {
  const digester = startDigest();
  for await (const chunk of chunksOf(body)) digester.update(chunk);
  return digester.end();
}

/** Refuses bytes that are not those declared. */
export function checkMd5(found: Digests, expectedMd5: string | undefined): void {
  if (expectedMd5 === undefined || expectedMd5 === found.md5) return;
  throw new Failure(
    'invalid',
    `The bytes have the MD5 ${found.md5}, not ${expectedMd5} as declared; nothing was stored. Send them again.`,
  );
}

/** The same bytes in blocks of exactly `blockBytes`, the last one shorter; none for no bytes. A block is the reader's. */
export async function* inBlocks(body: Body, blockBytes: number): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafeSlow(blockBytes);
  let filled = 0;
  for await (const chunk of chunksOf(body)) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, blockBytes - filled);
      block.set(chunk.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled < blockBytes) continue;
      yield block;
      block = Buffer.allocUnsafeSlow(blockBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** Streams are handed over in chunks as they come, bytes in slices that do not hold up the event loop. */
async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  const sliceBytes = 256 * 1024;
  if (body instanceof Uint8Array) {
    for (let at = 0; at < body.length; at += sliceBytes) yield body.subarray(at, at + sliceBytes);
    return;
  }
  for await (const chunk of body) {
    assert(chunk instanceof Uint8Array, 'stored streams are of bytes, not of text or objects');
    yield chunk;
  }
}
