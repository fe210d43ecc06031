import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openWorkFolder } from './work-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'work-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The process id of a process that has ended. */
const gone = spawnSync(process.execPath, ['-e', '']).pid;

test('removes folders of processes that are gone, and none of those that it cannot ask for until they are old', async () => {
  const [here, elsewhere] = ['0123456789abcdef', 'fedcba9876543210'];
  const names = {
    dead: `${here}-${gone}-aaaa`,
    living: `${here}-${process.ppid}-aaaa`,
    // A folder of a container, whose process ids are of other processes.
    foreign: `${elsewhere}-${gone}-aaaa`,
    abandoned: `${elsewhere}-${gone}-bbbb`,
  };
  for (const name of Object.values(names)) mkdirSync(join(root, name));
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(join(root, names.abandoned), longAgo, longAgo);
  const first = await openWorkFolder(root, here);
  const second = await openWorkFolder(root, here);
  const left = Object.entries(names).filter(([, name]) => existsSync(join(root, name)));
  expect(left.map(([word]) => word)).toEqual(['living', 'foreign']);
  expect(existsSync(first.path)).toBe(true);
  await first.close();
  expect([existsSync(first.path), existsSync(second.path)]).toEqual([false, true]);
});
