/** The transport by SFTP: files are put in and become batches, whose results and stories are got back. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setQuota } from '../../src/resources/quotas/set.ts';
import { checkSftpFile } from '../../src/resources/sftp-files/check.ts';
import { expireSftpFiles } from '../../src/resources/sftp-files/expire.ts';
import type { Tenant, TestService } from '../service.ts';
import { startShop, type Trained } from '../support/samples/batches.ts';
import { writersIn } from '../support/write-files.ts';
import { connectSftp, makeSftpUser, type Sftp } from './client.ts';

let service: TestService;
let tenant: Tenant;
let returns: Trained;
let user: Awaited<ReturnType<typeof makeSftpUser>>;
let sftp: Sftp;

beforeAll(async () => {
  ({ service, tenant, returns } = await startShop({ sftpPort: 0 }));
  user = await makeSftpUser(service, tenant);
  sftp = await connectSftp(service, user);
});
afterAll(async () => {
  await sftp?.end();
  await service.close();
});

const header = 'endpoint,customer_id,correlation_id,reference_id';
const rowsOf = (from: number, to: number, more = '') =>
  `${header}\n${Array.from({ length: to - from }, (_, at) => `${returns.model_id}/production,C${from + at},row ${from + at},`).join('\n')}\n${more}`;

test('a file that is put in becomes a batch, and its result appears whole under its name', async () => {
  expect(await sftp.list('.')).toEqual(['batch']);
  expect(await sftp.list('batch')).toEqual(['in', 'out', 'logs', 'samples']);
  await sftp.put('batch/in/portfolio.csv', rowsOf(0, 40));
  const result = (await sftp.appears('batch/out/portfolio.result.csv')).toString().trimEnd().split('\n');
  expect(result).toHaveLength(41);
  expect(result[0]).toContain('correlation_id');
  expect(result[1]).toContain('row 0');
  const log = (await sftp.get('batch/logs/portfolio.csv.log')).toString();
  expect(log).toContain('to know: portfolio.csv: 40 of 40 answered rows ask of a moment more than');
  const { body } = await tenant.client.get('/v1/api/sftp-files');
  const [file] = body.data;
  expect(file).toMatchObject({ name: 'portfolio.csv', status: 'accepted', sftp_user_id: user.id, problems: [] });
  expect(log).toContain(`accepted as batch ${file.batch_id}`);
  expect(log).toContain('succeeded: 40 of 40 rows scored, in batch/out/portfolio.result.csv');
  const batch = await tenant.client.get(`/v2/api/batches/${file.batch_id}`);
  expect(batch.body).toMatchObject({ status: 'succeeded', metadata: { sftp_file: 'portfolio.csv' } });
});

/** What a log says of a file that is not taken, once it says so. */
async function refusalOf(name: string): Promise<string> {
  for (;;) {
    const log = (await sftp.appears(`batch/logs/${name}.log`)).toString();
    if (/refused|accepted/.test(log)) return log;
    await sleep(50);
  }
}

async function filesNamed(name: string) {
  const { body } = await tenant.client.get('/v1/api/sftp-files?limit=200');
  return body.data.filter((file: { name: string }) => file.name === name);
}

const batchesOf = async (name: string): Promise<number> => {
  const { body } = await tenant.client.get('/v2/api/batches?limit=200');
  return body.data.filter(({ metadata }: { metadata: { sftp_file?: string } }) => metadata.sftp_file === name).length;
};

