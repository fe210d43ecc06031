/** A process that could not read what others seal does not start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startTestService } from './service.ts';

test('a second process is refused under another master secret, and starts under the same', async () => {
  const first = await startTestService({}, 'api');
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
  try {
    const other = 'ab'.repeat(32);
    await expect(start('other', other, 'worker')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('another master secret'),
    });
    const command = await start('command', other, 'none');
    await command.close();
    const same = await start('same', readFileSync(join(first.folder, 'secret'), 'utf8').trim(), 'worker');
    await same.close();
  } finally {
    await first.close();
  }
});
