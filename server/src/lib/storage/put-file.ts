import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Body, Storage, StoredObject } from './storage.ts';

const readBytes = 1 << 20;

/**
 * Stores a local file, as `pass` passes its bytes on, which must be as many. Throws as `put`; the file is closed in any
 * case.
 */
export async function putFile(
  storage: Pick<Storage, 'put'>,
  key: string,
  path: string,
  pass: (bytes: AsyncIterable<Uint8Array>) => Body = (bytes) => bytes,
): Promise<StoredObject> {
  const { size } = await stat(path);
  const stream = createReadStream(path, { highWaterMark: readBytes });
  try {
    return await storage.put(key, pass(stream), { size });
  } finally {
    // Storage leaves a stream as it is that it gave up.
    stream.destroy();
  }
}

/**
 * Stores local files, given by their names below `folder` (which ends in a slash). Returns SHA-256 of each in
 * hexadecimal.
 */
export async function putFiles(
  storage: Pick<Storage, 'put'>,
  folder: string,
  paths: ReadonlyMap<string, string>,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const [name, path] of paths) hashes[name] = (await putFile(storage, `${folder}${name}`, path)).sha256;
  return hashes;
}

/** Files of a folder by their names in it. */
export function byName(paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(paths.map((path) => [basename(path), path]));
}
