/** The transport by SFTP: files are put in and become batches, whose results and stories are got back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeFile } from '../../src/lib/files/read.ts';
import { writersIn } from '../support/write-files.ts';
import { connectSftp, makeSftpUser, type Sftp } from './client.ts';
import { header, type SftpShop, startSftpShop } from './shop.ts';

let shop: SftpShop;
let sftp: Sftp;

beforeAll(async () => {
  shop = await startSftpShop();
  ({ sftp } = shop);
});
afterAll(() => shop.close());

test('a file that is put in becomes a batch, and its result appears whole under its name', async () => {
  expect(await sftp.list('.')).toEqual(['batch']);
  expect(await sftp.list('batch')).toEqual(['in', 'out', 'logs', 'samples']);
  await sftp.put('batch/in/portfolio.csv', shop.rowsOf(0, 40));
  const result = (await sftp.appears('batch/out/portfolio.result.csv')).toString().trimEnd().split('\n');
  expect(result).toHaveLength(41);
  expect(result[0]).toContain('correlation_id');
  expect(result[1]).toContain('row 0');
  expect((await sftp.get('batch/in/portfolio.csv')).toString()).toBe(shop.rowsOf(0, 40));
  const log = (await sftp.get('batch/logs/portfolio.csv.log')).toString();
  expect(log).toContain('to know: portfolio.csv: 40 of 40 answered rows ask of a moment more than');
  const { body } = await shop.tenant.client.get('/v1/api/sftp-files');
  const [file] = body.data;
  expect(file).toMatchObject({ name: 'portfolio.csv', status: 'accepted', sftp_user_id: shop.user.id, problems: [] });
  expect(log).toContain(`accepted as batch ${file.batch_id}`);
  expect(log).toContain('succeeded: 40 of 40 rows scored, in batch/out/portfolio.result.csv');
  const batch = await shop.tenant.client.get(`/v2/api/batches/${file.batch_id}`);
  expect(batch.body).toMatchObject({ status: 'succeeded', metadata: { sftp_file: 'portfolio.csv' } });
});

test('what any of many endpoints requires is looked for', async () => {
  const { tenant, returns, late } = shop;
  const put = await tenant.client.send('PUT', `/v1/api/models/${returns.model_id}/aliases/challenger`, {
    body: { version_id: returns.version_id },
  });
  expect(put.status, put.text).toBe(200);
  const endpoints = [
    ...[returns.model_id, 'returns'].flatMap((model) =>
      ['production', 'challenger', returns.version_id].map((version) => `${model}/${version}`),
    ),
    `late/${late.version_id}`,
  ];
  await sftp.put('batch/in/many.csv', `endpoint,customer_id\n${endpoints.map((one) => `${one},C1\n`).join('')}`);
  expect(await shop.refusalOf('many.csv')).toContain(`lacks ordered_at, which late/${late.version_id}`);
});

test.each([
  ['photo.png', 'PNG', 'ends neither in .csv nor in .parquet'],
  ['no-endpoint.csv', 'customer_id\nC1\n', 'has no column endpoint'],
  ['no-input.csv', () => `endpoint\n${shop.returns.model_id}/production\n`, 'lacks customer_id, which'],
  ['nobody.csv', 'endpoint,customer_id\nnobody/production,C1\n', 'has an endpoint that there is: '],
  ['empty.csv', `${header}\n`, 'has no rows'],
  ['bytes.parquet', 'not parquet at all', 'bytes.parquet'],
  ['nothing.csv', '', 'nothing.csv'],
])('%s is refused before a batch is made, and its log says why', async (name, text, why) => {
  await sftp.put(`batch/in/${name}`, typeof text === 'string' ? text : text());
  const log = await shop.refusalOf(name);
  expect(log).toContain('refused: ');
  expect(log).toContain(why);
  expect(await shop.batchesOf(name)).toBe(0);
  // Events are numbered a moment after what they tell of.
  const told = async () => {
    const { body } = await shop.tenant.client.get('/v1/api/events?type=sftp-file-refusal');
    return body.data.map(({ data }: { data: { name: string } }) => data.name);
  };
  await expect.poll(told).toContain(name);
  const { body } = await shop.tenant.client.get('/v1/api/sftp-files');
  const [file] = body.data.filter((one: { name: string }) => one.name === name);
  expect(file.problem_codes).toHaveLength(file.problems.length);
});

test('a file that was refused for its name alone is taken once it has a better one', async () => {
  await sftp.put('batch/in/renamed.csv.uploading', shop.rowsOf(0, 3));
  expect(await shop.filesNamed('renamed.csv.uploading')).toMatchObject([{ status: 'held', batch_id: null }]);
  await sftp.rename('batch/in/renamed.csv.uploading', 'batch/in/renamed.text');
  expect(await shop.refusalOf('renamed.text')).toContain('ends neither');
  await sftp.rename('batch/in/renamed.text', 'batch/in/renamed.csv');
  await sftp.appears('batch/out/renamed.result.csv');
  expect(await shop.batchesOf('renamed.csv')).toBe(1);
});

test.each(['.part', '.filepart', '.tmp'])('a file under a name in %s waits until it is renamed', async (ending) => {
  const name = `waits${ending.slice(1)}.csv`;
  await sftp.put(`batch/in/${name}${ending}`, shop.rowsOf(0, 3));
  expect(await shop.filesNamed(`${name}${ending}`)).toMatchObject([{ status: 'held', file_id: null }]);
  await sftp.rename(`batch/in/${name}${ending}`, `batch/in/${name}`);
  await sftp.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
  expect(await sftp.list('batch/in')).not.toContain(`${name}${ending}`);
  expect(await shop.batchesOf(name)).toBe(1);
});

test('the renaming of OpenSSH renames too, and what else it could ask for is said not to be there', async () => {
  const other = await connectSftp(shop.service, shop.user);
  // What a server does not tell of the client of this test does not ask for, but others do.
  const raw = other.raw as typeof other.raw & { _extensions: Record<string, string> };
  for (const name of ['posix-rename', 'hardlink']) raw._extensions[`${name}@openssh.com`] = '1';
  const asked = (ask: (done: (error?: Error | null) => void) => void) =>
    new Promise<string>((resolve) => ask((error) => resolve(error?.message ?? 'done')));
  await other.put('batch/in/posix.csv.part', shop.rowsOf(0, 2));
  const [from, to] = ['batch/in/posix.csv.part', 'batch/in/posix.csv'];
  expect(await asked((done) => raw.ext_openssh_hardlink(from, to, done))).toContain('no hardlink@openssh.com here');
  expect(await asked((done) => raw.ext_openssh_rename(from, to, done))).toBe('done');
  expect(await asked((done) => raw.ext_openssh_rename(from, to, done))).toContain('posix.csv.part');
  await other.appears('batch/out/posix.result.csv');
  await other.end();
});

test('rows that cannot be scored stand in a file beside the result', async () => {
  await sftp.put(
    'batch/in/some-bad.csv',
    shop.rowsOf(0, 3, `unknown/production,C9,bad,\n${shop.returns.model_id}/production,,none,\n`),
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

test('rows name versions by whatever alias or id, and get their correlation_id and reference_id back', async () => {
  const { model_id: model, version_id: version } = shop.returns;
  const pointed = await shop.tenant.client.send('PUT', `/v1/api/models/${model}/aliases/challenger`, {
    body: { version_id: version },
  });
  expect(pointed.status, pointed.text).toBeLessThan(300);
  const rows = [
    [`${model}/challenger`, 'C1', 'by alias', 'ref "1", the first'],
    [`${model}/${version}`, 'C2', 'by version', 'ref 2'],
    [`${model}/production`, 'C3', 'by production', ''],
  ];
  const lines = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
  await sftp.put('batch/in/endpoints.csv', `${header}\n${lines.join('\n')}\n`);
  const result = (await sftp.appears('batch/out/endpoints.result.csv')).toString().trimEnd().split('\n');
  expect(result).toHaveLength(4);
  expect(result[1]).toContain('"ref ""1"", the first"');
  for (const [at, row] of rows.entries())
    for (const cell of row.slice(2)) if (!cell.includes('"')) expect(result[at + 1]).toContain(cell);
  expect(await shop.batchesOf('endpoints.csv')).toBe(1);
});

/** Rows of the first customers as Parquet. */
async function parquetOf(rows: number): Promise<Buffer> {
  const select = `select '${shop.returns.model_id}/production' as endpoint, 'C' || range as customer_id,
    'row ' || range as correlation_id, 'ref ' || range as reference_id from range(${rows})`;
  return readFileSync(await writersIn(shop.service.folder).writeParquet('rows.parquet', select, 1_000));
}

