// What every storage promises, tested with each implementation.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startS3Server } from '../../../tests/support/samples/lib-storage.ts';
import { openDisk } from './disk.ts';
import { openStorage } from './open.ts';
import type { ListedObject, Storage } from './storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'storage-'));
afterAll(() => rmSync(folder, { recursive: true }));

const drivers: readonly { name: string; start: () => Promise<{ storage: Storage; stop: () => Promise<void> }> }[] = [
  { name: 'disk', start: async () => ({ storage: await openDisk(join(folder, 'disk')), stop: async () => {} }) },
  { name: 'S3', start: startS3 },
];

async function startS3() {
  const { bucket, endpoint, credentials, stop } = await startS3Server();
  const address = `s3://${bucket}/some/folder?endpoint=${endpoint}&region=sa-east-1`;
  return { storage: await openStorage(address, { cacheFolder: join(folder, 'cache'), credentials }), stop };
}

const text = (words: string) => new TextEncoder().encode(words);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64');
/** Larger than a part or block of either implementation, in chunks whose size divides neither. */
const large = randomBytes(9_000_003);
const inChunks = (bytes: Uint8Array, chunkBytes = 77_777) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    })(),
  );

describe.each(drivers)('$name', ({ start }) => {
  let storage: Storage;
  let stop = async () => {};
  beforeAll(async () => {
    ({ storage, stop } = await start());
  });
  afterAll(() => stop());

  const read = async (key: string, range?: { start: number; end?: number }) =>
    buffer(await storage.get(key, null, range === undefined ? {} : { range }));
  const list = async (prefix: string): Promise<ListedObject[]> => Array.fromAsync(storage.list(prefix));
  const keys = async (prefix: string) => (await list(prefix)).map(({ key }) => key);

  test('what is put is got, with its size and hashes', async () => {
    const bytes = text('id;value\n1;ção\n');
    const put = await storage.put('a/data.csv', bytes, { contentType: 'text/csv; charset=utf-8' });
    expect(put).toEqual({
      size: bytes.length,
      sha256: sha256(bytes),
      md5: md5(bytes),
      contentType: 'text/csv; charset=utf-8',
    });
    expect(await storage.stat('a/data.csv')).toEqual(put);
    expect(new Uint8Array(await read('a/data.csv'))).toEqual(bytes);
  });

  test('a large stream comes back as it was', async () => {
    const put = await storage.put('large/stream.bin', inChunks(large), { expectedMd5: md5(large) });
    expect(put).toEqual({ size: large.length, sha256: sha256(large), md5: md5(large), contentType: null });
    expect(await storage.stat('large/stream.bin')).toEqual(put);
    expect(sha256(await read('large/stream.bin'))).toBe(sha256(large));
    expect(await storage.verify('large/stream.bin')).toBe(true);
  });

  test('large bytes in memory and a size told beforehand do the same', async () => {
    const put = await storage.put('large/bytes.bin', large, { size: large.length, contentType: 'application/x' });
    expect(put).toEqual({ size: large.length, sha256: sha256(large), md5: md5(large), contentType: 'application/x' });
    expect(await storage.verify('large/bytes.bin')).toBe(true);
  });

  test('an empty object is an object', async () => {
    await storage.put('empty', Readable.from([]));
    expect(await storage.stat('empty')).toMatchObject({ size: 0, sha256: sha256(text('')) });
    expect((await read('empty')).length).toBe(0);
  });

  test('a range gives its bytes and no others', async () => {
    await storage.put('range', text('0123456789'));
    expect((await read('range', { start: 0, end: 0 })).toString()).toBe('0');
    expect((await read('range', { start: 3, end: 5 })).toString()).toBe('345');
    expect((await read('range', { start: 7 })).toString()).toBe('789');
    expect((await read('range', { start: 7, end: 99 })).toString()).toBe('789');
    await expect(read('range', { start: 10 })).rejects.toMatchObject({ code: 'invalid' });
  });

  test('what is absent is said to be', async () => {
    expect(await storage.stat('no/such')).toBe(null);
    await expect(storage.get('no/such', null)).rejects.toMatchObject({ code: 'not_found' });
    await expect(storage.get('no/such', null, { range: { start: 0 } })).rejects.toMatchObject({ code: 'not_found' });
    await expect(storage.verify('no/such')).rejects.toMatchObject({ code: 'not_found' });
    await expect(storage.localPath('no/such', null)).rejects.toMatchObject({ code: 'not_found' });
    await storage.delete('no/such');
    await storage.deletePrefix('no/such/');
    expect(await keys('no/')).toEqual([]);
  });

  test.each([
    ['small', text('new')],
    ['large', large],
  ])('a %s object takes the place of another at once', async (_, bytes) => {
    await storage.put('replaced', large, { contentType: 'application/old' });
    const reading = await storage.get('replaced', null, { range: { start: 0 } });
    await storage.put('replaced', bytes);
    expect(await storage.stat('replaced')).toEqual({
      size: bytes.length,
      sha256: sha256(bytes),
      md5: md5(bytes),
      contentType: null,
    });
    expect(sha256(await read('replaced'))).toBe(sha256(bytes));
    reading.on('error', () => {}).destroy();
  });

  test.each([
    ['small', text('hello')],
    ['large', large],
  ])('%s bytes with another MD5 are refused and nothing is stored', async (_, bytes) => {
    const failure = { code: 'invalid', message: expect.stringContaining(md5(bytes)) };
    await expect(storage.put('md5/new', bytes, { expectedMd5: md5(text('x')) })).rejects.toMatchObject(failure);
    expect(await keys('md5/')).toEqual([]);
    await storage.put('md5/old', text('old'));
    await expect(storage.put('md5/old', bytes, { expectedMd5: md5(text('x')) })).rejects.toMatchObject(failure);
    expect((await read('md5/old')).toString()).toBe('old');
    await storage.deletePrefix('md5/');
  });

  test.each([1, 8_900_000])('a stream that breaks after %i bytes stores nothing', async (length) => {
    const broken = async function* () {
      yield large.subarray(0, length);
      throw new Error('the caller hung up');
    };
    await expect(storage.put('broken/new', broken())).rejects.toThrow('hung up');
    expect(await storage.stat('broken/new')).toBe(null);
    await storage.put('broken/old', text('old'));
    await expect(storage.put('broken/old', broken())).rejects.toThrow('hung up');
    expect((await read('broken/old')).toString()).toBe('old');
    expect(await keys('broken/')).toEqual(['broken/old']);
  });

  test('a request whose client hangs up stores nothing', async () => {
    const outcome = Promise.withResolvers<unknown>();
    const server = createServer((incoming) => {
      storage.put('hung/up', incoming).then(outcome.resolve, outcome.resolve);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = request({ port, method: 'PUT', headers: { 'content-length': large.length } }).on('error', () => {});
    client.write(large.subarray(0, 1_000_000), () => client.destroy());
    expect(await outcome.promise).toBeInstanceOf(Error);
    expect(await keys('hung/')).toEqual([]);
    server.close();
  });

  test('a stream that is given up is left to its caller', async () => {
    const stream = Readable.from([text('bytes'), 'no bytes', text('more')]);
    await expect(storage.put('given/up', stream)).rejects.toThrow('assertion');
    expect(stream.destroyed).toBe(false);
    expect(await keys('given/')).toEqual([]);
  });

  test('a listing is in order of key and stays in its folder', async () => {
    const inOrder = ['l/A', 'l/a', 'l/a-b/c', 'l/a.txt', 'l/a/b', 'l/a/c/d.json', 'l/a0', 'l/b'];
    for (const key of inOrder.toReversed()) await storage.put(key, text(key));
    await storage.put('l2/a', text('other'));
    expect(await list('l/')).toEqual(inOrder.map((key) => ({ key, size: key.length })));
    expect(await keys('l/a/')).toEqual(['l/a/b', 'l/a/c/d.json']);
    expect(await keys('')).toEqual(expect.arrayContaining([...inOrder, 'l2/a']));
  });

  test('what is deleted is gone, and nothing else', async () => {
    for (const key of ['d/1', 'd/1/x', 'd/10', 'd/1/y/z']) await storage.put(key, text(key));
    await storage.put('d/1/large', large);
    await storage.deletePrefix('d/1/');
    expect(await keys('d/')).toEqual(['d/1', 'd/10']);
    await storage.delete('d/1');
    expect(await storage.stat('d/1')).toBe(null);
    expect(await keys('d/')).toEqual(['d/10']);
    await storage.put('d/1', text('again'));
    expect((await read('d/1')).toString()).toBe('again');
  });

  test('a local path holds the bytes, and the new ones after a change', async () => {
    await storage.put('local/x.parquet', text('one'));
    const path = await storage.localPath('local/x.parquet', null);
    expect(path).toMatch(/\.parquet$/);
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(await storage.localPath('local/x.parquet', null)).toBe(path);
    await storage.put('local/x.parquet', text('two'));
    expect(readFileSync(await storage.localPath('local/x.parquet', null), 'utf8')).toBe('two');
  });

  test('writers of the same key leave one of them whole', async () => {
    const bodies = Array.from({ length: 8 }, (_, at) => text(String(at).repeat(1000 + at)));
    await Promise.all(bodies.map((body) => storage.put('race', body)));
    const found = await read('race');
    expect(bodies.map(sha256)).toContain(sha256(found));
    expect(await storage.verify('race')).toBe(true);
  });

  test.each(['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/../b', '../a', 'a\\b', 'a/.b', 'a~b', 'a\0', 'a b', 'ç', 'a.'])(
    'the key %j is refused',
    async (key) => {
      await expect(async () => storage.put(key, text('x'))).rejects.toThrow('assertion');
      await expect(async () => storage.get(key, null)).rejects.toThrow('assertion');
      await expect(async () => storage.stat(key)).rejects.toThrow('assertion');
      await expect(async () => storage.delete(key)).rejects.toThrow('assertion');
    },
  );

  test.each(['', '/', 'a', '../', 'a/../', 'a//'])('the folder %j is not deleted', async (prefix) => {
    await expect(async () => storage.deletePrefix(prefix)).rejects.toThrow('assertion');
  });
});
