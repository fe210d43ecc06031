/**
 * Builds the dashboard into `dist`. It is built beside and put in place whole, so that whoever serves it never sees half
 * of it; assets of earlier builds stay for a day, for tabs that are still open.
 */
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const here = import.meta.dirname;
const [dist, partial, former] = ['dist', 'dist.partial', 'dist.former'].map((name) => join(here, name));
const keptMs = 24 * 60 * 60_000;

// Whoever starts the build may be at development or at tests, and React is another one there.
process.env.NODE_ENV = 'production';
rmSync(partial, { recursive: true, force: true });
await build({ root: here, logLevel: 'warn', build: { outDir: partial, emptyOutDir: true } });
keepAssets();
rmSync(former, { recursive: true, force: true });
if (existsSync(dist)) renameSync(dist, former);
renameSync(partial, dist);
rmSync(former, { recursive: true, force: true });

function keepAssets(): void {
  const assets = join(dist, 'assets');
  if (!existsSync(assets)) return;
  for (const name of readdirSync(assets)) {
    const from = join(assets, name);
    const to = join(partial, 'assets', name);
    if (existsSync(to) || Date.now() - statSync(from).mtimeMs > keptMs) continue;
    cpSync(from, to, { preserveTimestamps: true });
  }
}
