import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Body, Storage, StoredObject } from './storage.ts';

const readBytes = 1 << 20;

/** Stores a local file, as `pass` passes its bytes on, which must be as many. Throws as `put`; the file is closed in any case. */
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
