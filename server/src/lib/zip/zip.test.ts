import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { writeZip, type ZipEntry, zipBytes } from './zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const contents = new Map([
  ['2026/pedidos.csv', Buffer.from('id,score\n1,900\n')],
  ['ação ç.jsonl', Buffer.alloc(300_000, 'á')],
  ['empty.csv', Buffer.alloc(0)],
]);

/** Python's zipfile: another implementation, which checks every checksum. */
const read = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, i.file_size, i.CRC, list(i.date_time), i.extract_version] for i in archive.infolist()]))
`;

describe.each([
  ['with fields of 32 bits', undefined, 20],
  ['as ZIP64', 0, 45],
])('an archive %s', (name, wideFrom, version) => {
  test('is read by others, and as long as was said', async () => {
    const path = join(folder, `${name}.zip`);
    await pipeline(Readable.from(writeZip(entries(), wideFrom)), createWriteStream(path));
    expect(statSync(path).size).toBe(zipBytes(entries(), wideFrom));
    const found = JSON.parse(execFileSync('python3', ['-c', read, path], { encoding: 'utf8' }));
    expect(found).toEqual(
      [...contents].map(([file, bytes]) => [file, bytes.length, crc32(bytes), [2026, 11, 21, 15, 30, 58], version]),
    );
  });
});

test('a file that changed since it was measured is not passed off as it was', async () => {
  const [first] = entries();
  const archive = Readable.from(writeZip([{ ...first, bytes: first.bytes + 1 }]));
  await expect(archive.resume().toArray()).rejects.toThrow('2026/pedidos.csv has 15 bytes, not 16');
});

function entries(): ZipEntry[] {
  return [...contents].map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    crc32: crc32(bytes),
    modified: new Date('2026-11-21T15:30:59Z'),
    open: async () => Readable.from(bytes.length > 0 ? [bytes.subarray(0, 7), bytes.subarray(7)] : []),
  }));
}
