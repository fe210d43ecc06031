import { crc32 } from 'node:zlib';

/** A stream of bytes that passes on what it reads and counts; `crc32` is that of all of it once it has ended. */
export function withCrc32(stream: AsyncIterable<Uint8Array>): {
  readonly body: AsyncIterable<Uint8Array>;
  readonly crc32: () => number;
} {
  let value = 0;
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      value = crc32(chunk, value);
      yield chunk;
    }
  }
  return { body: pass(), crc32: () => value };
}
