/**
 * Builds the dashboard into `dist`. It is built beside and put in place whole, so that whoever serves it never sees half
 * of it; the newest assets of earlier builds stay for a day, for tabs that are still open.
 */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { keptAssets } from './kept-assets.ts';

const here = import.meta.dirname;
const [dist, partial, former] = ['dist', 'dist.partial', 'dist.former'].map((name) => join(here, name));

// Whoever starts the build may be at development or at tests, and React is another one there.
process.env.NODE_ENV = 'production';
rmSync(partial, { recursive: true, force: true });
await build({ root: here, logLevel: 'warn', build: { outDir: partial, emptyOutDir: true } });
compress();
keepAssets();
rmSync(former, { recursive: true, force: true });
if (existsSync(dist)) renameSync(dist, former);
renameSync(partial, dist);
rmSync(former, { recursive: true, force: true });

/** Writes brotli copies beside the files: making them when they are asked for first would keep the first visitor waiting. */
function compress(): void {
  for (const name of readdirSync(partial, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(css|html|js|svg)$/.test(name)) continue;
    const bytes = readFileSync(join(partial, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(partial, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
}

function keepAssets(): void {
  const assets = join(dist, 'assets');
  if (!existsSync(assets)) return;
  const earlier = readdirSync(assets)
    .filter((name) => !existsSync(join(partial, 'assets', name)))
    .map((name) => ({ name, at: statSync(join(assets, name)).mtimeMs }));
  for (const name of keptAssets(earlier, Date.now()))
    cpSync(join(assets, name), join(partial, 'assets', name), { preserveTimestamps: true });
}
