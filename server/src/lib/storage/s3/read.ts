import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { assert } from '../../failure.ts';
import type { Digests } from '../digest.ts';
import { checkKey, checkRange, NotStored, type Range, type StoredObject } from '../storage.ts';
import { at, type Bucket } from './bucket.ts';
import { isStatus } from './failures.ts';

/** What `HeadObject` returns: the hashes, or the key of the object that holds them. */
type ObjectHead = { readonly contentType: string | null } & ({ readonly digests: Digests } | { readonly sums: string });

/** How often an object may be replaced between reading its metadata and reading its hashes. */
const headAttemptsMax = 5;

type Part = {
  readonly range?: Range;
  /** Only the object with this ETag is read; S3 answers 412 when it has been replaced. */
  readonly etag?: string;
};

/** Reads an object, or a range of it, without checking its hash. */
export async function get(
  bucket: Bucket,
  key: string,
  { range, etag }: Part = {},
): Promise<{ readonly body: Readable; readonly etag: string }> {
  checkKey(key);
  if (range !== undefined) checkRange(range);
  try {
    const {
      Body,
      ContentRange,
      ETag = '',
    } = await bucket.client.send(
      new GetObjectCommand({
        ...at(bucket, key),
        ...(range !== undefined && { Range: `bytes=${range.start}-${range.end ?? ''}` }),
        ...(etag !== undefined && { IfMatch: etag }),
      }),
    );
    assert(Body instanceof Readable, 'in Node a body is a stream');
    if (range !== undefined && ContentRange === undefined) {
      Body.destroy();
      throw new Error('the S3 server does not know ranges');
    }
    return { body: Body, etag: ETag };
  } catch (error) {
    if (isStatus(error, 404)) throw new NotStored(key);
    if (isStatus(error, 416) && range !== undefined) checkRange(range, 0);
    throw error;
  }
}

/** Size, hashes and type of an object, with the hashes read from where they are kept; null when there is no object. */
export async function describe(bucket: Bucket, key: string): Promise<StoredObject | null> {
  for (let attempt = 1; ; attempt++) {
    const head = await readHead(bucket, key);
    if (head === null) return null;
    const { contentType } = head;
    if ('digests' in head) return { ...head.digests, contentType };
    try {
      const { Body } = await bucket.client.send(new GetObjectCommand(at(bucket, head.sums)));
      // The cast holds: only `commit` of an upload writes such objects.
      const digests = JSON.parse((await buffer(Body as Readable)).toString()) as Digests;
      return { ...digests, contentType };
    } catch (error) {
      // The object was replaced meanwhile, and its old hashes were removed.
      if (!isStatus(error, 404) || attempt === headAttemptsMax) throw error;
    }
  }
}

/** An object without the metadata that this program writes. */
export class ForeignObject extends Error {}

/** The metadata of an object; null when there is no object. Throws ForeignObject. */
export async function readHead(bucket: Bucket, key: string): Promise<ObjectHead | null> {
  checkKey(key);
  try {
    const { Metadata = {} } = await bucket.client.send(new HeadObjectCommand(at(bucket, key)));
    const { size, sha256, md5, sums, type } = Metadata;
    const contentType = type ?? null;
    if (sums !== undefined) return { contentType, sums: key + sums };
    if (sha256 === undefined) throw new ForeignObject(`the object ${key} was not written by this program`);
    return { contentType, digests: { size: Number(size), sha256, md5 } };
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}
