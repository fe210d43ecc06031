/** What docs/train-the-graph-model.md tells a reader to run, run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..', '..');
const prefix = 'npm run -s lastro -- ';

function lastro(folder: string, args: readonly string[]): Promise<{ code: number; out: string; said: string }> {
  const main = join(repository, 'server', 'src', 'main.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd: folder, maxBuffer: 1 << 26 }, (error, out, said) =>
      resolve({ code: error === null ? 0 : 1, out, said }),
    );
  });
}

test('the commands of the page make an economy, a store, a version, a vector and its measures', {
  timeout: 1_800_000,
}, async () => {
  const page = readFileSync(join(repository, 'docs', 'train-the-graph-model.md'), 'utf8');
  const commands = page.split('\n').filter((line) => line.startsWith(prefix));
  expect(commands.length).toBe(5);
  const folder = mkdtempSync(join(tmpdir(), 'lastro-docs-'));
  try {
    const said: string[] = [];
    for (const command of commands) {
      const ended = await lastro(folder, command.slice(prefix.length).split(' '));
      expect(ended.code, `${command}\n${ended.said}`).toBe(0);
      said.push(ended.out);
    }
    const record = JSON.parse(said[3]);
    expect(record).toMatchObject({ id: 'SYN-C0000100', dimension: 64 });
    expect(record.vector.length).toBe(64);
    expect(said[4]).toMatch(/first numbers of the vector +1024 +512/);
    expect(said[4]).toMatch(/share of the best +1\.000/);
    expect(said[4]).toMatch(/it supplies \?/);
    expect(said[4]).toMatch(/test: of itself +0\.\d{4}/);
    const measures = JSON.parse(readFileSync(join(folder, 'measures.json'), 'utf8'));
    const supplies = measures.links.filter(({ relation }: { relation: string }) => relation === 'supplies');
    for (const { random, embedding } of supplies) expect(embedding[0].mrr).toBeGreaterThan(random);
    expect(measures.prefixes[0].recall.at(-1).recall).toBeGreaterThan(0.1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
