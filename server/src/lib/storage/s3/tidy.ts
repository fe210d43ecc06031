import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { at, type Bucket, remove } from './bucket.ts';
import { unless } from './failures.ts';
import { listAll } from './list.ts';
import { ForeignObject, readHead } from './read.ts';

/** Removes uploads and objects of hashes that were begun before a moment (milliseconds) and never became an object. */
export async function tidy(bucket: Bucket, before: number): Promise<void> {
  for await (const { key, uploadId, begun } of listUploads(bucket)) {
    if (begun > before) continue;
    await bucket.client
      .send(new AbortMultipartUploadCommand({ ...at(bucket, key), UploadId: uploadId }))
      .catch(unless(404));
  }
  for await (const { key, modified } of listAll(bucket, '')) {
    const [, owner] = /^(.*)~[0-9a-f]{16}$/.exec(key) ?? [];
    if (owner === undefined || modified > before) continue;
    const head = await readHead(bucket, owner).catch((error) => {
      if (error instanceof ForeignObject) return 'foreign' as const;
      throw error;
    });
    // Whoever took its metadata away may bring it back; all else is tidied.
    if (head === 'foreign') continue;
    if (head === null || !('sums' in head) || head.sums !== key) await remove(bucket, key);
  }
}

/** The multipart uploads that are not complete; none when the server cannot list them. */
async function* listUploads({ client, name, prefix }: Bucket) {
  let markers: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client
      .send(new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...markers }))
      .catch(unless(501));
    for (const { Key = '', UploadId = '', Initiated } of page?.Uploads ?? [])
      yield { key: Key.slice(prefix.length), uploadId: UploadId, begun: Initiated?.getTime() ?? Date.now() };
    if (page?.IsTruncated !== true || page.NextKeyMarker === undefined) return;
    markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker ?? '' };
  }
}
