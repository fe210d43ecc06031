/** How much may be sent by SFTP, stored and shown, and for how long. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Failure } from '../../src/lib/failure.ts';
import { storageFull } from '../../src/lib/storage/storage.ts';
import { setQuota } from '../../src/resources/quotas/set.ts';
import { expireSftpFiles } from '../../src/resources/sftp-files/expire.ts';
import { toldOfNameMax } from '../../src/resources/sftp-files/told.ts';
import { type DoorLimits, openSftpDoor, sftpLimits } from '../../src/sftp/door.ts';
import { writersIn } from '../support/write-files.ts';
import { closed, connectSftp, makeSftpUser, opened, type Sftp, type SftpUser, written } from './client.ts';
import { header, type SftpShop, startSftpShop } from './shop.ts';

let shop: SftpShop;
let sftp: Sftp;

beforeAll(async () => {
  shop = await startSftpShop();
  ({ sftp } = shop);
});
afterAll(() => shop.close());

test('a file of more than a million rows is refused, and its log says how many it has', async () => {
  const select = `select '${shop.returns.model_id}/production' as endpoint, 'C1' as customer_id from range(1000001)`;
  const path = await writersIn(shop.service.folder).writeParquet('rows.parquet', select, 200_000);
  await sftp.put('batch/in/long.parquet', readFileSync(path));
  const log = await shop.refusalOf('long.parquet');
  expect(log).toContain('refused: long.parquet has 1000001 rows, and at most 1000000 are taken: split it');
});

test('a file that grows too large is not kept, and its log says so', async () => {
  const handle = await opened(sftp, 'batch/in/huge.csv', 'w');
  await expect(written(sftp, handle, Buffer.from('x'), 10_000_000_000)).rejects.toThrow('split it');
  await expect(closed(sftp, handle)).rejects.toThrow('split it');
  expect(await shop.refusalOf('huge.csv')).toContain('refused: a file has at most 10000000000 bytes');
  expect(await shop.filesNamed('huge.csv')).toMatchObject([{ status: 'refused', sha256: null }]);
});

test('files are shown for thirty days, and the beginning of one waits a day for its rest', async () => {
  const other = await connectSftp(shop.service, shop.user);
  for (const name of ['begun.csv', 'begun-lately.csv'])
    await written(other, await opened(other, `batch/in/${name}`, 'w'), Buffer.from(header), 0);
  await other.drop();
  await expect.poll(() => sftp.list('batch/in')).toEqual(expect.arrayContaining(['begun.csv', 'begun-lately.csv']));
  for (const name of ['month.csv.part', 'weeks.csv.part']) await sftp.put(`batch/in/${name}`, header);
  const key = async (name: string): Promise<string | null> => {
    const { rows } = await shop.service.owner.pool.query('select storage_key from sftp_files where name = $1', [name]);
    return rows[0].storage_key;
  };
  for (const [name, age] of [
    ['begun.csv', '25 hours'],
    ['begun-lately.csv', '23 hours'],
    ['month.csv.part', '31 days'],
    ['weeks.csv.part', '29 days'],
  ])
    await shop.service.owner.pool.query('update sftp_files set created_at = now() - $2::interval where name = $1', [
      name,
      age,
    ]);
  await expireSftpFiles(shop.service.service.app);
  const left = await sftp.list('batch/in');
  expect(left).toEqual(expect.arrayContaining(['begun-lately.csv', 'weeks.csv.part']));
  const { storage } = shop.service.service.app;
  for (const name of ['begun.csv', 'month.csv.part']) {
    expect(left).not.toContain(name);
    expect(await storage.stat((await key(name))!)).toBeNull();
  }
  expect(await sftp.list('batch/logs')).not.toContain('month.csv.part.log');
});

test('a file beyond what may be stored is refused, whole or not, and its log says why', async () => {
  const full = await shop.service.tenant('Full');
  const theirs = await connectSftp(shop.service, await makeSftpUser(shop.service, full));
  await setQuota(shop.service.service.app.db, { ...full.ctx, resource: 'stored_megabytes', limit: 1 });
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

test('what storage has no room for, or does not take, is kept in no part, and the client is told', async () => {
  const { storage, workFolder } = shop.service.service.app;
  for (const [name, error] of [
    ['full.csv', storageFull(new Error('ENOSPC'))],
    ['down.csv', new Failure('unavailable', 'The storage does not answer at the moment.')],
  ] as const) {
    const put = vi.spyOn(storage, 'put').mockRejectedValueOnce(error);
    await expect(sftp.put(`batch/in/${name}`, shop.rowsOf(0, 3))).rejects.toThrow(error.message);
    expect(put).toHaveBeenCalledOnce();
    put.mockRestore();
    expect(await shop.filesNamed(name)).toEqual([]);
    await expect(sftp.stat(`batch/in/${name}`)).rejects.toThrow('there is no file');
    await expect.poll(() => readdirSync(join(workFolder, 'sftp'))).toEqual([]);
    // The same client sends it again over the same line.
    await sftp.put(`batch/in/${name}`, shop.rowsOf(0, 3));
    await sftp.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
    expect(await shop.batchesOf(name)).toBe(1);
  }
});

/** Does something as a user at a door of its own, which has other limits. */
async function withDoor(limits: Partial<DoorLimits>, user: SftpUser, work: (client: Sftp) => Promise<void>) {
  const door = await openSftpDoor(shop.service.service.app, () => {}, { limits: { ...sftpLimits, ...limits } });
  const sftpPort = await door.listen(0, '127.0.0.1');
  try {
    await work(await connectSftp({ service: { sftpPort } }, user));
  } finally {
    await door.close();
  }
}