test.each([
  ['photo.png', 'PNG', 'ends neither in .csv nor in .parquet'],
  ['no-endpoint.csv', 'customer_id\nC1\n', 'has no column endpoint'],
  ['no-input.csv', () => `endpoint\n${returns.model_id}/production\n`, 'lacks customer_id, which'],
  ['nobody.csv', 'endpoint,customer_id\nnobody/production,C1\n', 'has an endpoint that there is: '],
  ['empty.csv', `${header}\n`, 'has no rows'],
  ['bytes.parquet', 'not parquet at all', 'bytes.parquet'],
  ['nothing.csv', '', 'nothing.csv'],
])('%s is refused before a batch is made, and its log says why', async (name, text, why) => {
  await sftp.put(`batch/in/${name}`, typeof text === 'string' ? text : text());
  const log = await refusalOf(name);
  expect(log).toContain('refused: ');
  expect(log).toContain(why);
  expect(await batchesOf(name)).toBe(0);
  // Events are numbered a moment after what they tell of.
  const told = async () => {
    const { body } = await tenant.client.get('/v1/api/events?type=sftp-file-refusal');
    return body.data.map(({ data }: { data: { name: string } }) => data.name);
  };
  await expect.poll(told).toContain(name);
  const { body } = await tenant.client.get('/v1/api/sftp-files');
  const [file] = body.data.filter((one: { name: string }) => one.name === name);
  expect(file.problem_codes).toHaveLength(file.problems.length);
});

test('a file that was refused for its name alone is taken once it has a better one', async () => {
  await sftp.put('batch/in/renamed.csv.uploading', rowsOf(0, 3));
  expect(await filesNamed('renamed.csv.uploading')).toMatchObject([{ status: 'held', batch_id: null }]);
  await sftp.rename('batch/in/renamed.csv.uploading', 'batch/in/renamed.text');
  expect(await refusalOf('renamed.text')).toContain('ends neither');
  await sftp.rename('batch/in/renamed.text', 'batch/in/renamed.csv');
  await sftp.appears('batch/out/renamed.result.csv');
  expect(await batchesOf('renamed.csv')).toBe(1);
});

test.each(['.part', '.filepart', '.tmp'])('a file under a name in %s waits until it is renamed', async (ending) => {
  const name = `waits${ending.slice(1)}.csv`;
  await sftp.put(`batch/in/${name}${ending}`, rowsOf(0, 3));
  expect(await filesNamed(`${name}${ending}`)).toMatchObject([{ status: 'held', file_id: null }]);
  await sftp.rename(`batch/in/${name}${ending}`, `batch/in/${name}`);
  await sftp.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
  expect(await sftp.list('batch/in')).not.toContain(`${name}${ending}`);
  expect(await batchesOf(name)).toBe(1);
});

test('the renaming of OpenSSH renames too, and what else it could ask for is said not to be there', async () => {
  const other = await connectSftp(service, user);
  // What a server does not tell of the client of this test does not ask for, but others do.
  const raw = other.raw as typeof other.raw & { _extensions: Record<string, string> };
  for (const name of ['posix-rename', 'hardlink']) raw._extensions[`${name}@openssh.com`] = '1';
  const asked = (ask: (done: (error?: Error | null) => void) => void) =>
    new Promise<string>((resolve) => ask((error) => resolve(error?.message ?? 'done')));
  await other.put('batch/in/posix.csv.part', rowsOf(0, 2));
  const [from, to] = ['batch/in/posix.csv.part', 'batch/in/posix.csv'];
  expect(await asked((done) => raw.ext_openssh_hardlink(from, to, done))).toContain('no hardlink@openssh.com here');
  expect(await asked((done) => raw.ext_openssh_rename(from, to, done))).toBe('done');
  expect(await asked((done) => raw.ext_openssh_rename(from, to, done))).toContain('posix.csv.part');
  await other.appears('batch/out/posix.result.csv');
  await other.end();
});

