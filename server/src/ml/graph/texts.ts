import { Failure } from '../../lib/failure.ts';

/** Texts as UTF-8, one after the other: `ends[i]` is where the text i ends in `bytes`. */
export type PackedTexts = { readonly bytes: Uint8Array; readonly ends: Uint32Array };

const bytesMax = 2 ** 32 - 1;

/** Throws Failure 'limit_exceeded' for 4 GiB and more. */
export function packTexts(texts: readonly string[]): PackedTexts {
  const ends = new Uint32Array(texts.length);
  let used = 0;
  for (const [i, text] of texts.entries()) {
    used += Buffer.byteLength(text);
    if (used > bytesMax) throw new Failure('limit_exceeded', 'a column holds more than 4 GiB of different texts');
    ends[i] = used;
  }
  const bytes = Buffer.alloc(used);
  for (const [i, text] of texts.entries()) bytes.write(text, startOf(ends, i));
  return { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), ends };
}

export function unpackTexts({ bytes, ends }: PackedTexts): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from(ends, (end, i) => buffer.toString('utf8', startOf(ends, i), end));
}

/** Where the text i starts. */
export function startOf(ends: Uint32Array, i: number): number {
  return i === 0 ? 0 : ends[i - 1]!;
}
