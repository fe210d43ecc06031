// Behaviour of S3 only: what is sent, what stays behind, and what happens when the network fails.
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  type ReadStream,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../../../tests/support/samples/lib-storage.ts';
import { putFile } from '../put-file.ts';
import type { Storage } from '../storage.ts';
import { openS3 } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 's3-'));
const cacheFolder = join(folder, 'cache');
const large = randomBytes(17_000_000);
let server: S3Server;
let storage: Storage;
const open = (changes: Partial<Parameters<typeof openS3>[0]> = {}) =>
  openS3({ ...server, prefix: 'p/', region: 'us-east-1', cacheFolder, cacheBytesMax: 10 ** 9, ...changes });

beforeAll(async () => {
  server = await startS3Server();
});
beforeEach(async () => {
  storage = await open();
});
afterEach(() => {
  server.disturb = () => null;
  server.objects.clear();
  server.uploads.clear();
  server.requests.length = 0;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const keys = () => [...server.objects.keys()].map((key) => key.replace(/~[0-9a-f]{16}$/, '~id')).sort();

test('a small object is one object with its hashes', async () => {
  await storage.put('a/b.csv', Buffer.from('x'), { contentType: 'text/csv' });
  expect(keys()).toEqual(['p/a/b.csv']);
  expect(server.objects.get('p/a/b.csv')?.headers).toEqual({
    'content-type': 'text/csv',
    'x-amz-meta-type': 'text/csv',
    'x-amz-meta-size': '1',
    'x-amz-meta-md5': 'ndTkYSaMgDT1yFZOFVxnpg==',
    'x-amz-meta-sha256': createHash('sha256').update('x').digest('hex'),
  });
});

test('a large object goes in parts and leaves its hashes beside it until it goes', async () => {
  await storage.put('a', large);
  expect(server.requests.filter((line) => line.includes('partNumber=')).length).toBe(3);
  expect(keys()).toEqual(['p/a', 'p/a~id']);
  await storage.put('a', large);
  expect(keys()).toEqual(['p/a', 'p/a~id']);
  await storage.put('a', Buffer.from('small'));
  expect(keys()).toEqual(['p/a']);
  await storage.put('a', large);
  await storage.delete('a');
  expect(keys()).toEqual([]);
  expect(server.uploads.size).toBe(0);
});

test('a wrong secret and a wrong bucket are told at opening', async () => {
  const credentials = { ...server.credentials, secretAccessKey: 'wrong' };
  await expect(open({ credentials })).rejects.toMatchObject({ cause: { name: 'SignatureDoesNotMatch' } });
  await expect(open({ bucket: 'other' })).rejects.toMatchObject({ cause: { name: 'NoSuchBucket' } });
});

test('parts of a refused or broken upload are given up', async () => {
  await expect(storage.put('a', large, { expectedMd5: 'wrong' })).rejects.toMatchObject({ code: 'invalid' });
  const broken = async function* () {
    yield large;
    throw new Error('hung up');
  };
  await expect(storage.put('a', broken())).rejects.toThrow('hung up');
  server.disturb = (line) => (line.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : null);
  await expect(storage.put('a', large)).rejects.toMatchObject({ name: 'AccessDenied' });
  server.disturb = (line) => (/^POST .*uploadId=/.test(line) ? { status: 403, code: 'AccessDenied' } : null);
  await expect(storage.put('a', large)).rejects.toMatchObject({ name: 'AccessDenied' });
  expect(keys()).toEqual([]);
  expect(server.uploads.size).toBe(0);
});

test('tidying gives up uploads of those who were killed, and their hashes, once they are old', async () => {
  await storage.put('kept', large);
  const before = keys();
  const upload = { begun: new Date(), headers: {}, parts: new Map() };
  for (const key of ['p/a', 'p/b', 'p/c', 'p/d']) server.uploads.set(`id-${key}`, { ...upload, key });
  server.uploads.set('of others', { ...upload, key: 'q/a' });
  const sums = Buffer.from('{}');
  for (const key of ['p/a~0123456789abcdef', 'p/kept~0123456789abcdef'])
    server.objects.set(key, { bytes: sums, headers: {} });
  await storage.tidy(60_000);
  expect(server.uploads.size).toBe(5);
  await storage.tidy(-60_000);
  expect([...server.uploads.keys()]).toEqual(['of others']);
  expect(keys()).toEqual(before);
  expect(await storage.verify('kept')).toBe(true);
  server.uploads.clear();
});

test('tidying passes over an object whose metadata are gone, and its hashes', async () => {
  await storage.put('a', large);
  await storage.put('b', large);
  const before = keys();
  const taken = server.objects.get('p/a')!;
  server.objects.set('p/a', { bytes: taken.bytes, headers: {} });
  server.objects.set('p/c~0123456789abcdef', { bytes: Buffer.from('{}'), headers: {} });
  await storage.tidy(-60_000);
  expect(keys()).toEqual(before);
});

test.each([
  ['PUT', Buffer.from('small')],
  ['partNumber=3', large],
])('no room at %s refuses the object', async (where, bytes) => {
  server.disturb = (line) => (line.includes(where) ? { status: 507, code: 'XMinioStorageFull' } : null);
  await expect(storage.put('a', bytes)).rejects.toMatchObject({ code: 'insufficient_storage' });
  expect(keys()).toEqual([]);
  expect(server.uploads.size).toBe(0);
});

test.each(['PUT', 'POST', 'HEAD', 'GET', 'DELETE'])('a connection cut at %s is tried again', async (method) => {
  const cut = new Set<string>();
  server.disturb = (line) => {
    if (!line.startsWith(method) || cut.has(line)) return null;
    cut.add(line);
    return 'cut';
  };
  await storage.put('a', large);
  expect((await storage.stat('a'))?.size).toBe(large.length);
  expect((await buffer(await storage.get('a', null))).equals(large)).toBe(true);
  await storage.delete('a');
  expect(cut.size).toBeGreaterThan(0);
  expect(await storage.stat('a')).toBe(null);
});

test.each([
  { status: 503, code: 'SlowDown' },
  { status: 500, code: 'InternalError' },
  { status: 429, code: 'TooManyRequests' },
  'cut' as const,
])(
  'a bucket that answers %o throughout is away',
  async (disturbance) => {
    await storage.put('a', Buffer.from('x'));
    server.disturb = () => disturbance;
    const away = { code: 'unavailable', message: expect.stringContaining('storage does not answer') };
    await expect(storage.put('a', Buffer.from('y'))).rejects.toMatchObject(away);
    await expect(storage.localPath('a', null)).rejects.toMatchObject(away);
  },
  20_000,
);

test('a bucket that nobody listens for is away, and says why at opening', async () => {
  const gone = await startS3Server();
  const nobody = await openS3({ ...gone, prefix: '', region: 'us-east-1', cacheFolder, cacheBytesMax: 1 });
  await gone.stop();
  await expect(nobody.stat('a')).rejects.toMatchObject({ code: 'unavailable' });
  const opening = openS3({ ...gone, prefix: '', region: 'us-east-1', cacheFolder, cacheBytesMax: 1 });
  await expect(opening).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
}, 20_000);

test('a file that could not be stored is closed', async () => {
  const path = join(folder, 'large');
  writeFileSync(path, large);
  server.disturb = (line) => (line.includes('partNumber=1') ? { status: 403, code: 'AccessDenied' } : null);
  let stream: ReadStream | undefined;
  const stored = putFile(storage, 'a', path, {
    pass(bytes) {
      stream = bytes as ReadStream;
      return bytes;
    },
  });
  await expect(stored).rejects.toMatchObject({ name: 'AccessDenied' });
  expect(stream?.destroyed).toBe(true);
});

test('an upload whose last answer is lost is there with its hashes', async () => {
  server.disturb = (line) => (/^POST .*uploadId=/.test(line) ? 'cut' : null);
  await storage.put('a', large);
  server.disturb = () => null;
  expect(await storage.verify('a')).toBe(true);
});

test('a download cut half-way is an error, not a shorter object', async () => {
  await storage.put('a', large);
  server.disturb = (line) => (line.startsWith('GET /test-bucket/p/a?') ? 'cut body' : null);
  await expect(async () => buffer(await storage.get('a', null))).rejects.toThrow();
  await expect(storage.localPath('a', null)).rejects.toThrow();
  expect(readdirSync(cacheFolder)).toEqual([]);
});

test('what changed in the bucket is found, and never becomes a local copy', async () => {
  await storage.put('a', Buffer.from('12345678'));
  server.objects.get('p/a')!.bytes = Buffer.from('12345679');
  expect(await storage.verify('a')).toBe(false);
  await expect(storage.localPath('a', null)).rejects.toMatchObject({ reason: 'object_damaged' });
  expect(readdirSync(cacheFolder)).toEqual([]);
});

test('objects of others are not taken for ours', async () => {
  server.objects.set('p/foreign', { bytes: Buffer.from('x'), headers: {} });
  await expect(storage.stat('foreign')).rejects.toThrow('not written by this program');
});

test('a local copy is downloaded once, by all who ask together', async () => {
  await storage.put('a.csv', Buffer.from('once'));
  server.requests.length = 0;
  const paths = await Promise.all([
    storage.localPath('a.csv', null),
    storage.localPath('a.csv', null),
    storage.localPath('a.csv', null),
  ]);
  expect(new Set([...paths, await storage.localPath('a.csv', null)]).size).toBe(1);
  expect(server.requests.filter((line) => line.startsWith('GET')).length).toBe(1);
  writeFileSync(paths[0], 'cut off');
  expect(readFileSync(await storage.localPath('a.csv', null), 'utf8')).toBe('once');
});

test('copies of a folder are forgotten, those of others stay', async () => {
  for (const key of ['a/1/x.csv', 'a/1/y', 'a/10/x.csv']) await storage.put(key, Buffer.from(key));
  const paths = [];
  for (const key of ['a/1/x.csv', 'a/1/y', 'a/10/x.csv']) paths.push(await storage.localPath(key, null));
  await storage.forget!('a/1/', Number.POSITIVE_INFINITY);
  expect(paths.map((path) => existsSync(path))).toEqual([false, false, true]);
  expect(readFileSync(await storage.localPath('a/1/y', null), 'utf8')).toBe('a/1/y');
});

test('old copies go when there are too many, new ones stay', async () => {
  const small = await open({ cacheFolder: join(folder, 'small'), cacheBytesMax: 25 });
  const paths: string[] = [];
  for (const key of ['a', 'b', 'c']) {
    await small.put(key, Buffer.from(key.repeat(10)));
    paths.push(await small.localPath(key, null));
    const longAgo = new Date(Date.now() - (5 - paths.length) * 60 * 60 * 1000);
    utimesSync(paths.at(-1)!, longAgo, longAgo);
  }
  writeFileSync(join(folder, 'small', 'x.partial'), '');
  utimesSync(join(folder, 'small', 'x.partial'), new Date(0), new Date(0));
  await small.localPath('a', null);
  await small.put('d', Buffer.from('d'.repeat(10)));
  paths.push(await small.localPath('d', null));
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  // `a` and `d` were used just now; there is no room for any of the older ones.
  expect(readdirSync(join(folder, 'small')).sort()).toEqual([names[0], names[3]].sort());
});