test('half a file whose line drops is no batch; the rest sent at its offset makes it one, of the right bytes', async () => {
  const text = Buffer.from(rowsOf(0, 40));
  const half = 700;
  const other = await connectSftp(service, user);
  const handle = await opened(other, 'batch/in/half.csv', 'w');
  await written(other, handle, text.subarray(0, half), 0);
  await other.drop();
  await expect.poll(() => filesNamed('half.csv')).toMatchObject([{ status: 'incomplete', bytes: half }]);
  expect((await sftp.stat('batch/in/half.csv')).size).toBe(half);
  await expect(sftp.rename('batch/in/half.csv', 'batch/in/whole.csv')).rejects.toThrow('is not whole');
  // As OpenSSH's reput does: it asks to append, and says the offsets.
  const again = await opened(sftp, 'batch/in/half.csv', 'a');
  await written(sftp, again, text.subarray(half), half);
  await closed(sftp, again);
  const result = (await sftp.appears('batch/out/half.result.csv')).toString().trimEnd().split('\n');
  expect(result).toHaveLength(41);
  expect(await sftp.get('batch/in/half.csv')).toEqual(text);
  expect(await batchesOf('half.csv')).toBe(1);
});

test('parts that come in any order make the file that they are parts of', async () => {
  const text = Buffer.from(rowsOf(0, 20));
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
  await sftp.put('batch/in/daily.csv', rowsOf(0, 3));
  await sftp.put('batch/in/daily.csv', rowsOf(0, 3));
  await sftp.appears('batch/out/daily.result.csv');
  await sftp.put('batch/in/daily.csv', rowsOf(0, 3));
  expect(await batchesOf('daily.csv')).toBe(1);
  await sftp.put('batch/in/daily.csv', rowsOf(0, 5));
  await expect
    .poll(async () => (await sftp.get('batch/out/daily.result.csv')).toString().trimEnd().split('\n').length)
    .toBe(6);
  expect(await batchesOf('daily.csv')).toBe(2);
  expect((await sftp.list('batch/out')).filter((name) => name.startsWith('daily'))).toEqual(['daily.result.csv']);
});

test('of two clients that write one name at once each has written a whole file', async () => {
  const other = await connectSftp(service, user);
  const texts = [rowsOf(0, 10), rowsOf(10, 20)].map((text) => Buffer.from(text));
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

test('rows that cannot be scored stand in a file beside the result', async () => {
  await sftp.put(
    'batch/in/some-bad.csv',
    rowsOf(0, 3, `unknown/production,C9,bad,\n${returns.model_id}/production,,none,\n`),
  );
  const rejects = (await sftp.appears('batch/out/some-bad.rejects.csv')).toString().trimEnd().split('\n');
  expect(rejects[0]).toBe('row,column,code,message');
  expect(rejects.slice(1).map((line) => line.split(',').slice(0, 3).join(','))).toEqual([
    '4,endpoint,unknown_endpoint',
    '5,customer_id,missing_input',
  ]);
  await expect(sftp.remove('batch/out/some-bad.rejects.csv')).rejects.toThrow('goes with the result');
  await sftp.remove('batch/out/some-bad.result.csv');
  expect((await sftp.list('batch/out')).filter((name) => name.startsWith('some-bad'))).toEqual([]);
});

test('a batch has the priority of the user who put its file in', async () => {
  const nightly = await makeSftpUser(service, tenant, { priority: -5 });
  expect([user, nightly]).toMatchObject([{ priority: 0 }, { priority: -5 }]);
  const connected = await connectSftp(service, nightly);
  await connected.put('batch/in/nightly.csv', rowsOf(0, 1));
  await connected.end();
  await refusalOf('nightly.csv');
  const [{ batch_id: id }] = await filesNamed('nightly.csv');
  expect((await tenant.client.get(`/v2/api/batches/${id}`)).body).toMatchObject({ priority: -5 });
});

test('the sample of a model is a file that is taken as it is', async () => {
  const names = await sftp.list('batch/samples');
  expect(names).toHaveLength(2);
  const sample = await sftp.get(`batch/samples/${names.find((name) => name.startsWith('return'))}`);
  await sftp.put('batch/in/from-sample.csv', sample);
  expect((await sftp.appears('batch/out/from-sample.result.csv')).toString()).toContain('row-1');
});

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
  for (const name of names) await sftp.put(`batch/in/${name}`, rowsOf(0, 1));
  for (const name of names.slice(1)) await sftp.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
  // Its result has a name that fits as well, and that no other file's has.
  await expect.poll(async () => (await sftp.list('batch/out')).some((name) => name.startsWith('é'))).toBe(true);
  const result = (await sftp.list('batch/out')).find((name) => name.startsWith('é'))!;
  expect(Buffer.byteLength(result)).toBeLessThanOrEqual(255);
  expect(result).toMatch(/~[0-9a-f]{8}\.result\.csv$/);
  expect((await sftp.get(`batch/out/${result}`)).toString()).toContain('row 0');
  expect(await sftp.list('batch/in')).toEqual(expect.arrayContaining(names));
});

