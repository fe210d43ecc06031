import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Failure } from '../failure.ts';

/**
 * Passes on the bytes of a stream, the last chunk only when all of them have the SHA-256. Other bytes end the stream
 * with what `damaged` returns for their hash, so a reader never takes them for whole.
 */
export function checkedStream(stream: Readable, sha256: string, damaged: (found: string) => Failure): Readable {
  const checked = Readable.from(check(stream, sha256, damaged), { objectMode: false });
  // A generator that waits for bytes cannot be ended.
  checked.once('close', () => stream.destroy());
  return checked;
}

async function* check(
  stream: Readable,
  sha256: string,
  damaged: (found: string) => Failure,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | null = null;
  for await (const chunk of stream) {
    if (held !== null) yield held;
    hash.update(chunk);
    held = chunk;
  }
  const found = hash.digest('hex');
  if (found !== sha256) throw damaged(found);
  if (held !== null) yield held;
}
