// Behaviour of the disk only: what crashes leave, what else shares the folder, and a full disk.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openDisk } from './disk.ts';
import { openStorage } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'disk-'));
afterAll(() => rmSync(folder, { recursive: true }));
const text = (words: string) => new TextEncoder().encode(words);
const files = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);

test('an object is its bytes and a record, and replacing it leaves no more', async () => {
  const root = join(folder, 'two');
  const storage = await openDisk(root);
  for (const words of ['one', 'two', 'two']) await storage.put('a/b.csv', text(words));
  expect(
    files(root)
      .map(({ name }) => name.replace(/~[0-9a-f]{16}/, '~id'))
      .sort(),
  ).toEqual(['b.csv~.json', 'b~id.csv']);
  await storage.delete('a/b.csv');
  expect(files(root)).toEqual([]);
});

test('refused and broken writes leave no files', async () => {
  const root = join(folder, 'none');
  const storage = await openDisk(root);
  await expect(storage.put('a', text('x'), { expectedMd5: 'AAAA' })).rejects.toThrow();
  const broken = async function* () {
    yield text('x');
    throw new Error('broken');
  };
  await expect(storage.put('a', broken())).rejects.toThrow('broken');
  expect(files(root)).toEqual([]);
});

test('what a crash left is removed at opening, what is being written is not', async () => {
  const root = join(folder, 'crash');
  const storage = await openDisk(root);
  await storage.put('a/kept', text('kept'));
  await storage.put('a/half', text('old'));
  const partial = join(root, '~partial');
  // Killed while writing the bytes, while writing the record, and with the bytes in place but not the record.
  writeFileSync(join(partial, 'one'), 'x');
  writeFileSync(join(partial, 'two.json'), '{"ke');
  writeFileSync(join(root, 'a', 'half~three'), 'new');
  writeFileSync(join(partial, 'three.json'), JSON.stringify({ key: 'a/half', data: 'half~three' }));
  for (const name of readdirSync(partial)) utimesSync(join(partial, name), longAgo, longAgo);
  writeFileSync(join(partial, 'young'), 'x');
  const again = await openDisk(root);
  expect(readdirSync(partial)).toEqual(['young']);
  expect(readdirSync(join(root, 'a'))).not.toContain('half~three');
  expect((await buffer(await again.get('a/half', null))).toString()).toBe('old');
  expect((await buffer(await again.get('a/kept', null))).toString()).toBe('kept');
});

test('tidying removes bytes that no record names, and drafts, once they are old', async () => {
  const root = join(folder, 'tidy');
  const storage = await openDisk(root);
  await storage.put('a/b.csv', text('kept'));
  await storage.put('a/c', text('kept'));
  const before = files(root).length;
  const strays = ['a/b~0123456789abcdef.csv', 'a/c~0123456789abcdef', 'a/gone~0123456789abcdef.x', '~partial/0123'];
  for (const name of strays) writeFileSync(join(root, name), 'x');
  await storage.tidy(60_000);
  expect(files(root)).toHaveLength(before + strays.length);
  await storage.tidy(-1000);
  expect(files(root)).toHaveLength(before);
  for (const key of ['a/b.csv', 'a/c']) expect(await storage.verify(key)).toBe(true);
});

test('damage on the disk is found', async () => {
  const root = join(folder, 'damage');
  const storage = await openDisk(root);
  await storage.put('a', text('12345678'));
  const path = await storage.localPath('a', null);
  writeFileSync(path, '12345679');
  expect(await storage.verify('a')).toBe(false);
  writeFileSync(path, '1234567');
  expect(await storage.verify('a')).toBe(false);
  writeFileSync(path, '12345678');
  expect(await storage.verify('a')).toBe(true);
});

test('a reader keeps the bytes it opened while they are replaced and deleted', async () => {
  const storage = await openDisk(join(folder, 'reader'));
  await storage.put('a', text('old'));
  const reading = await storage.get('a', null);
  await storage.put('a', text('new'));
  await storage.delete('a');
  expect((await buffer(reading)).toString()).toBe('old');
});

test('two who opened the same folder see the same objects', async () => {
  const root = join(folder, 'shared');
  const options = { cacheFolder: join(folder, 'cache') };
  const [one, two] = [await openStorage(root, options), await openStorage(pathToFileURL(root).href, options)];
  await one.put('a', text('x'));
  expect(await two.stat('a')).toEqual(await one.stat('a'));
  expect(statSync(root).mode & 0o077).toBe(0);
  expect(readFileSync(await two.localPath('a', null), 'utf8')).toBe('x');
  await expect(openStorage('ftp://host/x', options)).rejects.toMatchObject({ code: 'invalid' });
});

const mount = join(folder, 'full');
const isMounted = mountTiny();
if (!isMounted) console.warn('SKIPPED the test of a full disk: only root on Linux can mount one.');

function mountTiny(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  mkdirSync(mount);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount]).status === 0;
}

test.runIf(isMounted)('a full disk refuses what does not fit and keeps what is there', async () => {
  try {
    const root = join(mount, 'storage');
    const storage = await openDisk(root);
    const fits = new Uint8Array(600_000).fill(1);
    await storage.put('a', fits);
    const before = files(root).length;
    await expect(storage.put('b', fits)).rejects.toMatchObject({ code: 'insufficient_storage' });
    await expect(storage.put('a', fits)).rejects.toMatchObject({ code: 'insufficient_storage' });
    expect(files(root).length).toBe(before);
    expect(await storage.verify('a')).toBe(true);
    await storage.delete('a');
    await storage.put('b', fits);
    expect(await storage.verify('b')).toBe(true);
  } finally {
    execFileSync('umount', [mount]);
  }
});
