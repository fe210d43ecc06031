/** What a browser loads of script for each page, packed as it is sent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../../server/src/commands/build-dashboard.ts';
import { openDashboard } from '../../server/src/dashboard.ts';

type Chunk = {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
};

const dist = join(import.meta.dirname, '..', 'dist');
const mostBytes = 200_000;

let chunks: Readonly<Record<string, Chunk>>;

beforeAll(async () => {
  await buildDashboard(openDashboard(dist), (line) => console.warn(line), new AbortController().signal);
  const manifest = join(dist, '.vite', 'manifest.json');
  expect(existsSync(manifest)).toBe(true);
  chunks = JSON.parse(readFileSync(manifest, 'utf8'));
});

/** A chunk and all that is loaded before it runs. */
function loadedWith(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const one of chunks[name].imports ?? []) loadedWith(one, found);
  return found;
}

function packedBytes(names: Iterable<string>): number {
  const files = new Set([...names].map((name) => chunks[name].file).filter((file) => file.endsWith('.js')));
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
}

test('no page loads more than 200 kB of script, charts apart', () => {
  const entry = Object.keys(chunks).find((name) => chunks[name].isEntry)!;
  const pages = Object.keys(chunks).filter((name) => name.startsWith('src/routes/'));
  expect(pages.length).toBeGreaterThan(30);
  const sizes = pages.map((page) => ({
    page,
    bytes: packedBytes([
      ...loadedWith(entry),
      ...loadedWith('src/routes/_app.tsx?tsr-split=component'),
      ...loadedWith(page),
    ]),
  }));
  const largest = sizes.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  console.log(`largest page: ${largest.page}, ${largest.bytes} bytes of script`);
  expect(sizes.filter(({ bytes }) => bytes > mostBytes)).toEqual([]);
});

test('the library of charts is loaded by charts alone', () => {
  const charts = Object.keys(chunks).find((name) => name === 'src/charts/echarts.ts');
  expect(charts).toBeDefined();
  for (const name of Object.keys(chunks))
    if (name !== charts) expect([...loadedWith(name)], name).not.toContain(charts);
});
