/**
 * Labels made from future rows: what comes after the last window has closed moves no byte of a version, though the
 * labels are made anew from tables that hold it. The same planted earlier moves it, so that a test that sees nothing is
 * caught.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fitCommand } from '../src/commands/fit.ts';
import { lendingClosed, lendingData, lendingEarly, lendingFiles, lendingQueries, plantAfter } from './lending.ts';
import type { Data } from './samples.ts';

const temporary = mkdtempSync(join(tmpdir(), 'leakage-queries-'));
afterAll(() => rmSync(temporary, { recursive: true }));

let folders = 0;

/** Every file of the version, as text that compares by bytes. */
async function versionOf(data: Data, query: string): Promise<Record<string, string>> {
  const folder = join(temporary, `data-${folders++}`);
  for (const [path, text] of Object.entries({ ...lendingFiles(data), 'tasks/asked/task.yaml': query })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const out = join(folder, 'version');
  await fitCommand([folder, '--task', 'asked', '--out', out], () => {});
  return Object.fromEntries(
    readdirSync(out)
      .sort()
      .map((name) => [name, readFileSync(join(out, name)).toString('base64')]),
  );
}

const data = lendingData();

test.each(Object.entries(lendingQueries))(
  '%s: nothing that comes after the windows moves a version',
  { timeout: 60_000 },
  async (_, query) => {
    const version = await versionOf(data, query);
    const later = await versionOf(plantAfter(data, lendingClosed), query);
    expect(Object.keys(version).filter((name) => version[name] !== later[name])).toEqual([]);
    const sooner = await versionOf(plantAfter(data, lendingEarly), query);
    expect(sooner['labels.bin'] === version['labels.bin']).toBe(false);
  },
);