test('a file of more than a million rows is refused, and its log says how many it has', async () => {
  const select = `select '${returns.model_id}/production' as endpoint, 'C1' as customer_id from range(1000001)`;
  const path = await writersIn(service.folder).writeParquet('rows.parquet', select, 200_000);
  await sftp.put('batch/in/long.parquet', readFileSync(path));
  const log = await refusalOf('long.parquet');
  expect(log).toContain('refused: long.parquet has 1000001 rows, and at most 1000000 are taken: split it');
});

test('a file that grows too large is not kept, and its log says so', async () => {
  const handle = await opened(sftp, 'batch/in/huge.csv', 'w');
  await expect(written(sftp, handle, Buffer.from('x'), 10_000_000_000)).rejects.toThrow('split it');
  await expect(closed(sftp, handle)).rejects.toThrow('split it');
  expect(await refusalOf('huge.csv')).toContain('refused: a file has at most 10000000000 bytes');
  expect(await filesNamed('huge.csv')).toMatchObject([{ status: 'refused', sha256: null }]);
});

test('files that are sent all at once are each one batch', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `small-${at}.csv`);
  await Promise.all(names.map((name, at) => sftp.put(`batch/in/${name}`, rowsOf(at, at + 1))));
  for (const name of names) await sftp.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
  const { body } = await tenant.client.get('/v2/api/batches?limit=200');
  const made = body.data.map(({ metadata }: { metadata: { sftp_file?: string } }) => metadata.sftp_file);
  for (const name of names) expect(made.filter((of: string) => of === name)).toHaveLength(1);
});

test('a file that is removed once it was taken stays taken', async () => {
  await sftp.remove('batch/in/portfolio.csv');
  expect(await sftp.list('batch/in')).not.toContain('portfolio.csv');
  expect((await sftp.get('batch/logs/portfolio.csv.log')).toString()).toContain('was removed');
  expect(await sftp.list('batch/out')).toContain('portfolio.result.csv');
  await expect(sftp.remove('batch/in/portfolio.csv')).rejects.toThrow('there is no file');
});

/** Does something while no file can become a batch, and then has each one that waits looked at. */
async function beforeAnyLook(work: () => Promise<void>): Promise<void> {
  const { app } = service.service;
  const quota = { ...tenant.ctx, resource: 'open_batches' } as const;
  await setQuota(app.db, { ...quota, limit: 0 });
  await work();
  await setQuota(app.db, { ...quota, limit: null });
  const { body } = await tenant.client.get('/v1/api/sftp-files?limit=200');
  for (const { id, status } of body.data)
    if (status === 'received')
      await checkSftpFile(app, { id, workspace_id: tenant.ctx.workspaceId }, AbortSignal.timeout(60_000));
}

