import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { assert } from '../../failure.ts';
import type { Digests } from '../digest.ts';
import { checkKey, checkRange, notStored, type Range, type StoredObject } from '../storage.ts';
import { at, type Bucket } from './bucket.ts';
import { isStatus } from './failures.ts';

/** What `HeadObject` tells: the hashes themselves, or where they are. */
type ObjectHead = { readonly contentType: string | null } & ({ readonly digests: Digests } | { readonly sums: string });

/** How often an object may be replaced between reading its metadata and its hashes. */
const headAttemptsMax = 5;

/** As `Storage.get`. */
export async function get(bucket: Bucket, key: string, range?: Range): Promise<Readable> {
  checkKey(key);
  if (range !== undefined) checkRange(range);
  try {
    const { Body, ContentRange } = await bucket.client.send(
      new GetObjectCommand({
        ...at(bucket, key),
        ...(range !== undefined && { Range: `bytes=${range.start}-${range.end ?? ''}` }),
      }),
    );
    assert(Body instanceof Readable, 'in Node a body is a stream');
    if (range !== undefined && ContentRange === undefined) {
      Body.destroy();
      throw new Error('the S3 server does not know ranges');
    }
    return Body;
  } catch (error) {
    if (isStatus(error, 404)) throw notStored(key);
    if (isStatus(error, 416) && range !== undefined) checkRange(range, 0);
    throw error;
  }
}

/** What is known of an object, its hashes read from where they are; null without one. */
export async function describe(bucket: Bucket, key: string): Promise<StoredObject | null> {
  for (let attempt = 1; ; attempt++) {
    const head = await readHead(bucket, key);
    if (head === null) return null;
    const { contentType } = head;
    if ('digests' in head) return { ...head.digests, contentType };
    try {
      const { Body } = await bucket.client.send(new GetObjectCommand(at(bucket, head.sums)));
      // Only `commit` writes such objects.
      const digests = JSON.parse((await buffer(Body as Readable)).toString()) as Digests;
      return { ...digests, contentType };
    } catch (error) {
      // The object was replaced meanwhile, and its hashes went with it.
      if (!isStatus(error, 404) || attempt === headAttemptsMax) throw error;
    }
  }
}

/** The head of an object, null without one. */
export async function readHead(bucket: Bucket, key: string): Promise<ObjectHead | null> {
  checkKey(key);
  try {
    const { Metadata = {} } = await bucket.client.send(new HeadObjectCommand(at(bucket, key)));
    const { size, sha256, md5, sums, type } = Metadata;
    const contentType = type ?? null;
    if (sums !== undefined) return { contentType, sums: key + sums };
    if (sha256 === undefined) throw new Error(`the object ${key} was not written by this program`);
    return { contentType, digests: { size: Number(size), sha256, md5 } };
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}
