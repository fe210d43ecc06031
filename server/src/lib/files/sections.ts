// A binary file of arrays: a JSON header, the arrays as they lie in memory, and a SHA-256 of everything before it.
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { basename } from 'node:path';
import { assert, Failure } from '../failure.ts';

export type Section = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

const makers = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array } as const;
type SectionType = keyof typeof makers;

const magic = 0x43455341; // "ASEC"
const formatVersion = 1;
/** Bytes of magic, version, and the header's length as a float64. */
const prefixBytes = 16;
const hashBytes = 32;
/** Every section starts at a multiple of this, so that files can be memory-mapped. */
const alignment = 8;
const headerBytesMax = 1 << 28;
/** Bytes read, hashed or written at once: this takes some milliseconds, after which other work gets its turn. */
const blockBytes = 4 << 20;

/**
 * Writes a file of arrays, which appears whole or not at all. `kind` names its purpose, `body` is any JSON value. The
 * same input gives the same bytes. Returns the SHA-256 of the whole file in hexadecimal, and its length.
 */
export async function writeSections(
  path: string,
  kind: string,
  body: unknown,
  sections: readonly Section[],
): Promise<{ sha256: string; bytes: number }> {
  assert(endianness() === 'LE', 'arrays lie in little-endian order');
  const lengths = sections.map((section) => [typeOf(section), section.length]);
  const header = padded(Buffer.from(JSON.stringify({ kind, sections: lengths, body })), 0x20);
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(magic, 0);
  prefix.writeUInt32LE(formatVersion, 4);
  prefix.writeDoubleLE(header.length, 8);
  const partial = `${path}.${randomUUID()}.partial`;
  const file = await open(partial, 'wx');
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    const write = async (content: Uint8Array) => {
      for (let at = 0; at < content.length; at += blockBytes) {
        const block = content.subarray(at, at + blockBytes);
        hash.update(block);
        await file.writeFile(block);
        bytes += block.length;
      }
    };
    await write(prefix);
    await write(header);
    for (const section of sections) {
      await write(bytesOf(section));
      await write(new Uint8Array(paddingOf(section.byteLength)));
    }
    await write(hash.copy().digest());
    await file.sync();
    await file.close();
    await rename(partial, path);
    return { sha256: hash.digest('hex'), bytes };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Reads a file that `writeSections` wrote for `kind`; every array has memory of its own, with `isShared` such as
 * threads share.
 * Throws Failure 'not_found' when the file cannot be opened, and 'invalid' for another kind or version, or a file that
 * is damaged, cut short or something else.
 */
export async function readSections(
  path: string,
  kind: string,
  isShared = false,
): Promise<{ body: unknown; sections: Section[] }> {
  assert(endianness() === 'LE', 'arrays lie in little-endian order');
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new Failure('not_found', `${basename(path)} cannot be read`, { reason: 'object_damaged', cause });
  });
  try {
    return await readFrom(file, path, kind, isShared);
  } finally {
    await file.close();
  }
}

/** A file of arrays of which only parts are read. */
export type OpenSections = {
  /** The number of elements of each array. */
  readonly lengths: readonly number[];
  /** Reads `count` elements of an array from `first` on, which lie within it. */
  read(section: number, first: number, count: number): Section;
  close(): void;
};

/**
 * Opens a file that `writeSections` wrote for `kind`, for whoever wants little of it. Its hash is not checked: the
 * bytes are known to be right. Throws Failure as `readSections` does for what is no such file.
 */