test('each whole file becomes a batch, whatever comes under its name before it is looked at', async () => {
  await beforeAnyLook(async () => {
    await sftp.put('batch/in/often.csv', rowsOf(0, 3));
    const other = await connectSftp(service, user);
    await written(other, await opened(other, 'batch/in/often.csv', 'w'), Buffer.from(header), 0);
    await other.drop();
    await expect.poll(() => filesNamed('often.csv')).toMatchObject([{ status: 'incomplete' }, { status: 'received' }]);
    await sftp.put('batch/in/often.csv', rowsOf(0, 4));
    await sftp.put('batch/in/often.csv', rowsOf(0, 5));
    await sftp.put('batch/in/often.csv.part', rowsOf(0, 6));
    await sftp.rename('batch/in/often.csv.part', 'batch/in/often.csv');
  });
  const files = await filesNamed('often.csv');
  expect(files.map(({ status }: { status: string }) => status)).toEqual([
    ...['accepted', 'accepted', 'accepted', 'incomplete', 'accepted'],
  ]);
  expect(await batchesOf('often.csv')).toBe(4);
});

test('a file that is removed before it is looked at becomes no batch, and its log says why', async () => {
  await beforeAnyLook(async () => {
    await sftp.put('batch/in/recalled.csv', rowsOf(0, 3));
    await sftp.remove('batch/in/recalled.csv');
  });
  expect(await refusalOf('recalled.csv')).toContain('refused: recalled.csv was removed before a batch was made of it');
  expect(await batchesOf('recalled.csv')).toBe(0);
});

test('a file renamed over one whose batch runs is another batch, and both end', async () => {
  await sftp.put('batch/in/over.csv', rowsOf(0, 40));
  await sftp.put('batch/in/over.csv.part', rowsOf(0, 2));
  await refusalOf('over.csv');
  await sftp.rename('batch/in/over.csv.part', 'batch/in/over.csv');
  await expect.poll(() => batchesOf('over.csv'), { timeout: 120_000 }).toBe(2);
  const batches = (await filesNamed('over.csv')).map(({ batch_id: id }: { batch_id: string }) => id);
  for (const id of batches)
    expect((await tenant.client.finished(`/v2/api/batches/${id}`)).body).toMatchObject({ status: 'succeeded' });
  expect((await sftp.appears('batch/out/over.result.csv')).toString().trimEnd().split('\n')).toHaveLength(3);
});

test('files are shown for thirty days, and the beginning of one waits a day for its rest', async () => {
  const other = await connectSftp(service, user);
  for (const name of ['begun.csv', 'begun-lately.csv'])
    await written(other, await opened(other, `batch/in/${name}`, 'w'), Buffer.from(header), 0);
  await other.drop();
  await expect.poll(() => sftp.list('batch/in')).toEqual(expect.arrayContaining(['begun.csv', 'begun-lately.csv']));
  for (const name of ['month.csv.part', 'weeks.csv.part']) await sftp.put(`batch/in/${name}`, header);
  const key = async (name: string): Promise<string | null> => {
    const { rows } = await service.owner.pool.query('select storage_key from sftp_files where name = $1', [name]);
    return rows[0].storage_key;
  };
  for (const [name, age] of [
    ['begun.csv', '25 hours'],
    ['begun-lately.csv', '23 hours'],
    ['month.csv.part', '31 days'],
    ['weeks.csv.part', '29 days'],
  ])
    await service.owner.pool.query('update sftp_files set created_at = now() - $2::interval where name = $1', [
      name,
      age,
    ]);
  await expireSftpFiles(service.service.app);
  const left = await sftp.list('batch/in');
  expect(left).toEqual(expect.arrayContaining(['begun-lately.csv', 'weeks.csv.part']));
  const { storage } = service.service.app;
  for (const name of ['begun.csv', 'month.csv.part']) {
    expect(left).not.toContain(name);
    expect(await storage.stat((await key(name))!)).toBeNull();
  }
  expect(await sftp.list('batch/logs')).not.toContain('month.csv.part.log');
});

