/** What docs/run-at-home.md tells a reader to run without a service, run. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { generateLender } from '../src/commands/demo/lender.ts';

const repository = join(import.meta.dirname, '..', '..');
const main = join(repository, 'server', 'src', 'main.ts');
const prefix = 'lastro ';

function lastro(folder: string, args: readonly string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd: folder, maxBuffer: 1 << 26 }, (error, _, said) =>
      resolve({ code: error === null ? 0 : 1, said }),
    );
  });
}

test('the commands of the page train, export, serve and do files', { timeout: 1_800_000 }, async () => {
  const page = readFileSync(join(repository, 'docs', 'run-at-home.md'), 'utf8');
  // Which snapshot a model has is told by its export.
  const commands = page.split('\n').filter((line) => line.startsWith(prefix) && !line.includes('…'));
  const isServing = (command: string) => command.startsWith('lastro rfm serve') && !command.includes('--in');
  expect(commands.map(isServing)).toEqual([false, false, false, true, false, false]);
  const folder = mkdtempSync(join(tmpdir(), 'lastro-docs-'));
  try {
    await generateLender(join(folder, 'lender'), { customers: 300, seed: 1, from: '2023-01-01' });
    const [header, ...customers] = readFileSync(join(folder, 'lender', 'tables', 'customers.csv'), 'utf8').split('\n');
    const key = header!.split(',').indexOf('legal_document');
    const keys = customers.slice(0, 3).map((line) => line.split(',')[key]);
    writeFileSync(
      join(folder, 'rows.csv'),
      `legal_document,reference_date\n${keys.map((one) => `${one},2024-06-30\n`).join('')}`,
    );
    for (const command of commands) {
      const args = command.slice(prefix.length).split(' ');
      if (isServing(command)) {
        const home = spawn(process.execPath, [main, ...args, '--port', '0'], {
          cwd: folder,
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const [url] = (await once(createInterface(home.stdout!), 'line')) as [string];
        const curl = page.split('\n').find((line) => line.startsWith('curl -s http://127.0.0.1:8090'))!;
        const address = /http:\/\/127\.0\.0\.1:8090(\S+)/.exec(curl)![1];
        const body = /-d '(.*)'/.exec(curl)![1].replace('11222333000181', keys[0]);
        const answer = await fetch(`${url}${address}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(await answer.json()).toMatchObject({ data: [{ key: keys[0], dimension: 1024 }] });
        home.kill();
        await once(home, 'exit');
        continue;
      }
      const ended = await lastro(folder, args);
      expect(ended.code, `${command}\n${ended.said}`).toBe(0);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
