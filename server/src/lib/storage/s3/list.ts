import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ListedObject } from '../storage.ts';
import type { Bucket } from './bucket.ts';

/** Lists the objects under a folder, in order of key. */
export async function* list(bucket: Bucket, folder: string): AsyncGenerator<ListedObject> {
  for await (const { key, size } of listAll(bucket, folder)) if (!key.includes('~')) yield { key, size };
}

/** Also lists the objects that hold the hashes of large ones. */
export async function* listAll(
  { client, name, prefix }: Bucket,
  folder: string,
): AsyncGenerator<ListedObject & { readonly modified: number }> {
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: name, Prefix: prefix + folder, ContinuationToken }),
    );
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
      yield { key: Key.slice(prefix.length), size: Size, modified: LastModified?.getTime() ?? Date.now() };
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}
