/** Files that are sent in parts, again, and at once by SFTP: each one that came whole becomes one batch. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closed, connectSftp, opened, type Sftp, written } from './client.ts';
import { header, type SftpShop, startSftpShop } from './shop.ts';

let shop: SftpShop;
let sftp: Sftp;

beforeAll(async () => {
  shop = await startSftpShop();
  ({ sftp } = shop);
});
afterAll(() => shop.close());

test('half a file whose line drops is no batch; the rest sent at its offset makes it one, of the right bytes', async () => {
  const text = Buffer.from(shop.rowsOf(0, 40));
  const half = 700;
  const other = await connectSftp(shop.service, shop.user);
  const handle = await opened(other, 'batch/in/half.csv', 'w');
  await written(other, handle, text.subarray(0, half), 0);
  await other.drop();
  await expect.poll(() => shop.filesNamed('half.csv')).toMatchObject([{ status: 'incomplete', bytes: half }]);
  expect((await sftp.stat('batch/in/half.csv')).size).toBe(half);
  await expect(sftp.rename('batch/in/half.csv', 'batch/in/whole.csv')).rejects.toThrow('is not whole');
  // As OpenSSH's reput does: it asks to append, and says the offsets.
  const again = await opened(sftp, 'batch/in/half.csv', 'a');
  await written(sftp, again, text.subarray(half), half);
  await closed(sftp, again);
  const result = (await sftp.appears('batch/out/half.result.csv')).toString().trimEnd().split('\n');
  expect(result).toHaveLength(41);
  expect(await sftp.get('batch/in/half.csv')).toEqual(text);
  expect(await shop.batchesOf('half.csv')).toBe(1);
});

test('parts that come in any order make the file that they are parts of', async () => {
  const text = Buffer.from(shop.rowsOf(0, 20));
  const handle = await opened(sftp, 'batch/in/shuffled.csv', 'w');
  const cuts = [300, 0, 200, 100, 400];
  await Promise.all(
    cuts.map((from) => written(sftp, handle, text.subarray(from, from === 400 ? text.length : from + 100), from)),
  );
  await closed(sftp, handle);
  expect(await sftp.get('batch/in/shuffled.csv')).toEqual(text);
  await sftp.appears('batch/out/shuffled.result.csv');
});

test('the same file sent twice is one batch; with other bytes it is another, whose result replaces the first', async () => {
  await sftp.put('batch/in/daily.csv', shop.rowsOf(0, 3));
  await sftp.put('batch/in/daily.csv', shop.rowsOf(0, 3));
  await sftp.appears('batch/out/daily.result.csv');
  await sftp.put('batch/in/daily.csv', shop.rowsOf(0, 3));
  expect(await shop.batchesOf('daily.csv')).toBe(1);
  await sftp.put('batch/in/daily.csv', shop.rowsOf(0, 5));
  await expect
    .poll(async () => (await sftp.get('batch/out/daily.result.csv')).toString().trimEnd().split('\n').length)
    .toBe(6);
  expect(await shop.batchesOf('daily.csv')).toBe(2);
  expect((await sftp.list('batch/out')).filter((name) => name.startsWith('daily'))).toEqual(['daily.result.csv']);
});

test.each(['.part', '.filepart', '.tmp'])('the same file sent again as %s and renamed is one batch', async (ending) => {
  const name = `again${ending.slice(1)}`;
  const [draft, whole] = [`batch/in/${name}.csv${ending}`, `batch/in/${name}.csv`];
  await sftp.put(draft, shop.rowsOf(0, 3));
  await sftp.rename(draft, whole);
  await sftp.put(draft, shop.rowsOf(0, 3));
  await sftp.rename(draft, whole);
  await sftp.appears(`batch/out/${name}.result.csv`);
  // Clients that take a name for free only when it is, as WinSCP, remove what they replace.
  await sftp.put(draft, shop.rowsOf(0, 3));
  await sftp.remove(whole);
  await sftp.rename(draft, whole);
  expect(await shop.batchesOf(`${name}.csv`)).toBe(1);
  const there = (await sftp.list('batch/in')).filter((one) => one.startsWith(name));
  expect(there).toEqual([`${name}.csv`]);
  expect((await sftp.get(whole)).toString()).toBe(shop.rowsOf(0, 3));
  await sftp.put(draft, shop.rowsOf(0, 4));
  await sftp.rename(draft, whole);
  await expect.poll(() => shop.batchesOf(`${name}.csv`)).toBe(2);
  // A day later it is another file.
  await shop.service.owner.pool.query(
    "update sftp_files set created_at = now() - interval '25 hours' where name = $1",
    [`${name}.csv`],
  );
  await sftp.put(draft, shop.rowsOf(0, 4));
  await sftp.rename(draft, whole);
  await expect.poll(() => shop.batchesOf(`${name}.csv`)).toBe(3);
});

test('a file that was refused for its name, sent again and renamed again, is one batch', async () => {
  for (let time = 0; time < 2; time++) {
    await sftp.put('batch/in/misnamed.text', shop.rowsOf(0, 3));
    await expect.poll(() => shop.filesNamed('misnamed.text')).toMatchObject([{ status: 'refused', removed_at: null }]);
    await sftp.rename('batch/in/misnamed.text', 'batch/in/misnamed.csv');
    await sftp.appears('batch/out/misnamed.result.csv');
  }
  expect(await shop.batchesOf('misnamed.csv')).toBe(1);
  expect((await sftp.list('batch/in')).filter((name) => name.startsWith('misnamed'))).toEqual(['misnamed.csv']);
});

/** Sends a file and drops the line before it is closed. */
async function sendAndDrop(name: string, bytes: Buffer): Promise<void> {
  const other = await connectSftp(shop.service, shop.user);
  await written(other, await opened(other, `batch/in/${name}`, 'w'), bytes, 0);
  await other.drop();
  await expect
    .poll(async () => (await shop.filesNamed(name))[0])
    .toMatchObject({ status: 'incomplete', bytes: bytes.length });
}

