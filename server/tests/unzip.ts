/** Archives as they are written here, unpacked; test support. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes the files of a ZIP archive, which are stored as they are, into a folder. */
export function unzipInto(folder: string, archive: Buffer): void {
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50; ) {
    const [bytes, nameBytes, extraBytes] = [
      archive.readUInt32LE(at + 18),
      archive.readUInt16LE(at + 26),
      archive.readUInt16LE(at + 28),
    ];
    const name = archive.toString('utf8', at + 30, at + 30 + nameBytes);
    const from = at + 30 + nameBytes + extraBytes;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), archive.subarray(from, from + bytes));
    at = from + bytes;
  }
}
