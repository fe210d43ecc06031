import { fileURLToPath } from 'node:url';
import { Failure } from '../failure.ts';
import type { DamageOptions } from './damage.ts';
import { openDisk } from './disk.ts';
import type { S3Credentials } from './s3/bucket.ts';
import type { Storage } from './storage.ts';

export type StorageOptions = DamageOptions & {
  /** The folder in which remote storage keeps copies for `localPath`. */
  readonly cacheFolder: string;
  /** Most bytes of these copies; 20 GB by default. */
  readonly cacheBytesMax?: number;
  /** Credentials for S3; without them the SDK looks in its usual places: environment, profile, role of the machine. */
  readonly credentials?: S3Credentials;
};

const cacheBytesDefault = 20 * 10 ** 9;

/**
 * Opens the storage at an address: a path or `file:///…` for a folder, `s3://bucket/prefix` for S3. An S3 address takes
 * `?region=` (us-east-1 by default) and, for providers other than AWS, `&endpoint=https://…`.
 * Throws Failure 'invalid' for an address of another kind, 'unavailable' when a bucket cannot be read.
 */
export async function openStorage(address: string, options: StorageOptions): Promise<Storage> {
  if (address.startsWith('file:')) return openDisk(fileURLToPath(address), options);
  if (!/^[a-z][a-z0-9+.-]+:/i.test(address)) return openDisk(address, options);
  if (!address.startsWith('s3://'))
    throw new Failure('invalid', `${address} is no storage: give a path, file:///… or s3://bucket/prefix.`);
  return openBucket(new URL(address), options);
}

async function openBucket({ hostname, pathname, searchParams }: URL, options: StorageOptions): Promise<Storage> {
  for (const name of searchParams.keys())
    if (name !== 'endpoint' && name !== 'region')
      throw new Failure('invalid', `A storage in S3 has endpoint and region, not ${name}.`);
  if (hostname === '') throw new Failure('invalid', 'A storage in S3 names its bucket: s3://bucket/prefix.');
  const folders = pathname.split('/').filter((part) => part !== '');
  const endpoint = searchParams.get('endpoint');
  // The SDK takes a while to load, and most installations never need it.
  const { openS3 } = await import('./s3/open.ts');
  return openS3({
    ...options,
    bucket: hostname,
    prefix: folders.map((part) => `${part}/`).join(''),
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint !== null && { endpoint }),
    cacheBytesMax: options.cacheBytesMax ?? cacheBytesDefault,
  });
}
