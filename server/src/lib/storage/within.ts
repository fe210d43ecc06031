import { assert } from '../failure.ts';
import type { Storage } from './storage.ts';

/**
 * A folder of a storage as a storage of its own, which cannot reach anything outside of it. `folder` ends in a slash.
 */
export function within(storage: Storage, folder: string): Storage {
  assert(folder.endsWith('/'), 'a folder ends in a slash');
  const keyOf = (key: string) => `${folder}${key}`;
  return {
    put: (key, body, options) => storage.put(keyOf(key), body, options),
    get: (key, sha256, options) => storage.get(keyOf(key), sha256, options),
    stat: (key) => storage.stat(keyOf(key)),
    async *list(prefix) {
      for await (const { key, ...rest } of storage.list(keyOf(prefix)))
        yield { ...rest, key: key.slice(folder.length) };
    },
    delete: (key) => storage.delete(keyOf(key)),
    deletePrefix: (prefix) => storage.deletePrefix(keyOf(prefix)),
    tidy: (ageMs) => storage.tidy(ageMs),
    verify: (key) => storage.verify(keyOf(key)),
    lost: (key) => storage.lost(keyOf(key)),
    localPath: (key, sha256) => storage.localPath(keyOf(key), sha256),
  };
}
