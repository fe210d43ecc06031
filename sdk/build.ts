/** Compiles the client for Node 20 and browsers: `npm run -w sdk build`, into sdk/dist or the folder that is given. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const repository = join(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
const compiler = ['run.mjs', 'tsc', '-p', 'sdk/tsconfig.build.json', '--outDir', out];

rmSync(out, { recursive: true, force: true });
execFileSync(process.execPath, compiler, { cwd: repository, stdio: 'inherit' });
// The compiler lets declarations name sources, which are not shipped.
for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.d.ts')) continue;
  const file = join(out, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
}
