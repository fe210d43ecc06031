/** What the client may import: the core nothing but itself, so that it runs in browsers. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../generate/document.ts';

/** May import Node's own modules: what has to do with files of the machine. */
const forNode = 'sdk/src/node.ts';
const linesMax = 450;
/** Of a line of comment. */
const columnsMax = 120;

function filesUnder(folder: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', folder], {
    cwd: repository,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path.endsWith('.ts'));
}

function textOf(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

/** What a file imports: paths from the repository, and names of packages. */
function importsOf(path: string): string[] {
  const forms =
    /\b(?:import|export)\b[^;'"`]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
  return [...textOf(path).matchAll(forms)].map(([, ...found]) => {
    const specifier = found.find((one) => one !== undefined)!;
    return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
  });
}

const sources = filesUnder('sdk/src');

test('the client imports nothing but itself, and Node in its own entry alone', () => {
  expect(sources).toContain(forNode);
  for (const path of sources)
    for (const target of importsOf(path)) {
      const isAllowed = sources.includes(target) ? target !== forNode : path === forNode && target.startsWith('node:');
      expect(isAllowed, `${path} imports ${target}`).toBe(true);
    }
});

test('nothing of the client imports the server; its tests may use those of the server', () => {
  for (const path of filesUnder('sdk'))
    for (const target of importsOf(path)) {
      expect(target.startsWith('server/src'), `${path} imports ${target}`).toBe(false);
      if (target.startsWith('server/')) expect(path).toMatch(/^sdk\/tests\//);
    }
});

test('it has no dependencies when it runs', () => {
  const manifest = JSON.parse(textOf('sdk/package.json'));
  expect(Object.keys(manifest)).not.toContain('dependencies');
  expect(Object.keys(manifest)).not.toContain('peerDependencies');
});

test('files that people write are short, and have no `any`', () => {
  const generated = /^\/\/ Made from /;
  for (const path of sources) {
    const text = textOf(path);
    if (generated.test(text)) continue;
    expect(text.split('\n').length, path).toBeLessThan(linesMax);
    expect(text, path).not.toMatch(/[:<]\s*any\b|\bas any\b/);
    const comments = text.split('\n').filter((line) => /^\s*(\/?\*|\/\/)/.test(line));
    for (const line of comments) expect(line.length, `${path}: ${line}`).toBeLessThanOrEqual(columnsMax);
  }
});
