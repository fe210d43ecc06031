/**
 * The law of imports, kept by reading the source as text: a guard, not a proof. What each folder owns and may import is
 * in docs and in `layers` below; a new outside package is let in by naming its door here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

/** Source by path, relative to server/src, with forward slashes. */
type Tree = Readonly<Record<string, string>>;

const repository = join(import.meta.dirname, '..', '..');

/** What files under a folder may import, as path prefixes. Files at the root and under commands/ may import all. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'lib/': ['lib/'],
  'ml/': ['ml/', 'lib/failure.ts', 'lib/yaml.ts', 'lib/duckdb/', 'lib/onnx/', 'lib/files/', 'lib/crypto/'],
  'schema/': ['schema/'],
  'tenancy/': ['tenancy/', 'schema/', 'lib/'],
  'resources/': ['resources/', 'tenancy/', 'schema/', 'ml/', 'lib/'],
  'commands/': [''],
};
const wiring = ['main.ts', 'app.ts', 'compute.ts', 'config.ts', 'routes.ts', 'jobs.ts'];

/** The one place each outside package is imported from. Tests may import their own tools. */
const doors: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-s3': ['lib/storage/s3/'],
  '@duckdb/node-api': ['lib/duckdb/'],
  '@duckdb/node-bindings': ['lib/duckdb/'],
  assemblyscript: ['ml/trees/kernel/build.ts'],
  'onnxruntime-node': ['lib/onnx/'],
  'pg-boss': ['lib/queue/'],
  yaml: ['lib/yaml.ts', 'ml/contract/', 'ml/tasks/'],
  '@fastify/swagger': ['lib/http/'],
  fastify: ['lib/http/'],
  typebox: ['lib/http/', 'tenancy/', 'resources/'],
  pino: ['lib/http/', 'lib/queue/', 'resources/app.ts', 'app.ts'],
  kysely: ['lib/db/', 'lib/queue/', 'schema/', 'tenancy/', 'resources/'],
  pg: ['lib/postgres/', 'lib/db/', 'lib/queue/'],
  'prom-client': ['lib/metrics/'],
};

/** Tests, the samples they share and definitions they compute by; free of the layers; no product file leans on them. */
const forTests = /\.test\.ts$|(^|\/)samples\.ts$|(^|\/)brute-force\//;

/** Of another resource, these stay its own business. */
const privateToResource = /\/(sql|jobs|routes)\.ts$/;
/** A field called `tenant:` is the data contract standard's. */
const servicePlace = /\b(postgres(ql)?|pg-boss|kysely|tenancy|tenants?(?!:)|workspaces?)\b/i;

/** Every breach of the law in a tree, as `file: what is wrong`, in order of file. */
function breaches(tree: Tree): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const say = (message: string) => found.push(`${file}: ${message}`);
    const isTest = forTests.test(file);
    const code = withoutComments(source);
    const targets: string[] = [];
    for (const specifier of importsIn(code)) {
      if (!specifier.startsWith('.')) {
        if (!isTest) checkPackage(file, specifier, say);
        continue;
      }
      const target = posix.join(posix.dirname(file), specifier);
      if (!Object.hasOwn(tree, target)) {
        if (!/\.(wasm|json|sql)$/.test(target) && !target.startsWith('..'))
          say(`imports ${specifier}, which is no file`);
        continue;
      }
      targets.push(target);
      if (!isTest && forTests.test(target)) say(`imports ${target}, which is for tests`);
      if (!isTest) checkLayer(file, target, say);
    }
    graph.set(file, targets);
    if (isTest) continue;
    if (!file.includes('/') && !wiring.includes(file)) say('lies at the root, where only the wiring does');
    if (file.includes('/') && layerOf(file) === undefined) say('lies in a folder the law does not know');
    if (file !== 'config.ts' && /\bprocess\s*(\?\.|\.)\s*env\b|\benv\b[^;]*\bfrom 'node:process'/.test(code))
      say('reads the environment; only config.ts does');
    if (isBarrel(code)) say('re-exports: import from the file that has it');
    const named = file.startsWith('ml/') ? servicePlace.exec(source) : null;
    if (named) say(`names ${named[0]}: learning knows no service`);
  }
  return [...found, ...cyclesIn(graph)];
}

