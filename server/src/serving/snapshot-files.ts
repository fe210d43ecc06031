import type { ExpectedHash, Storage } from '../lib/storage/storage.ts';

/** The frozen tables of a snapshot, as stored. */
export type FrozenObject = { readonly frozen_key: string; readonly frozen_sha256: string };

/**
 * Returns local files of the tables of a snapshot and of the dictionary of names; `names` is null without one. Throws
 * Failure 'object_damaged' when they are not what was stored.
 */
export async function localSnapshot(
  storage: Storage,
  { frozen_key: key, frozen_sha256: sha256 }: FrozenObject,
  identifiersKey: string | null,
): Promise<{ readonly frozen: string; readonly names: string | null }> {
  return { frozen: await storage.localPath(key, sha256), names: await localIdentifiers(storage, identifiersKey) };
}

/** Returns a local file of the dictionary with a key; null without one. Throws as `localSnapshot` does. */
export async function localIdentifiers(storage: Storage, key: string | null): Promise<string | null> {
  return key === null ? null : storage.localPath(key, hashInKey(key));
}

/** The SHA-256 in the key of a dictionary, which ends with it; null in keys made before they did. */
function hashInKey(key: string): ExpectedHash {
  return /-([0-9a-f]{64})$/.exec(key)?.[1] ?? null;
}

/**
 * Returns the line of a dictionary's key; `first` for null. Each erasure starts a new line with the dictionary that it
 * writes; later dictionaries made from that one stay in its line.
 */
export function lineOf(identifiersKey: string | null): string {
  return identifiersKey?.split('/').at(-2) ?? 'first';
}
