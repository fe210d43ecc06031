import { crc32 } from 'node:zlib';

/** Passes a stream through and computes its CRC-32. `crc32` returns that of all bytes once the stream has ended. */
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