test('a file of Parquet becomes a batch, whose result is one of Parquet with the same answers', async () => {
  await sftp.put('batch/in/columns.parquet', await parquetOf(5));
  await sftp.put('batch/in/columns.csv', shop.rowsOf(0, 5));
  const result = await sftp.appears('batch/out/columns.result.parquet');
  const lines = (await sftp.appears('batch/out/columns.result.csv')).toString().trimEnd().split('\n');
  const path = join(shop.service.folder, 'columns.result.parquet');
  writeFileSync(path, result);
  const { columns, rows } = await describeFile(path);
  expect(columns.map(({ name }) => name)).toEqual(lines[0]!.split(','));
  expect(rows).toBe(lines.length - 1);
  const log = (await sftp.get('batch/logs/columns.parquet.log')).toString();
  expect(log).toContain('succeeded: 5 of 5 rows scored, in batch/out/columns.result.parquet');
});

test('a file of Parquet that is called .csv is read as what it is, its log says so, and its result is named after all of it', async () => {
  await sftp.put('batch/in/masked.csv', await parquetOf(5));
  const result = await sftp.appears('batch/out/masked.csv.result.parquet');
  expect(result.toString('latin1', 0, 4)).toBe('PAR1');
  const log = (await sftp.get('batch/logs/masked.csv.log')).toString();
  expect(log).toContain('to know: batch/in/masked.csv: called .csv but is Parquet, and was read as Parquet');
  expect(log).toContain('succeeded: 5 of 5 rows scored, in batch/out/masked.csv.result.parquet');
  expect((await sftp.list('batch/out')).filter((name) => name.startsWith('masked'))).toHaveLength(1);
});

