import type { Readable } from 'node:stream';

/**
 * The bytes of a stream in pieces of `size`; the last may be smaller. What came before the stream breaks is given out
 * before its error is thrown.
 */
export async function* gather(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  const take = (): Buffer => {
    const piece = Buffer.concat(held);
    held = [];
    bytes = 0;
    return piece;
  };
  let broken: unknown;
  try {
    // The connection is still needed for the answer when the reader gives up.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      for (let rest: Buffer = chunk; rest.length > 0; ) {
        const part = rest.subarray(0, size - bytes);
        held.push(part);
        bytes += part.length;
        rest = rest.subarray(part.length);
        if (bytes === size) yield take();
      }
    }
  } catch (error) {
    broken = error;
  }
  if (bytes > 0) yield take();
  if (broken !== undefined) throw broken;
}
