// The bytes of a text file, decompressed and in UTF-8, as a window that moves over the file.
import { isAscii, isUtf8, transcode } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../failure.ts';
import { checkDensity, gzipDensityMax } from './density.ts';
import type { RowReason } from './row-reasons.ts';

export type Compression = 'none' | 'gzip';
export type Encoding = 'utf-8' | 'latin-1';

const blockBytes = 1 << 20;
/** A longer line is rejected: either a quote is lost or the file is not a table. */
export const lineBytesMax = 10 * 1024 * 1024;

/**
 * Reads a file in blocks of about 1 MiB. Throws Failure 'invalid' on damaged or too dense gzip data or a folder,
 * 'not_found' without a file, each with the file's `name`.
 */
export async function* readBlocks(
  path: string,
  compression: Compression,
  name = basename(path),
): AsyncGenerator<Buffer<ArrayBuffer>> {
  const file = createReadStream(path, { highWaterMark: blockBytes });
  const stream = compression === 'none' ? file : pipeline(file, createGunzip({ chunkSize: blockBytes }), () => {});
  let unpacked = 0;
  try {
    for await (const block of stream) {
      unpacked += block.length;
      // What was read of the file until now is at least what its blocks until now were packed into.
      if (compression === 'gzip') checkDensity(file.bytesRead, unpacked, gzipDensityMax, name, 'the gzip unpacks');
      yield block as Buffer<ArrayBuffer>;
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'ENOENT') throw new Failure('not_found', `${name}: there is no such file`, { cause });
    if (code === 'EISDIR') throw new Failure('invalid', `${name}: a folder, where a file is expected`, { cause });
    if (!code.startsWith('Z_')) throw cause;
    throw new Failure('invalid', `${name}: the gzip data is damaged or cut short. Compress the file again.`, { cause });
  } finally {
    file.destroy();
  }
}

/**
 * Tells UTF-8 from Latin-1 by the whole file, since the first accent may come late. A file with more well-formed UTF-8
 * sequences than stray bytes is damaged UTF-8; its damaged rows are then rejected one by one.
 */
export async function detectEncoding(path: string, compression: Compression, name: string): Promise<Encoding> {
  let sequences = 0;
  let strays = 0;
  let pending = 0;
  for await (const block of readBlocks(path, compression, name)) {
    if (pending === 0 && isAscii(block)) continue;
    for (const byte of block) {
      if (pending > 0) {
        if ((byte & 0xc0) === 0x80) {
          if (--pending === 0) sequences++;
          continue;
        }
        pending = 0;
        strays++;
      }
      if (byte < 0x80) continue;
      if (byte >= 0xc2 && byte <= 0xf4) pending = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
      else strays++;
    }
  }
  if (pending > 0) strays++;
  return strays === 0 || sequences > strays ? 'utf-8' : 'latin-1';
}

/** The unread part of a file is `buffer[position, limit)`, plus what `more` can still bring. */
export class ByteWindow {
  buffer: Buffer<ArrayBuffer> = Buffer.alloc(2 * blockBytes);
  position = 0;
  limit = 0;
  /** Whether `limit` is the end of the file. */
  isLast = false;
  /** Whether the window may hold NUL bytes or broken UTF-8, so that each row has to be checked. */
  isSuspect = false;
  private readonly blocks: AsyncGenerator<Buffer<ArrayBuffer>>;
  private readonly encoding: Encoding;
  private isFirst = true;

  constructor(path: string, compression: Compression, encoding: Encoding, name: string) {
    this.blocks = readBlocks(path, compression, name);
    this.encoding = encoding;
  }

  /** Adds a block to the window and discards the bytes before `position`. */
  async more(): Promise<void> {
    const next = await this.blocks.next();
    if (next.done) {
      this.isLast = true;
    } else {
      this.append(this.encoding === 'latin-1' ? latin1ToUtf8(next.value) : next.value);
    }
    if (this.isFirst && (this.limit >= 3 || this.isLast)) {
      if (this.encoding === 'utf-8' && startsWithBom(this.buffer.subarray(0, this.limit))) this.position = 3;
      this.isFirst = false;
    }
    const unread = this.buffer.subarray(this.position, this.limit);
    this.isSuspect = unread.includes(0) || !isUtf8(this.isLast ? unread : withoutCutSequence(unread));
  }

  async close(): Promise<void> {
    await this.blocks.return(undefined);
  }

  /** What is wrong with the bytes of a row; null when nothing is. Only needed when `isSuspect`. */
  problem(start: number, end: number): RowReason | null {
    const row = this.buffer.subarray(start, end);
    if (row.includes(0)) return { code: 'nul_bytes' };
    return isUtf8(row) ? null : { code: 'not_utf8' };
  }

  private append(block: Buffer): void {
    const unread = this.limit - this.position;
    const needed = unread + block.length;
    if (needed > this.buffer.length) {
      const buffer = Buffer.alloc(Math.max(needed, this.buffer.length * 2));
      this.buffer.copy(buffer, 0, this.position, this.limit);
      this.buffer = buffer;
    } else {
      this.buffer.copyWithin(0, this.position, this.limit);
    }
    block.copy(this.buffer, unread);
    this.position = 0;
    this.limit = needed;
  }
}

export function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

export function latin1ToUtf8(bytes: Buffer): Buffer<ArrayBuffer> {
  return transcode(bytes, 'latin1', 'utf8') as Buffer<ArrayBuffer>;
}

/** The bytes without a UTF-8 sequence at their end that continues in the next block. */
function withoutCutSequence(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) return bytes;
  }
  return bytes;
}