test('a batch has the priority of the user who put its file in', async () => {
  const nightly = await makeSftpUser(shop.service, shop.tenant, { priority: -5 });
  expect([shop.user, nightly]).toMatchObject([{ priority: 0 }, { priority: -5 }]);
  const connected = await connectSftp(shop.service, nightly);
  await connected.put('batch/in/nightly.csv', shop.rowsOf(0, 1));
  await connected.end();
  await shop.refusalOf('nightly.csv');
  const [{ batch_id: id }] = await shop.filesNamed('nightly.csv');
  expect((await shop.tenant.client.get(`/v2/api/batches/${id}`)).body).toMatchObject({ priority: -5 });
});

test('the sample of a model is a file that is taken as it is', async () => {
  const names = await sftp.list('batch/samples');
  expect(names).toHaveLength(2);
  const sample = await sftp.get(`batch/samples/${names.find((name) => name.startsWith('return'))}`);
  await sftp.put('batch/in/from-sample.csv', sample);
  expect((await sftp.appears('batch/out/from-sample.result.csv')).toString()).toContain('row-1');
});

test('files that are sent all at once are each one batch', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `small-${at}.csv`);
  await Promise.all(names.map((name, at) => sftp.put(`batch/in/${name}`, shop.rowsOf(at, at + 1))));
  for (const name of names) await sftp.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
  const { body } = await shop.tenant.client.get('/v2/api/batches?limit=200');
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

test('another workspace sees none of it', async () => {
  const stranger = await shop.service.tenant('Other');
  const theirs = await connectSftp(shop.service, await makeSftpUser(shop.service, stranger));
  for (const folder of ['in', 'out', 'logs', 'samples']) expect(await theirs.list(`batch/${folder}`)).toEqual([]);
  await expect(theirs.get('batch/out/daily.result.csv')).rejects.toThrow('there is no result');
  expect((await stranger.client.get('/v1/api/sftp-files')).body.data).toEqual([]);
  await theirs.end();
});

test('it may what the role of its maker may: results are for Creators', async () => {
  const made = await makeSftpUser(shop.service, shop.tenant);
  const connected = await connectSftp(shop.service, made);
  const changed = await shop.user.creator.send('PATCH', `/v1/api/members/${made.creator.userId}`, {
    body: { role: 'developer' },
  });
  expect(changed.status, changed.text).toBe(200);
  await expect
    .poll(() => connected.list('batch/out').catch(({ message }) => message))
    .toContain('may not download results');
  await expect(connected.put('batch/in/x.csv', shop.rowsOf(0, 1))).rejects.toThrow('may not upload files');
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
    const { body } = await shop.tenant.client.get(
      `/v1/api/audit-entries?actor_id=${shop.user.id}&action=${action}&limit=1`,
    );
    expect(body.data).toMatchObject([{ action, actor: { type: 'sftp_user', id: shop.user.id } }]);
  }
});
