// ZIP archives of files whose sizes and checksums are known, stored without compression (APPNOTE.TXT 6.3.10).

/** A file of an archive. */
export type ZipEntry = {
  /** The path in the archive: relative, with slashes between folders, and unique. */
  readonly name: string;
  readonly bytes: number;
  readonly crc32: number;
  /** The time of modification, from 1980 on; stored in UTC to two seconds. */
  readonly modified: Date;
  /** Opens the file's bytes, which must be `bytes` in number. */
  open(): Promise<AsyncIterable<Uint8Array>>;
};

/** Sizes and offsets from here on do not fit the 32 bits of the plain fields (§4.3.9.2). */
const zip64From = 0xffff_ffff;
const entriesMax16 = 0xffff;
/** Bit 11: names are UTF-8. */
const utf8Flag = 0x0800;
const versionPlain = 20;
const versionZip64 = 45;
const madeByUnix = 3 << 8;
/** A regular file that its owner may write and everybody may read. */
const unixMode = 0o100644;

/** The size in bytes of the archive that `writeZip` writes of these entries. `wideFrom` as for `writeZip`. */
export function zipBytes(entries: readonly ZipEntry[], wideFrom = zip64From): number {
  let at = 0;
  let directory = 0;
  for (const entry of entries) {
    directory += directoryRecord(entry, at, wideFrom).length;
    at += localHeader(entry, wideFrom).length + entry.bytes;
  }
  return at + directory + endRecords(entries.length, at, directory, wideFrom).length;
}

/**
 * Writes an archive piece by piece, and holds in memory only what an entry yields. Sizes come before the bytes, so the
 * archive can be read while it arrives. `wideFrom`: the size from which ZIP64 fields are used; set only by tests.
 * Throws when an entry does not yield `bytes` bytes.
 */
export async function* writeZip(entries: readonly ZipEntry[], wideFrom = zip64From): AsyncGenerator<Uint8Array> {
  let at = 0;
  const records: Buffer[] = [];
  for (const entry of entries) {
    records.push(directoryRecord(entry, at, wideFrom));
    const header = localHeader(entry, wideFrom);
    yield header;
    let bytes = 0;
    for await (const chunk of await entry.open()) {
      bytes += chunk.length;
      yield chunk;
    }
    if (bytes !== entry.bytes) throw new Error(`${entry.name} has ${bytes} bytes, not ${entry.bytes}`);
    at += header.length + bytes;
  }
  const directory = Buffer.concat(records);
  yield directory;
  yield endRecords(entries.length, at, directory.length, wideFrom);
}

function localHeader(entry: ZipEntry, wideFrom: number): Buffer {
  const isWide = entry.bytes >= wideFrom;
  const name = Buffer.from(entry.name);
  const extra = isWide ? wideFields([entry.bytes, entry.bytes]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, entry, isWide, isWide);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function directoryRecord(entry: ZipEntry, at: number, wideFrom: number): Buffer {
  const isWide = entry.bytes >= wideFrom;
  const isFar = at >= wideFrom;
  const name = Buffer.from(entry.name);
  const wide = [...(isWide ? [entry.bytes, entry.bytes] : []), ...(isFar ? [at] : [])];
  const extra = wide.length > 0 ? wideFields(wide) : Buffer.alloc(0);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(madeByUnix | versionZip64, 4);
  writeCommon(record, 6, entry, isWide, isWide || isFar);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(unixMode * 0x1_0000, 38);
  record.writeUInt32LE(isFar ? zip64From : at, 42);
  return Buffer.concat([record, name, extra]);
}

/**
 * Writes the fields that local header and directory record share: version needed, flags, method 0, time, checksum and
 * sizes.
 */
function writeCommon(into: Buffer, at: number, entry: ZipEntry, isWide: boolean, needsZip64: boolean): void {
  const { modified, crc32, bytes } = entry;
  const time = (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1);
  const day = ((modified.getUTCFullYear() - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate();
  into.writeUInt16LE(needsZip64 ? versionZip64 : versionPlain, at);
  into.writeUInt16LE(utf8Flag, at + 2);
  into.writeUInt16LE(time, at + 6);
  into.writeUInt16LE(day, at + 8);
  into.writeUInt32LE(crc32, at + 10);
  into.writeUInt32LE(isWide ? zip64From : bytes, at + 14);
  into.writeUInt32LE(isWide ? zip64From : bytes, at + 18);
}

/** The ZIP64 extra field (§4.5.3). */
function wideFields(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return field;
}

function endRecords(entries: number, directoryAt: number, directoryBytes: number, wideFrom: number): Buffer {
  const isWide = entries >= entriesMax16 || directoryAt >= wideFrom || directoryBytes >= wideFrom;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isWide ? entriesMax16 : entries, 8);
  end.writeUInt16LE(isWide ? entriesMax16 : entries, 10);
  end.writeUInt32LE(isWide ? zip64From : directoryBytes, 12);
  end.writeUInt32LE(isWide ? zip64From : directoryAt, 16);
  if (!isWide) return end;
  const wide = Buffer.alloc(56 + 20);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(44n, 4);
  wide.writeUInt16LE(madeByUnix | versionZip64, 12);
  wide.writeUInt16LE(versionZip64, 14);
  wide.writeBigUInt64LE(BigInt(entries), 24);
  wide.writeBigUInt64LE(BigInt(entries), 32);
  wide.writeBigUInt64LE(BigInt(directoryBytes), 40);
  wide.writeBigUInt64LE(BigInt(directoryAt), 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 64);
  wide.writeUInt32LE(1, 72);
  return Buffer.concat([wide, end]);
}
