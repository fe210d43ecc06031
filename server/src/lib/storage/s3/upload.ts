import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Failure } from '../../failure.ts';
import { type Digests, sliceBytes } from '../digest.ts';
import type { PutOptions } from '../storage.ts';
import { at, type Bucket, remove } from './bucket.ts';
import { readHead } from './read.ts';

/** S3's limit on the number of parts. */
export const partsMax = 10_000;
/** Parts sent at once while the next one fills. */
const partsInFlight = 2;

export type Upload = {
  readonly add: (block: Buffer) => Promise<void>;
  /** Completes the upload: the parts become an object. */
  readonly commit: (digests: Digests) => Promise<void>;
  /** Gives the upload up. Never throws, since it follows an error that matters more. */
  readonly abort: () => Promise<void>;
};

/** Begins a multipart upload. All its parts but the last must have the same size. */
export async function startUpload(bucket: Bucket, key: string, options: PutOptions): Promise<Upload> {
  const sums = `${key}~${randomBytes(8).toString('hex')}`;
  const { UploadId } = await bucket.client.send(
    new CreateMultipartUploadCommand({ ...at(bucket, key), ...typed(options, { sums: sums.slice(key.length) }) }),
  );
  const upload = { ...at(bucket, key), UploadId };
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  const sending = new Set<Promise<void>>();
  let broken: { error: unknown } | null = null;
  let isCommitted = false;

  const send = async (block: Buffer, PartNumber: number): Promise<void> => {
    const command = new UploadPartCommand({ ...upload, PartNumber, Body: block, ContentMD5: await md5Of(block) });
    const { ETag } = await bucket.client.send(command);
    parts.push({ PartNumber, ETag });
  };
  const settle = async (): Promise<void> => {
    if (broken !== null) throw broken.error;
  };
  let count = 0;

  return {
    async add(block) {
      if (block.length === 0) return;
      count += 1;
      if (count > partsMax)
        throw new Failure('limit_exceeded', 'So many bytes can be stored only when their number is told beforehand.');
      const part: Promise<void> = send(block, count)
        .catch((error) => {
          broken ??= { error };
        })
        .finally(() => sending.delete(part));
      sending.add(part);
      if (sending.size >= partsInFlight) await Promise.race(sending);
      await settle();
    },
    async commit(digests) {
      await Promise.all(sending);
      await settle();
      const previous = await readHead(bucket, key);
      const text = Buffer.from(JSON.stringify(digests));
      await bucket.client.send(
        new PutObjectCommand({ ...at(bucket, sums), Body: text, ContentMD5: await md5Of(text) }),
      );
      const Parts = parts.sort((a, b) => a.PartNumber - b.PartNumber);
      try {
        await bucket.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      } catch (error) {
        // The upload may have succeeded and only its answer been lost. While that is unknown, the hashes must stay.
        isCommitted = true;
        const now = await readHead(bucket, key);
        isCommitted = now !== null && 'sums' in now && now.sums === sums;
        if (!isCommitted) throw error;
      }
      isCommitted = true;
      if (previous !== null && 'sums' in previous) await remove(bucket, previous.sums);
    },
    async abort() {
      await Promise.all(sending);
      if (isCommitted) return;
      await bucket.client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
      await remove(bucket, sums).catch(() => {});
    },
  };
}

/**
 * The type and metadata of an object. Servers set a type on objects without one, so the given type is also in the
 * metadata.
 */
export function typed({ contentType }: PutOptions, metadata: Record<string, string>) {
  if (contentType === undefined) return { Metadata: metadata };
  return { ContentType: contentType, Metadata: { ...metadata, type: contentType } };
}

/** The MD5 of a block, hashed in slices so that it does not hold up the event loop. */
async function md5Of(block: Buffer): Promise<string> {
  const hash = createHash('md5');
  for (let start = 0; start < block.length; start += sliceBytes) {
    hash.update(block.subarray(start, start + sliceBytes));
    await nextTurn();
  }
  return hash.digest('base64');
}