function checkPackage(file: string, specifier: string, say: (message: string) => void): void {
  if (specifier.startsWith('node:')) return;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const door = Object.hasOwn(doors, name) ? doors[name] : undefined;
  if (door === undefined) say(`imports ${name}, which has no door`);
  else if (!door.some((place) => file.startsWith(place))) say(`imports ${name}, whose door is ${door.join(' or ')}`);
}

function checkLayer(file: string, target: string, say: (message: string) => void): void {
  const layer = layerOf(file);
  if (layer === undefined) return;
  if (!layers[layer]!.some((place) => target.startsWith(place))) say(`imports ${target}, which ${layer} may not`);
  const noun = (path: string) => path.split('/')[1];
  if (
    layer === 'resources/' &&
    target.startsWith(layer) &&
    noun(file) !== noun(target) &&
    privateToResource.test(target)
  )
    say(`imports ${target}, which is private to ${noun(target)}`);
}

function layerOf(file: string): string | undefined {
  return Object.keys(layers).find((layer) => file.startsWith(layer));
}

function importsIn(code: string): string[] {
  const forms = /\b(?:import|export)\b[^;'"`]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
  return [...code.matchAll(forms)].map((match) => (match[1] ?? match[2])!);
}

/** Hands on values of other files, or nothing but types; a module may name the types its own functions take. */
function isBarrel(code: string): boolean {
  const handsOn = [...code.matchAll(/^\s*export\b[^;=(]*?\bfrom\s*['"][^'"]+['"]/gm)].map((match) => match[0]);
  if (handsOn.length === 0) return false;
  const hasOwn = /^\s*export\s+(async|function|const|let|class|type\s+\w|default|abstract)\b/m.test(code);
  return !hasOwn || handsOn.some((text) => !/^\s*export\s+type\s*\{/.test(text));
}

/** Comments go, strings stay: a URL in quotes is no comment. */
function withoutComments(source: string): string {
  const pieces = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return source.replace(pieces, (piece) => (piece.startsWith('/') ? ' ' : piece));
}

/** One line per knot of files that import each other (Tarjan 1972), naming its files. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const knot = path.splice(path.indexOf(file));
    if (knot.length > 1 || graph.get(file)?.includes(file)) found.push(`${knot.sort().join(', ')}: import each other`);
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

/** The server's source as committed or staged; the kernel's AssemblyScript has a compiler and a law of its own. */
function serverSource(): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', 'server/src'], { cwd: repository, encoding: 'utf8' });
  const files = listed.split('\0').filter((path) => path.endsWith('.ts') && !path.includes('/kernel/assembly/'));
  return Object.fromEntries(
    files
      .filter((path) => existsSync(join(repository, path)))
      .map((path) => [path.slice('server/src/'.length), readFileSync(join(repository, path), 'utf8')]),
  );
}

test('the server keeps the law of imports', () => {
  const tree = serverSource();
  expect(Object.keys(tree).length).toBeGreaterThan(5);
  expect(breaches(tree)).toEqual([]);
});

test('a tree that keeps the law has no breach', () => {
  expect(breaches(lawful)).toEqual([]);
});

test.each<[string, Tree, RegExp]>([
  ['lib knowing learning', { 'lib/a.ts': "import '../ml/fit.ts';" }, /^lib\/a\.ts: imports ml\/fit\.ts/],
  [
    'learning opening the database',
    { 'ml/a.ts': "import { db } from '../lib/db/db.ts';" },
    /^ml\/a\.ts: imports lib\/db/,
  ],
  ['learning naming the service', { 'ml/a.ts': '// One row per tenant.\n' }, /^ml\/a\.ts: names tenant/],
  ['tenancy knowing learning', { 'tenancy/a.ts': "import '../ml/fit.ts';" }, /^tenancy\/a\.ts: imports ml\/fit\.ts/],
  ['a resource knowing the wiring', { 'resources/runs/a.ts': "import '../../app.ts';" }, /imports app\.ts/],
  [
    "a resource using another's statements",
    { 'resources/runs/a.ts': "import { insert } from '../batches/sql.ts';" },
    /private to batches/,
  ],
  ['a second door', { 'ml/a.ts': "import * as duckdb from '@duckdb/node-api';" }, /whose door is lib\/duckdb/],
  [
    'a package without a door',
    { 'lib/a.ts': "import leftPad from 'left-pad/even';" },
    /imports left-pad, which has no door/,
  ],
  ['a package asked for at run time', { 'lib/a.ts': "await import('left-pad');" }, /imports left-pad/],
  ['an environment read', { 'lib/a.ts': 'const port = process.env.PORT;' }, /reads the environment/],
  ['a barrel', { 'ml/index.ts': "export * from './fit.ts';" }, /^ml\/index\.ts: re-exports/],
  ['a barrel of types', { 'ml/types.ts': "export type { A } from './fit.ts';" }, /^ml\/types\.ts: re-exports/],
  [
    'a value handed on',
    { 'ml/a.ts': "export { fit } from './fit.ts';\nexport const a = 1;" },
    /^ml\/a\.ts: re-exports/,
  ],
  ['a missing file', { 'ml/a.ts': "import './gone.ts';" }, /is no file/],
  ['a drawer', { 'shared/a.ts': 'export const a = 1;' }, /folder the law does not know/],
  ['a stray at the root', { 'scratch.ts': 'export const a = 1;' }, /lies at the root/],
  [
    'a cycle of three, one of them through a type',
    {
      'ml/a.ts': "import './b.ts';",
      'ml/b.ts': "import type { C } from './c.ts';",
      'ml/c.ts': "import { a } from './a.ts';",
    },
    /^ml\/a\.ts, ml\/b\.ts, ml\/c\.ts: import each other$/,
  ],
  [
    'a cycle through a test',
    { 'ml/a.test.ts': "import './b.test.ts';", 'ml/b.test.ts': "import './a.test.ts';" },
    /each other/,
  ],
  ['a product file leaning on samples', { 'ml/a.ts': "import './samples.ts';" }, /ml\/samples\.ts, which is for tests/],
  [
    'a product file leaning on what tests compute by',
    { 'ml/a.ts': "import './brute-force/world.ts';", 'ml/brute-force/world.ts': "import '../samples.ts';" },
    /^ml\/a\.ts: imports ml\/brute-force\/world\.ts, which is for tests/,
  ],
])('%s is one breach', (_, change, expected) => {
  expect(breaches({ ...lawful, ...change })).toEqual([expect.stringMatching(expected)]);
});

const lawful: Tree = {
  'main.ts': "import { app } from './app.ts';",
  'app.ts': "import { create } from './resources/batches/create.ts';\nimport './commands/demo.ts';",
  'config.ts': 'export const port = Number(process.env.PORT);',
  'commands/demo.ts': "import { fit } from '../ml/fit.ts';\nimport { insert } from '../resources/batches/sql.ts';",
  'resources/batches/create.ts': "import { insert } from './sql.ts';\nimport { actor } from '../../tenancy/actor.ts';",
  'resources/batches/sql.ts': "import { db } from '../../lib/db/db.ts';",
  'resources/runs/start.ts': "import { create } from '../batches/create.ts';\nimport { fit } from '../../ml/fit.ts';",
  'tenancy/actor.ts': "import { db } from '../lib/db/db.ts';",
  'ml/fit.ts': [
    "import { assert } from '../lib/failure.ts';",
    "import {\n  read,\n  type Rows,\n} from '../lib/duckdb/read.ts';",
    "// import '../resources/batches/sql.ts' would be a breach, a comment is not: process.env, https://example.com",
  ].join('\n'),
  'ml/fit.test.ts': "import { test } from 'vitest';\nimport '../resources/batches/sql.ts';\nprocess.env.TZ = 'UTC';",
  'ml/predict.ts': "export type { A } from './fit.ts';\nexport function predict(a: A): void {}",
  'ml/samples.ts': "import fc from 'fast-check';",
  'lib/failure.ts': 'export class Failure extends Error {}',
  'lib/db/db.ts': "import { join } from 'node:path';",
  'lib/duckdb/read.ts': "import { DuckDBInstance } from '@duckdb/node-api';\nimport { assert } from '../failure.ts';",
};
