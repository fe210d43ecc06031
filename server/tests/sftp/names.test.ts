/** Names of SFTP: which files and folders there may be. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sftp } from './client.ts';
import { type SftpShop, startSftpShop } from './shop.ts';

let shop: SftpShop;
let sftp: Sftp;

beforeAll(async () => {
  shop = await startSftpShop();
  ({ sftp } = shop);
});
afterAll(() => shop.close());

test.each([
  ['batch/in/../../../../etc/passwd', 'files lie in'],
  ['/etc/passwd', 'files lie in'],
  ['batch/in/below/it.csv', 'there are no folders within'],
  ['batch/out/mine.csv', 'into batch/in alone'],
  ['batch/logs/mine.log', 'into batch/in alone'],
  ['batch/new/x.csv', 'files lie in'],
  ['batch/__proto__/x.csv', 'files lie in'],
  ['batch/in/with\u0000nul.csv', 'NUL'],
  [`batch/in/${'é'.repeat(128)}.csv`, '255 bytes'],
])('nothing is written at %s', async (path, why) => {
  await expect(sftp.put(path, 'x')).rejects.toThrow(why);
});

test('folders and links cannot be made, and given ones not removed', async () => {
  const asked = <T>(ask: (done: (error?: Error | null, value?: T) => void) => void) =>
    new Promise((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value))));
  await expect(asked((done) => sftp.raw.mkdir('batch/in/x', done))).rejects.toThrow('the folders are given');
  await expect(asked((done) => sftp.raw.rmdir('batch/in', done))).rejects.toThrow('the folders are given');
  await expect(asked((done) => sftp.raw.symlink('/etc/passwd', 'batch/in/link.csv', done))).rejects.toThrow('no links');
  await expect(asked((done) => sftp.raw.readlink('batch/in/link.csv', done))).rejects.toThrow('no links');
  await expect(sftp.list('batch/in/x')).rejects.toThrow('no /batch/in/x');
  expect(await asked((done) => sftp.raw.realpath('batch/in/../../../..', done))).toBe('/');
});

test('names may be of any letters and of 255 bytes', async () => {
  const names = [`${'é'.repeat(125)}z.csv`, '年度 – carteira “ção”.csv', "it's; $(rm -rf) & <b>.csv"];
  expect(Buffer.byteLength(names[0]!)).toBe(255);
  for (const name of names) await sftp.put(`batch/in/${name}`, shop.rowsOf(0, 1));
  for (const name of names.slice(1)) await sftp.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
  // Its result has a name that fits as well, and that no other file's has.
  await expect.poll(async () => (await sftp.list('batch/out')).some((name) => name.startsWith('é'))).toBe(true);
  const result = (await sftp.list('batch/out')).find((name) => name.startsWith('é'))!;
  expect(Buffer.byteLength(result)).toBeLessThanOrEqual(255);
  expect(result).toMatch(/~[0-9a-f]{8}\.result\.csv$/);
  expect((await sftp.get(`batch/out/${result}`)).toString()).toContain('row 0');
  expect(await sftp.list('batch/in')).toEqual(expect.arrayContaining(names));
});
