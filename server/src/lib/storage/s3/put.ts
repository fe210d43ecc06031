import { PutObjectCommand } from '@aws-sdk/client-s3';
import { assert } from '../../failure.ts';
import { checkExpected, type Digests, inBlocks, startDigest } from '../digest.ts';
import { type Body, checkKey, type PutOptions, type StoredObject } from '../storage.ts';
import { at, type Bucket, remove } from './bucket.ts';
import { readHead } from './read.ts';
import { partsMax, startUpload, typed, type Upload } from './upload.ts';

/** Least bytes of a part. All parts of an object but the last have the same size, since some providers require it. */
export const partBytesMin = 8 * 2 ** 20;

/** Implements `Storage.put`: an object that fits one block is sent whole, a larger one in parts. */
export async function put(bucket: Bucket, key: string, body: Body, options: PutOptions): Promise<StoredObject> {
  checkKey(key);
  const partBytes = Math.max(partBytesMin, Math.ceil((options.size ?? 0) / partsMax));
  const digester = startDigest();
  let upload: Upload | null = null;
  try {
    for await (const block of inBlocks(body, partBytes, digester)) {
      if (upload === null && block.length < partBytes)
        return await putWhole(bucket, key, block, digester.end(), options);
      upload ??= await startUpload(bucket, key, options);
      await upload.add(block);
    }
    assert(upload !== null, 'a body has a last block');
    const digests = digester.end();
    checkExpected(digests, options);
    await upload.commit(digests);
    return { ...digests, contentType: options.contentType ?? null };
  } catch (error) {
    await upload?.abort();
    throw error;
  }
}

/** Sends an object of one block. The body has ended, so `digests` are final. */
async function putWhole(bucket: Bucket, key: string, bytes: Buffer, digests: Digests, options: PutOptions) {
  checkExpected(digests, options);
  const previous = await readHead(bucket, key);
  await bucket.client.send(
    new PutObjectCommand({
      ...at(bucket, key),
      ...typed(options, { size: String(digests.size), sha256: digests.sha256, md5: digests.md5 }),
      Body: bytes,
      ContentMD5: digests.md5,
    }),
  );
  if (previous !== null && 'sums' in previous) await remove(bucket, previous.sums);
  return { ...digests, contentType: options.contentType ?? null };
}