test('a user and a workspace have a share of the connections each', async () => {
  const tenant = await shop.service.tenant('Many');
  const [one, other] = [await makeSftpUser(shop.service, tenant), await makeSftpUser(shop.service, tenant)];
  const door = await openSftpDoor(shop.service.service.app, () => {}, {
    limits: { ...sftpLimits, connectionsPerUser: 2, connectionsPerWorkspace: 3 },
  });
  const at = { service: { sftpPort: await door.listen(0, '127.0.0.1') } };
  const [first] = [await connectSftp(at, one), await connectSftp(at, one)];
  await expect(connectSftp(at, one)).rejects.toThrow();
  await connectSftp(at, other);
  await expect(connectSftp(at, other)).rejects.toThrow();
  // Those of others are as free as before.
  await connectSftp(at, shop.user);
  await first.end();
  await connectSftp(at, other);
  await door.close();
});

test('what a workspace sends at once is bounded, and what was sent until then can be gone on with', async () => {
  const tenant = await shop.service.tenant('Bounded');
  const user = await makeSftpUser(shop.service, tenant);
  await withDoor({ spooledBytesMax: 1_000_000 }, user, async (client) => {
    const [one, two] = [await opened(client, 'batch/in/one.csv', 'w'), await opened(client, 'batch/in/two.csv', 'w')];
    await filled(client, one, 0, 600_000);
    await filled(client, two, 0, 400_000);
    const why = 'the workspace sends more than 1000000 bytes at once';
    await expect(filled(client, two, 400_000, 500_000)).rejects.toThrow(why);
    await closed(client, one);
    await expect(closed(client, two)).rejects.toThrow(why);
    expect((await client.stat('batch/in/two.csv')).size).toBe(400_000);
    const again = await opened(client, 'batch/in/two.csv', 'a');
    await filled(client, again, 400_000, 500_000);
    await closed(client, again);
    expect((await client.stat('batch/in/two.csv')).size).toBe(500_000);
  });
});

test('a file that goes beyond what may be stored is refused while it is sent, unless it was stored before', async () => {
  const tenant = await shop.service.tenant('Small');
  const user = await makeSftpUser(shop.service, tenant);
  await setQuota(shop.service.service.app.db, { ...tenant.ctx, resource: 'stored_megabytes', limit: 3 });
  await withDoor({ quotaEveryBytes: 100_000 }, user, async (client) => {
    await client.put('batch/in/stored.csv.part', Buffer.alloc(2_500_000, 'x'));
    const handle = await opened(client, 'batch/in/large.csv', 'w');
    await filled(client, handle, 0, 1_000_000);
    const why = 'the workspace may have 3 megabytes of files and results';
    await expect(filled(client, handle, 1_000_000, 4_000_000)).rejects.toThrow(why);
    await expect(closed(client, handle)).rejects.toThrow(why);
    expect((await client.get('batch/logs/large.csv.log')).toString()).toContain(`refused: ${why}`);
    // What has a place already may come again.
    await client.put('batch/in/stored.csv.part', Buffer.alloc(2_500_000, 'x'));
  });
});

/** Writes from one place to another, as clients do: some kilobytes at a time, the next before the last is answered. */
async function filled(client: Sftp, handle: Buffer, from: number, to: number): Promise<void> {
  const step = 30_000;
  const places = Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);
  const sent = places.map((at) => written(client, handle, Buffer.alloc(Math.min(step, to - at), 'x'), at));
  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

test('however many files came within thirty days, each is listed and found', async () => {
  await sftp.put('batch/in/before-many.csv', shop.rowsOf(0, 3));
  await sftp.appears('batch/out/before-many.result.csv');
  const { pool } = shop.service.owner;
  const fill = (name: string, from: number, to: number) =>
    pool.query(
      `insert into sftp_files (id, organization_id, workspace_id, sftp_user_id, name, status, bytes, problems,
         settled_at, removed_at)
       select 'sfl_many' || lpad(at::text, 6, '0'), organization_id, workspace_id, sftp_user_id, ${name}, 'refused', 1,
         '{refused here}', now(), case when at >= 10100 then now() end
       from sftp_files, generate_series(${from}, ${to}) as at where name = 'before-many.csv'`,
    );
  await fill("'many-' || at || '.csv'", 1, 10_099);
  // One name that came more often than is told of, and others beside it.
  await fill("'often-again.csv'", 10_100, 12_100);
  await fill("'often-also' || at || '.csv'", 12_101, 12_101);
  const [logs, results, present] = [
    await sftp.list('batch/logs'),
    await sftp.list('batch/out'),
    await sftp.list('batch/in'),
  ];
  expect(new Set(logs).size).toBe(logs.length);
  expect(logs.filter((name) => name.startsWith('many-'))).toHaveLength(10_099);
  expect(logs).toEqual(
    expect.arrayContaining(['before-many.csv.log', 'often-again.csv.log', 'often-also12101.csv.log']),
  );
  expect(results).toContain('before-many.result.csv');
  expect(present.filter((name) => name.startsWith('many-'))).toHaveLength(10_099);
  expect((await sftp.get('batch/logs/before-many.csv.log')).toString()).toContain('3 of 3 rows scored');
  expect((await sftp.get('batch/logs/many-1.csv.log')).toString()).toContain('refused here');
  const often = (await sftp.get('batch/logs/often-again.csv.log')).toString();
  expect(often.match(/received/g)).toHaveLength(toldOfNameMax);
  expect((await sftp.get('batch/out/before-many.result.csv')).toString()).toContain('row 0');
  await pool.query("delete from sftp_files where id like 'sfl_many%'");
});
