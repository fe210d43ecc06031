/** The release before this one: the newest commit with fewer migrations; test support. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { schemaFolder } from '../src/installation.ts';
import { readMigrations } from '../src/lib/db/migrate.ts';

const repository = join(import.meta.dirname, '..', '..');

export type OlderRelease = {
  /** The folder with its files, and the packages of this one. */
  readonly tree: string;
  /** The newest migration of this release, which the older one lacks. */
  readonly newest: string;
  remove(): void;
};

/** Puts it into a folder of its own. Throws an Error where the history of git does not go back so far. */
export async function unpackOlder(): Promise<OlderRelease> {
  const migrations = (await readMigrations(schemaFolder)).map(({ name }) => name);
  const newest = migrations.at(-1)!;
  const tree = mkdtempSync(join(tmpdir(), 'lastro-older-'));
  unpack(commitBefore(migrations), tree);
  expect(existsSync(join(tree, 'server/src/schema', newest))).toBe(false);
  return { tree, newest, remove: () => rmSync(tree, { recursive: true, force: true }) };
}

/**
 * The newest commit that has only the first of these migrations: those within a piece of work may have had others.
 * Throws an Error where the history of git does not go back so far.
 */
function commitBefore(migrations: readonly string[]): string {
  const git = (...args: string[]): string[] =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' })
      .trim()
      .split('\n');
  const commit = git('rev-list', 'HEAD').find((one) => {
    const had = git('ls-tree', '--name-only', `${one}:server/src/schema`).filter((file) => file.endsWith('.sql'));
    return had.length < migrations.length && had.every((file, at) => file === migrations[at]);
  });
  if (commit === undefined) throw new Error(`the history of git has no release before ${migrations.at(-1)}`);
  return commit;
}

/** Puts the files of a commit into a folder, with the packages of this tree. */
function unpack(commit: string, into: string): void {
  const archive = join(into, 'older.tar');
  execFileSync('git', ['-C', repository, 'archive', '--output', archive, commit]);
  execFileSync('tar', ['-x', '-f', archive, '-C', into]);
  rmSync(archive);
  for (const packages of ['node_modules', 'server/node_modules']) {
    const path = join(repository, packages);
    if (!existsSync(path)) continue;
    mkdirSync(join(into, packages, '..'), { recursive: true });
    symlinkSync(path, join(into, packages), 'dir');
  }
}