export function openSections(path: string, kind: string): OpenSections {
  assert(endianness() === 'LE', 'arrays lie in little-endian order');
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    throw new Failure('not_found', `${basename(path)} cannot be read`, { reason: 'object_damaged', cause });
  }
  const take = (into: Uint8Array, position: number): void => {
    if (readSync(file, into, 0, into.length, position) < into.length) throw isOther(path, kind, 'it is cut short');
  };
  try {
    const prefix = Buffer.alloc(prefixBytes);
    take(prefix, 0);
    const headerLength = prefix.readDoubleLE(8);
    if (prefix.readUInt32LE(0) !== magic || !(headerLength >= 0 && headerLength <= headerBytesMax))
      throw isOther(path, kind, 'it does not begin like one');
    const text = Buffer.alloc(headerLength);
    take(text, prefixBytes);
    const header = parseHeader(text.toString('utf8'));
    if (header?.kind !== kind) throw isOther(path, kind, 'its header is another one');
    let position = prefixBytes + headerLength;
    const starts = header.sections.map(([type, length]) => {
      const start = position;
      const bytes = length * makers[type].BYTES_PER_ELEMENT;
      position += bytes + paddingOf(bytes);
      return start;
    });
    return {
      lengths: header.sections.map(([, length]) => length),
      read(section, first, count) {
        const [type] = header.sections[section];
        const values = new makers[type](count);
        take(bytesOf(values), starts[section] + first * values.BYTES_PER_ELEMENT);
        return values;
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function isOther(path: string, kind: string, why: string): Failure {
  return new Failure('invalid', `${basename(path)} is no file of ${kind}, or damaged: ${why}`, {
    reason: 'object_damaged',
  });
}

async function readFrom(
  file: FileHandle,
  path: string,
  kind: string,
  isShared: boolean,
): Promise<{ body: unknown; sections: Section[] }> {
  const refuse = (why: string): never => {
    throw new Failure('invalid', `${basename(path)} is no file of ${kind}, or damaged: ${why}`, {
      reason: 'object_damaged',
    });
  };
  const hash = createHash('sha256');
  const { size } = await file.stat();
  let position = 0;
  const take = async (into: Uint8Array): Promise<void> => {
    if (position + into.length > size) refuse('it is cut short');
    await fill(file, into, position, hash);
    position += into.length;
  };
  const prefix = Buffer.alloc(prefixBytes);
  await take(prefix);
  if (prefix.readUInt32LE(0) !== magic) refuse('it does not begin like one');
  const version = prefix.readUInt32LE(4);
  if (version !== formatVersion) refuse(`its version is ${version}, and this program reads version ${formatVersion}`);
  const headerLength = prefix.readDoubleLE(8);
  if (!(headerLength >= 0 && headerLength <= headerBytesMax)) refuse('its header has no length');
  const text = Buffer.alloc(headerLength);
  await take(text);
  const header = parseHeader(text.toString('utf8'));
  if (header === null) return refuse('its header cannot be read');
  if (header.kind !== kind) refuse(`it is of ${header.kind}`);
  const sections: Section[] = [];
  for (const [type, length] of header.sections) {
    const bytes = length * makers[type].BYTES_PER_ELEMENT;
    // Checked before memory is allocated.
    if (position + bytes > size) refuse('it is cut short');
    const section = isShared ? sharedRoom(type, bytes) : new makers[type](length);
    await take(bytesOf(section));
    await take(new Uint8Array(paddingOf(bytes)));
    sections.push(section);
  }
  const found = hash.copy().digest();
  const expected = Buffer.alloc(hashBytes);
  await take(expected);
  if (!found.equals(expected)) refuse('its bytes are not those that were written');
  if (position !== size) refuse('something follows it');
  return { body: header.body, sections };
}

function sharedRoom(type: SectionType, bytes: number): Section {
  // The cast holds: every kind of array can be made over such a buffer.
  return new (makers[type] as new (buffer: SharedArrayBuffer) => Section)(new SharedArrayBuffer(bytes));
}

async function fill(file: FileHandle, into: Uint8Array, position: number, hash: Hash): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await file.read(into, at, Math.min(blockBytes, into.length - at), position + at);
    assert(bytesRead > 0, 'a file does not shrink while it is read');
    hash.update(into.subarray(at, at + bytesRead));
    at += bytesRead;
  }
}

type Header = { readonly kind: unknown; readonly sections: readonly [SectionType, number][]; readonly body: unknown };

function parseHeader(text: string): Header | null {
  try {
    const header = JSON.parse(text) as Header;
    const isSound = ([type, length]: [SectionType, number]) =>
      Object.hasOwn(makers, type) && Number.isSafeInteger(length) && length >= 0;
    return Array.isArray(header.sections) && header.sections.every(isSound) ? header : null;
  } catch {
    return null;
  }
}

function typeOf(section: Section): SectionType {
  if (section instanceof Float64Array) return 'f64';
  if (section instanceof Float32Array) return 'f32';
  if (section instanceof Int32Array) return 'i32';
  return section instanceof Uint32Array ? 'u32' : 'u8';
}

function bytesOf(section: Section): Uint8Array {
  return new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
}

function paddingOf(bytes: number): number {
  return (alignment - (bytes % alignment)) % alignment;
}

function padded(bytes: Buffer, by: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(paddingOf(bytes.length), by)]);
}
