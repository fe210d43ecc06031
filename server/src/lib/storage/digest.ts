// Cuts bytes into blocks, counts and hashes them in one pass.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { assert, Failure } from '../failure.ts';
import type { Body, PutOptions, StoredObject } from './storage.ts';

export type Digests = Pick<StoredObject, 'size' | 'sha256' | 'md5'>;

/** Computes size and hashes of an object from its bytes. */
export type Digester = { readonly update: (bytes: Uint8Array) => void; readonly end: () => Digests };

/** Bytes hashed at once: this holds up the event loop for less than a millisecond. */
export const sliceBytes = 256 * 1024;

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

export function isSame(found: Digests, expected: Digests): boolean {
  return found.size === expected.size && found.sha256 === expected.sha256 && found.md5 === expected.md5;
}

/** Throws Failure 'invalid' when the bytes lack the declared MD5, an Error when they lack the computed SHA-256. */
export function checkExpected(found: Digests, { expectedMd5, expectedSha256 }: PutOptions): void {
  // Our own bytes changed on their way, by a fault of memory or disk: computed again they may be right.
  if (expectedSha256 !== undefined && expectedSha256 !== found.sha256)
    throw new Error(`bytes to be stored have the SHA-256 ${found.sha256}, not ${expectedSha256} as written`);
  if (expectedMd5 === undefined || expectedMd5 === found.md5) return;
  throw new Failure(
    'invalid',
    `The bytes have the MD5 ${found.md5}, not ${expectedMd5} as declared; nothing was stored. Send them again.`,
  );
}

/**
 * Yields the bytes in blocks of exactly `blockBytes` and passes them to `digester`. The last block is shorter, perhaps
 * empty.
 */
export async function* inBlocks(body: Body, blockBytes: number, digester: Digester): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let filled = 0;
  for await (const chunk of chunksOf(body)) {
    digester.update(chunk);
    let rest = chunk;
    while (filled + rest.length >= blockBytes) {
      const taken = blockBytes - filled;
      yield Buffer.concat([...chunks, rest.subarray(0, taken)], blockBytes);
      rest = rest.subarray(taken);
      chunks = [];
      filled = 0;
    }
    if (rest.length > 0) chunks.push(rest);
    filled += rest.length;
  }
  yield Buffer.concat(chunks, filled);
}

/** Yields a stream as it comes, and bytes in slices. A stream that is given up is not destroyed: see `Storage.put`. */
async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    for (let at = 0; at < body.length; at += sliceBytes) yield body.subarray(at, at + sliceBytes);
    return;
  }
  for await (const chunk of body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body) {
    assert(chunk instanceof Uint8Array, 'stored streams are of bytes, not of text or objects');
    yield chunk;
  }
}
