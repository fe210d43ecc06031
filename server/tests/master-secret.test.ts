/** A process that could not read what others seal, or what they have made of the database, does not start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startTestService, type TestService } from './service.ts';

let first: TestService;
beforeAll(async () => {
  first = await startTestService({}, 'api');
});
afterAll(() => first?.close());

const start = (name: string, secret: string, role: 'worker' | 'none') =>
  startService(
    readConfig({
      LASTRO_DATA_DIR: join(first.folder, name),
      LASTRO_MASTER_SECRET: secret,
      DATABASE_URL: first.databaseUrl,
      LASTRO_DEMO: '0',
      LOG_LEVEL: 'error',
    }),
    role,
  );
const secretOfFirst = () => readFileSync(join(first.folder, 'secret'), 'utf8').trim();

test('a second process is refused under another master secret, and starts under the same', async () => {
  const other = 'ab'.repeat(32);
  await expect(start('other', other, 'worker')).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('another master secret'),
  });
  const command = await start('command', other, 'none');
  await command.close();
  const same = await start('same', secretOfFirst(), 'worker');
  await same.close();
});

test('an older release is refused where a newer one has brought the database up to date, and one that runs is told', async () => {
  const newer = '9999-of-a-newer-release.sql';
  await first.owner.pool.query("insert into migrations (name, sha256) values ($1, '')", [newer]);
  for (const role of ['worker', 'none'] as const)
    await expect(start('older', secretOfFirst(), role)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(new RegExp(`newer release.*up to ${newer}.*restore a backup`)),
    });
  expect(await first.service.superseded).toBe(newer);
});
