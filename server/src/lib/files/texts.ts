import { Failure } from '../failure.ts';

/** Texts as UTF-8, one after the other: `ends[i]` is the end of text i in `bytes`. */
export type PackedTexts = { readonly bytes: Uint8Array; readonly ends: Uint32Array };

export const bytesMax = 2 ** 32 - 1;

/** Packs texts. Throws Failure 'limit_exceeded' for 4 GiB and more. */
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

/** The start of text i. */
export function startOf(ends: Uint32Array, i: number): number {
  return i === 0 ? 0 : ends[i - 1];
}

/** FNV-1a of a UTF-8 text, followed by `mix`. File formats depend on it. */
export function hashText(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
  return mix(hash);
}

/** The finalizer of MurmurHash3 (Appleby). */
export function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
