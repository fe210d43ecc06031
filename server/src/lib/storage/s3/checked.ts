// Reading objects of a bucket with their hashes checked.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Cache } from '../cache.ts';
import { checkedStream } from '../checked-stream.ts';
import type { Damaged } from '../damage.ts';
import { type ExpectedHash, NotStored, type Range, type StoredObject } from '../storage.ts';
import type { Bucket } from './bucket.ts';
import { isStatus, nameFailure } from './failures.ts';
import { describe, get } from './read.ts';

/** An object of which ranges are read is hashed anew after this time. */
const rememberedMs = 60 * 60 * 1000;
const rememberedMax = 10_000;

type Known = { readonly etag: string; readonly sha256: string; readonly hashedAt: number };

/** Implements `get` and `localPath` of a storage. */
export function openChecked(bucket: Bucket, cache: Cache, damaged: Damaged) {
  const known = new Map<string, Known>();

  const stat = async (key: string): Promise<StoredObject> => {
    const found = await describe(bucket, key);
    if (found === null) throw new NotStored(key);
    return found;
  };
  const hashedAs = async (key: string, sha256: ExpectedHash): Promise<string> => sha256 ?? (await stat(key)).sha256;

  /** Reads a whole object for its hash. Returns the ETag of what was read. */
  async function hash(key: string, expected: string): Promise<string> {
    const last = known.get(key);
    if (last?.sha256 === expected && Date.now() - last.hashedAt < rememberedMs) return last.etag;
    const hashedAt = Date.now();
    const { body, etag } = await get(bucket, key);
    const hashing = createHash('sha256');
    for await (const chunk of body) hashing.update(chunk);
    const found = hashing.digest('hex');
    if (found !== expected) throw damaged({ key, expected, found });
    known.set(key, { etag, sha256: expected, hashedAt });
    if (known.size > rememberedMax) known.delete(known.keys().next().value!);
    return etag;
  }

  async function getRange(key: string, expected: string, range: Range): Promise<Readable> {
    for (let isFirst = true; ; isFirst = false) {
      const etag = await hash(key, expected);
      try {
        return (await get(bucket, key, { range, etag })).body;
      } catch (error) {
        known.delete(key);
        // It was replaced since it was hashed.
        if (!isFirst || !isStatus(error, 412)) throw error;
      }
    }
  }

  return {
    stat,
    async get(key: string, sha256: ExpectedHash, { range }: { readonly range?: Range } = {}): Promise<Readable> {
      const expected = await hashedAs(key, sha256);
      if (range !== undefined) return getRange(key, expected, range);
      const { body } = await get(bucket, key);
      return checkedStream(body, expected, (found) => damaged({ key, expected, found }));
    },
    async localPath(key: string, sha256: ExpectedHash): Promise<string> {
      const recorded = (await stat(key)).sha256;
      const expected = sha256 ?? recorded;
      if (recorded !== expected) throw damaged({ key, expected, found: `metadata of ${recorded}` });
      const download = async (path: string): Promise<void> => {
        const { body } = await get(bucket, key);
        await pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error) => {
          throw nameFailure(error);
        });
      };
      return cache.path(key, expected, download, (found) => damaged({ key, expected, found }));
    },
  };
}
