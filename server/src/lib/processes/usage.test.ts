/** What processes use is counted alike by /proc and by `ps`, with those that they started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { descendants, folderMb, readProc, readPs, secondsOf } from './usage.ts';

const patient = { timeout: 120_000 };
const spin = 'const kept = Buffer.alloc(150 << 20, 1); process.stdout.write("ready"); for (;;) kept[0]++;';

test.runIf(process.platform === 'linux')('a process and the one it started are counted together', async () => {
  const nested = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(spin)}], { stdio: 'inherit' })`;
  const parent = spawn(process.execPath, ['-e', nested], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(parent.stdout, 'data');
    const leader = parent.pid!;
    const pids = descendants(leader);
    expect(pids).toHaveLength(2);
    await expect.poll(() => readProc(pids).cpuSeconds, patient).toBeGreaterThan(1);
    const [proc, ps] = [readProc(pids), await readPs(leader)];
    expect(proc.memoryMb).toBeGreaterThan(150);
    // `ps` counts pages of files too, and whole seconds.
    expect(ps.memoryMb).toBeGreaterThan(proc.memoryMb);
    expect(Math.abs(ps.cpuSeconds - proc.cpuSeconds)).toBeLessThan(3);
  } finally {
    process.kill(-parent.pid!, 'SIGKILL');
  }
  await once(parent, 'exit');
  expect(readProc([parent.pid!]).memoryMb).toBe(0);
});

test.each([
  ['0:07.54', 7.54],
  ['00:01:02', 62],
  ['125:03.00', 7_503],
  ['2-03:00:01', 183_601],
])('%s of ps is %s seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

test('a folder counts with what lies deeper in it, and not with what it links to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-usage-'));
  try {
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep', 'one'), Buffer.alloc(3 << 20, 1));
    writeFileSync(join(folder, 'two'), Buffer.alloc(2 << 20, 1));
    symlinkSync(process.execPath, join(folder, 'link'));
    expect(await folderMb(folder)).toBeCloseTo(5, 0);
    expect(await folderMb(join(folder, 'none'))).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
