import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Body, PutOptions, Storage, StoredObject } from './storage.ts';

const readBytes = 1 << 20;

/**
 * Stores a local file. `pass` sees its bytes on their way, and must not change them. Throws as `put` does; the file is
 * closed in any case.
 */
export async function putFile(
  storage: Pick<Storage, 'put'>,
  key: string,
  path: string,
  {
    pass = (bytes) => bytes,
    ...options
  }: Pick<PutOptions, 'expectedSha256'> & { readonly pass?: (bytes: AsyncIterable<Uint8Array>) => Body } = {},
): Promise<StoredObject> {
  const { size } = await stat(path);
  const stream = createReadStream(path, { highWaterMark: readBytes });
  try {
    return await storage.put(key, pass(stream), { ...options, size });
  } finally {
    // `put` does not destroy a stream that it gives up.
    stream.destroy();
  }
}

/**
 * Stores local files under `folder` (which ends in a slash), by their names below it. Returns the SHA-256 of each in
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

/** Paths by their file names. */
export function byName(paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(paths.map((path) => [basename(path), path]));
}
