/** The service without a database, and while a disk is full. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { PostgresConnection } from '../src/lib/postgres/launch.ts';
import { largeShop } from './large-shop.ts';
import { makeDataFolder, removeDataFolder } from './program.ts';
import { startTestService } from './service.ts';
import { shopText } from './shop.ts';

test('a service does not start without its database, and says so', async () => {
  const folder = makeDataFolder();
  const url = urlOf({ host: folder, port: 5432, database: 'none', user: 'nobody' });
  const config = readConfig({ LASTRO_DATA_DIR: folder, DATABASE_URL: url, PORT: '0', LASTRO_DEMO: '0' });
  await expect(startService(config, 'all')).rejects.toMatchObject({ code: 'unavailable' });
  await removeDataFolder(folder);
});

const disk = join(makeDataFolder(), 'disk');
const isMounted = mountSmall();
const filler = join(disk, 'filler');
if (!isMounted) console.warn('SKIPPED the tests of full disks: only root on Linux can mount one.');
afterAll(async () => {
  if (isMounted) execFileSync('umount', [disk]);
  await removeDataFolder(join(disk, '..'));
});

function mountSmall(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  mkdirSync(disk);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]).status === 0;
}

test.runIf(isMounted)('a file that finds no room is refused, leaves nothing, and may be sent again', async () => {
  const service = await startTestService({ storageUrl: join(disk, 'files') });
  try {
    const { client } = await service.tenant('Shop');
    const bytes = Buffer.alloc(4_000_000, 'a,b\n');
    const md5 = createHash('md5').update(bytes).digest('base64');
    const declared = await client.post('/v2/api/files/upload', {
      files: [{ path: 'large.csv', content_type: 'text/csv', md5 }],
    });
    const [{ id, upload_url, headers }] = declared.body.files;
    const send = () => client.send('PUT', upload_url, { raw: bytes, headers });
    fillUp(3_000_000);
    const refused = await send();
    expect(refused.status, refused.text).toBe(507);
    expect(refused.body).toMatchObject({ code: 'insufficient_storage', request_id: refused.headers.get('request-id') });
    expect((await client.get(`/v2/api/files/${id}`)).body).toMatchObject({ status: 'awaiting_upload', bytes: null });
    expect(filesIn(join(disk, 'files'))).toEqual([]);
    rmSync(filler);
    const taken = await send();
    expect(taken.status, taken.text).toBe(200);
    expect(taken.body).toMatchObject({ status: 'uploaded', bytes: bytes.length });
  } finally {
    await service.close();
    rmSync(join(disk, 'files'), { recursive: true });
  }
});

test.runIf(isMounted)('work that finds no room to compute in waits for it', async () => {
  const service = await startTestService({ dataDir: disk, storageUrl: join(disk, '..', 'files') });
  try {
    const { client } = await service.tenant('Shop');
    await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
    const orders = await client.upload('orders.csv', largeShop(400, 20_000).orders(0));
    fillUp(50_000);
    const asked = await client.post('/v1/api/ingestions', { files: [{ file_id: orders, table: 'orders' }] });
    const path = `/v1/api/ingestions/${asked.body.id}`;
    const isBegun = () => readdirSync(service.service.app.workFolder).some((name) => name.startsWith(asked.body.id));
    for (const wanted of [true, false]) while (isBegun() !== wanted) await sleep(5);
    expect((await client.get(path)).body).toMatchObject({ status: 'running', failure: null });
    rmSync(filler);
    expect((await client.finished(path)).body).toMatchObject({ status: 'succeeded' });
  } finally {
    await service.close();
  }
});

/** Leaves so many bytes of the disk. */
function fillUp(freeBytes: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - freeBytes));
}

function urlOf({ host, user, database }: PostgresConnection): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}
