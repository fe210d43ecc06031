// Storage in a bucket of any S3 API. A small object carries its hashes in its metadata. The hashes of a larger one,
// sent in parts, are known only after its metadata is fixed. So its metadata names a second, small object,
// `<key>~<id>`, which is written before the parts are joined: whoever finds an object also finds its hashes. A tilde
// cannot occur in a key.
import { assert, Failure } from '../../failure.ts';
import { openCache } from '../cache.ts';
import { type DamageOptions, damageReporter } from '../damage.ts';
import { digestOf, isSame } from '../digest.ts';
import { checkFolder, type Storage } from '../storage.ts';
import { connect, remove, type S3Address } from './bucket.ts';
import { openChecked } from './checked.ts';
import { list, listAll } from './list.ts';
import { put } from './put.ts';
import { describe, get, readHead } from './read.ts';
import { tidy } from './tidy.ts';

export type S3Options = S3Address &
  DamageOptions & {
    /** The folder in which `localPath` keeps copies. */
    readonly cacheFolder: string;
    readonly cacheBytesMax: number;
  };

const deletionsInFlight = 8;

/** Opens a bucket as storage. Throws Failure 'unavailable' when it cannot be read. */
export async function openS3(options: S3Options): Promise<Storage> {
  const cache = await openCache(options.cacheFolder, options.cacheBytesMax);
  const bucket = connect(options);
  // Finds a wrong name or key now: later, a missing object and a missing bucket would look the same.
  await list(bucket, '')
    .next()
    .catch((error) => {
      const cause = error instanceof Failure ? error.cause : error;
      const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      throw new Failure('unavailable', `the bucket ${options.bucket} cannot be read: ${why}`, { cause });
    });

  const damaged = damageReporter(options);
  const checked = openChecked(bucket, cache, damaged);

  return {
    put: (key, body, putOptions = {}) => put(bucket, key, body, putOptions),
    get: checked.get,
    stat: (key) => describe(bucket, key),
    list(folder) {
      checkFolder(folder);
      return list(bucket, folder);
    },
    async delete(key) {
      const head = await readHead(bucket, key);
      await remove(bucket, key);
      if (head !== null && 'sums' in head) await remove(bucket, head.sums);
    },
    async deletePrefix(folder) {
      checkFolder(folder);
      assert(folder !== '', 'a whole storage is not deleted');
      let batch: Promise<void>[] = [];
      for await (const { key } of listAll(bucket, folder)) {
        batch.push(remove(bucket, key));
        if (batch.length < deletionsInFlight) continue;
        await Promise.all(batch);
        batch = [];
      }
      await Promise.all(batch);
    },
    tidy: (ageMs) => tidy(bucket, Date.now() - ageMs),
    async verify(key) {
      const expected = await checked.stat(key);
      return isSame(await digestOf((await get(bucket, key)).body), expected);
    },
    localPath: checked.localPath,
    lost: (key) => damaged({ key, expected: null, found: 'nothing' }),
    async forget(folder, madeBefore) {
      checkFolder(folder);
      await cache.forget(folder, madeBefore);
    },
  };
}