test('a file sent whole, then broken off, then whole again is one batch', async () => {
  const text = Buffer.from(shop.rowsOf(0, 10));
  await sftp.put('batch/in/broken-off.csv', text);
  await sftp.appears('batch/out/broken-off.result.csv');
  await sendAndDrop('broken-off.csv', text.subarray(0, 300));
  expect((await sftp.stat('batch/in/broken-off.csv')).size).toBe(300);
  await sftp.put('batch/in/broken-off.csv', text);
  expect(await shop.filesNamed('broken-off.csv')).toMatchObject([
    { status: 'incomplete', removed_at: expect.any(String) },
    { status: 'accepted', removed_at: null },
  ]);
  expect(await sftp.get('batch/in/broken-off.csv')).toEqual(text);
  expect(await shop.batchesOf('broken-off.csv')).toBe(1);
  const { rows } = await shop.service.owner.pool.query(
    "select storage_key from sftp_files where name = 'broken-off.csv' and status = 'incomplete'",
  );
  expect(await shop.service.service.app.storage.stat(rows[0].storage_key)).toBeNull();
});

test('a file of which all bytes were sent, but whose line dropped before it was closed, waits for its end', async () => {
  const text = Buffer.from(shop.rowsOf(0, 5));
  await sendAndDrop('unclosed.csv', text);
  expect(await shop.batchesOf('unclosed.csv')).toBe(0);
  expect(await sftp.get('batch/in/unclosed.csv')).toEqual(text);
  const log = (await sftp.get('batch/logs/unclosed.csv.log')).toString();
  expect(log).toContain(`the line dropped after ${text.length} bytes; send the rest, or all`);
  // Of a file that is as long as the client's own, reput sends nothing, and closes it.
  await closed(sftp, await opened(sftp, 'batch/in/unclosed.csv', 'a'));
  const result = (await sftp.appears('batch/out/unclosed.result.csv')).toString().trimEnd().split('\n');
  expect(result).toHaveLength(6);
  expect(await shop.batchesOf('unclosed.csv')).toBe(1);
});

test('of two clients that write one name at once each has written a whole file', async () => {
  const other = await connectSftp(shop.service, shop.user);
  const texts = [shop.rowsOf(0, 10), shop.rowsOf(10, 20)].map((text) => Buffer.from(text));
  const [one, two] = [await opened(sftp, 'batch/in/both.csv', 'w'), await opened(other, 'batch/in/both.csv', 'w')];
  for (let at = 0; at < 600; at += 100) {
    await written(sftp, one, texts[0]!.subarray(at, at + 100), at);
    await written(other, two, texts[1]!.subarray(at, at + 100), at);
  }
  await Promise.all([closed(sftp, one), closed(other, two)]);
  const left = await sftp.get('batch/in/both.csv');
  expect(texts.map((text) => text.subarray(0, 600).equals(left))).toContain(true);
  await other.end();
});

test('each whole file becomes a batch, whatever comes under its name before it is looked at', async () => {
  await shop.beforeAnyLook(async () => {
    await sftp.put('batch/in/often.csv', shop.rowsOf(0, 3));
    const other = await connectSftp(shop.service, shop.user);
    await written(other, await opened(other, 'batch/in/often.csv', 'w'), Buffer.from(header), 0);
    await other.drop();
    await expect
      .poll(() => shop.filesNamed('often.csv'))
      .toMatchObject([{ status: 'incomplete' }, { status: 'received' }]);
    await sftp.put('batch/in/often.csv', shop.rowsOf(0, 4));
    await sftp.put('batch/in/often.csv', shop.rowsOf(0, 5));
    await sftp.put('batch/in/often.csv.part', shop.rowsOf(0, 6));
    await sftp.rename('batch/in/often.csv.part', 'batch/in/often.csv');
  });
  const files = await shop.filesNamed('often.csv');
  expect(files.map(({ status }: { status: string }) => status)).toEqual([
    ...['accepted', 'accepted', 'accepted', 'incomplete', 'accepted'],
  ]);
  expect(await shop.batchesOf('often.csv')).toBe(4);
});

test('a file that is removed before it is looked at becomes no batch, and its log says why', async () => {
  await shop.beforeAnyLook(async () => {
    await sftp.put('batch/in/recalled.csv', shop.rowsOf(0, 3));
    await sftp.remove('batch/in/recalled.csv');
  });
  expect(await shop.refusalOf('recalled.csv')).toContain(
    'refused: recalled.csv was removed before a batch was made of it',
  );
  expect(await shop.batchesOf('recalled.csv')).toBe(0);
});

test('a file renamed over one whose batch runs is another batch, and both end', async () => {
  await sftp.put('batch/in/over.csv', shop.rowsOf(0, 40));
  await sftp.put('batch/in/over.csv.part', shop.rowsOf(0, 2));
  await shop.refusalOf('over.csv');
  await sftp.rename('batch/in/over.csv.part', 'batch/in/over.csv');
  await expect.poll(() => shop.batchesOf('over.csv'), { timeout: 120_000 }).toBe(2);
  const batches = (await shop.filesNamed('over.csv')).map(({ batch_id: id }: { batch_id: string }) => id);
  for (const id of batches)
    expect((await shop.tenant.client.finished(`/v2/api/batches/${id}`)).body).toMatchObject({ status: 'succeeded' });
  expect((await sftp.appears('batch/out/over.result.csv')).toString().trimEnd().split('\n')).toHaveLength(3);
});
