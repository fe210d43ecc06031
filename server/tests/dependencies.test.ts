import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..', '..');

test('ARCHITECTURE.md says of each package we depend on what it is for, and of no other', () => {
  const named = ['package.json', 'server/package.json', 'sdk/package.json', 'dashboard/package.json']
    .flatMap(packagesOf)
    .filter((name) => !name.startsWith('@lastro/'));
  expect(packagesTold().sort()).toEqual([...new Set(named)].sort());
});

function packagesOf(file: string): string[] {
  const manifest: Record<string, object | undefined> = JSON.parse(readFileSync(join(repository, file), 'utf8'));
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
}

/** Packages in the first column of the table, each of whose rows has something in the second. */
function packagesTold(): string[] {
  const text = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
  const section = /^## What we depend on$([\s\S]*?)^## /m.exec(text)![1];
  const rows = [...section.matchAll(/^\| (`.*?) \| (.*?) \|/gm)];
  expect(rows.filter(([, , purpose]) => purpose.trim() === '')).toEqual([]);
  return rows.flatMap(([, names]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
}