test('another workspace sees none of it', async () => {
  const stranger = await service.tenant('Other');
  const theirs = await connectSftp(service, await makeSftpUser(service, stranger));
  for (const folder of ['in', 'out', 'logs', 'samples']) expect(await theirs.list(`batch/${folder}`)).toEqual([]);
  await expect(theirs.get('batch/out/daily.result.csv')).rejects.toThrow('there is no result');
  expect((await stranger.client.get('/v1/api/sftp-files')).body.data).toEqual([]);
  await theirs.end();
});

test('a file beyond what may be stored is refused, whole or not, and its log says why', async () => {
  const full = await service.tenant('Full');
  const theirs = await connectSftp(service, await makeSftpUser(service, full));
  await setQuota(service.service.app.db, { ...full.ctx, resource: 'stored_megabytes', limit: 1 });
  const why = 'the workspace may have 1 megabytes of files and results, and with this it would have 2';
  const [large, half] = [Buffer.alloc(900_000, 'x'), Buffer.alloc(450_000, 'y')];
  await theirs.put('batch/in/first.csv.part', large);
  // It is counted once, under whatever name.
  await theirs.rename('batch/in/first.csv.part', 'batch/in/first.csv');
  for (const name of ['next.csv', 'next.csv.tmp']) {
    await expect(theirs.put(`batch/in/${name}`, half)).rejects.toThrow(why);
    const log = (await theirs.get(`batch/logs/${name}.log`)).toString();
    expect(log).toContain(`received ${name}: 450000 bytes, which were not kept`);
    expect(log).toContain(`refused: ${why}`);
    await expect(theirs.get(`batch/in/${name}`)).rejects.toThrow('were not kept');
  }
  const handle = await opened(theirs, 'batch/in/broken.csv', 'w');
  await Promise.all(
    [0, 150_000, 300_000].map((from) => written(theirs, handle, half.subarray(from, from + 150_000), from)),
  );
  await theirs.drop();
  const files = async () => (await full.client.get('/v1/api/sftp-files')).body.data;
  await expect
    .poll(async () => (await files())[0])
    .toMatchObject({ name: 'broken.csv', status: 'refused', bytes: 450_000 });
  const told = async () => (await full.client.get('/v1/api/events?type=sftp-file-refusal')).body.data.length;
  await expect.poll(told).toBeGreaterThanOrEqual(3);
});

test('it may what the role of its maker may: results are for Creators', async () => {
  const made = await makeSftpUser(service, tenant);
  const connected = await connectSftp(service, made);
  const changed = await user.creator.send('PATCH', `/v1/api/members/${made.creator.userId}`, {
    body: { role: 'developer' },
  });
  expect(changed.status, changed.text).toBe(200);
  await expect
    .poll(() => connected.list('batch/out').catch(({ message }) => message))
    .toContain('may not download results');
  await expect(connected.put('batch/in/x.csv', rowsOf(0, 1))).rejects.toThrow('may not upload files');
  expect(await connected.list('batch/samples')).toHaveLength(2);
  await connected.end();
});

test('what was done stands in the audit trail, by the user', async () => {
  for (const action of [
    'sftp-sign-in',
    'sftp-file-receipt',
    'batch-request',
    'batch-result-download',
    'file-download',
  ]) {
    const { body } = await tenant.client.get(`/v1/api/audit-entries?actor_id=${user.id}&action=${action}&limit=1`);
    expect(body.data).toMatchObject([{ action, actor: { type: 'sftp_user', id: user.id } }]);
  }
});

const told = <T>(ask: (done: (error?: Error | null, value?: T) => void) => void) =>
  new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
const opened = ({ raw }: Sftp, path: string, flags: 'w' | 'a') => told<Buffer>((done) => raw.open(path, flags, done));
const closed = ({ raw }: Sftp, handle: Buffer) => told<void>((done) => raw.close(handle, done));
const written = ({ raw }: Sftp, handle: Buffer, bytes: Buffer, offset: number) =>
  told<void>((done) => raw.write(handle, bytes, 0, bytes.length, offset, done));
