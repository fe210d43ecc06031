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

/** Of a line of comment; the formatter breaks lines of code. */
const columnsMax = 120;

/** What files of a room may import, as path prefixes. Files at the root and under commands/ may import all. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'lib/': ['lib/'],
  'errors.ts': ['lib/'],
  'ml/': [
    'ml/',
    ...['lib/brazil-documents.ts', 'lib/failure.ts', 'lib/nearest-word.ts', 'lib/time-zone.ts'],
    ...['lib/duckdb/', 'lib/onnx/', 'lib/files/', 'lib/crypto/', 'lib/threads/'],
  ],
  'schema/': ['schema/'],
  'access/': ['access/', 'schema/', 'errors.ts', 'lib/'],
  'trail/': ['trail/', 'access/', 'schema/', 'errors.ts', 'lib/'],
  'api/': ['api/', 'access/', 'errors.ts', 'lib/'],
  'serving/': ['serving/', 'access/', 'schema/', 'ml/', 'errors.ts', 'lib/'],
  'resources/': ['resources/', 'serving/', 'api/', 'trail/', 'access/', 'schema/', 'ml/', 'errors.ts', 'lib/'],
  'sftp/': ['sftp/', 'resources/', 'trail/', 'access/', 'errors.ts', 'lib/'],
  'commands/': [''],
};

/** The floors of ml, the lowest first: a folder imports from those before it. ARCHITECTURE.md shows the same list. */
const floors = [
  ...['statistics', 'trees', 'linear', 'encoder', 'vector-search'],
  ...['contract', 'graph', 'events', 'calibration', 'kinds', 'tasks', 'lake', 'links'],
  ...['features', 'heads', 'explain', 'leakage', 'network'],
  ...['gfm', 'gfm-link', 'rfm', 'version', 'answers', 'inference', 'training', 'evaluation', 'export'],
];
const wiring = [
  ...['main.ts', 'app.ts', 'http.ts', 'installation.ts', 'compute.ts', 'parsing.ts', 'hashing.ts'],
  ...['config.ts', 'settings.ts', 'routes.ts', 'jobs.ts', 'dashboard.ts'],
];

/** The one place each outside package is imported from. Tests may import their own tools. */
const doors: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-s3': ['lib/storage/s3/'],
  '@duckdb/node-api': ['lib/duckdb/'],
  '@fastify/busboy': ['lib/http/'],
  '@node-rs/argon2': ['lib/crypto/'],
  '@simplewebauthn/server': ['lib/crypto/'],
  '@xmldom/xmldom': ['lib/saml/'],
  'xml-crypto': ['lib/saml/'],
  '@zxcvbn-ts/core': ['lib/crypto/'],
  '@zxcvbn-ts/language-common': ['lib/crypto/'],
  'email-providers': ['lib/mail/'],
  nodemailer: ['lib/mail/'],
  'openid-client': ['lib/oidc/'],
  otplib: ['lib/crypto/'],
  '@duckdb/node-bindings': ['lib/duckdb/'],
  assemblyscript: ['ml/trees/kernel/build.ts'],
  'onnxruntime-node': ['lib/onnx/'],
  'pg-boss': ['lib/queue/'],
  yaml: ['ml/contract/', 'ml/tasks/'],
  re2js: ['ml/contract/'],
  '@fastify/swagger': ['lib/http/'],
  'fast-json-stringify': ['lib/http/'],
  fastify: ['lib/http/'],
  typebox: ['lib/http/', 'access/', 'trail/acts/', 'api/', 'resources/'],
  pino: ['lib/http/', 'lib/queue/'],
  kysely: ['lib/db/', 'lib/queue/', 'schema/', 'access/', 'trail/', 'serving/', 'resources/'],
  ssh2: ['lib/sftp/'],
  pg: ['lib/postgres/', 'lib/db/', 'lib/queue/'],
  'pg-copy-streams': ['lib/db/'],
  'prom-client': ['lib/metrics/'],
  '@opentelemetry/api': ['lib/tracing/'],
  '@opentelemetry/exporter-trace-otlp-http': ['lib/tracing/'],
  '@opentelemetry/resources': ['lib/tracing/'],
  '@opentelemetry/sdk-trace': ['lib/tracing/'],
};

/** Tests stand beside what they test, free of the rooms; what they share lies in server/tests. */
const forTests = /\.test\.ts$/;
/** Looks like test support, which has no place beside the product. */
const support = /(^|\/)(samples|fixtures?|mocks?|brute-force|test-\w+)(\/|\.ts$)/;

/** Of another resource, these stay its own business. */
const privateToResource = /\/(sql|jobs|routes)\.ts$/;
/** What a statement begins with; of a resource, they all stand in its sql.ts. */
const statement = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`]*>)?`/;
/** A field called `tenant:` is the data contract standard's. */
const servicePlace = /\b(postgres(ql)?|pg-boss|kysely|tenants?(?!:)|workspaces?)\b/i;

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
        if (target.startsWith('..')) {
          if (!isTest) say(`imports ${specifier}, which lies outside of src`);
        } else if (!/\.(wasm|json|sql)$/.test(target)) say(`imports ${specifier}, which is no file`);
        continue;
      }
      targets.push(target);
      if (!isTest && forTests.test(target)) say(`imports ${target}, which is for tests`);
      if (!isTest) checkRoom(file, target, say);
    }
    graph.set(file, targets);
    if (isTest) continue;
    if (file.startsWith('ml/') && floorOf(file) < 0) say('lies on no floor of ml: name its folder in the list');
    if (support.test(file)) say('is for tests, and lies in src');
    if (roomOf(file) === undefined && !wiring.includes(file))
      say(
        file.includes('/') ? 'lies in a folder the law does not know' : 'lies at the root, where only the wiring does',
      );
    if (file !== 'config.ts' && /\bprocess\s*(\?\.|\.)\s*env\b|\benv\b[^;]*\bfrom 'node:process'/.test(code))
      say('reads the environment; only config.ts does');
    if (statement.test(code) && file.startsWith('resources/') && !file.endsWith('/sql.ts'))
      say('has a statement: sql.ts is for those');
    if (source.split('\n').some((line) => line.length > columnsMax && /^\s*(\/?\*|\/\/)/.test(line)))
      say(`has a comment of more than ${columnsMax} columns`);
    if (isBarrel(code)) say('re-exports: import from the file that has it');
    for (const [task, handler] of tasksRun(code)) if (task !== handler) say(`runs ${handler} by the name ${task}`);
    const named = file.startsWith('ml/') ? servicePlace.exec(source) : null;
    if (named) say(`names ${named[0]}: learning knows no service`);
  }
  const product = new Map([...graph].filter(([file]) => !forTests.test(file)));
  return [...found, ...cyclesIn(graph), ...circlesOf(product), ...twoWriters(tree)];
}

function checkPackage(file: string, specifier: string, say: (message: string) => void): void {
  if (specifier.startsWith('node:')) return;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const door = Object.hasOwn(doors, name) ? doors[name] : undefined;
  if (door === undefined) say(`imports ${name}, which has no door`);
  else if (!door.some((place) => file.startsWith(place))) say(`imports ${name}, whose door is ${door.join(' or ')}`);
}

function checkRoom(file: string, target: string, say: (message: string) => void): void {
  const room = roomOf(file);
  if (room === undefined) return;
  if (!rooms[room].some((place) => target.startsWith(place))) say(`imports ${target}, which ${room} may not`);
  if (room === 'ml/') checkFloor(file, target, say);
  const noun = (path: string) => path.split('/')[1];
  if (room === 'resources/' && target.startsWith(room) && noun(file) !== noun(target) && privateToResource.test(target))
    say(`imports ${target}, which is private to ${noun(target)}`);
}

function checkFloor(file: string, target: string, say: (message: string) => void): void {
  if (target.startsWith('ml/') && floorOf(target) > floorOf(file)) say(`imports ${target}, which lies above it`);
}

function floorOf(file: string): number {
  return floors.indexOf(file.split('/')[1]);
}

function roomOf(file: string): string | undefined {
  return Object.keys(rooms).find((room) => file.startsWith(room));
}

/** Tasks that are run in child processes: by which name, and by the type of which handler. */
function tasksRun(code: string): [task: string, handler: string][] {
  const runs = /\.run<typeof (\w+)>\(\s*\{\s*name:\s*'(\w+)'/g;
  return [...code.matchAll(runs)].map((match) => [match[2], match[1]]);
}

function importsIn(code: string): string[] {
  const forms = /\b(?:import|export)\b[^;'"`]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
  return [...code.matchAll(forms)].map((match) => (match[1] ?? match[2])!);
}

/** Of learning, what reads a contract, a task or a query from text, or a folder that has one. */
const parsers =
  /^ml\/(contract\/(parse|yaml|write)|tasks\/parse-[\w-]+|lake\/(contract-of|load)|version\/version|rfm\/(folder|open)|export\/export)\.ts$/;

/** The files that a file loads when it runs, directly or not, itself among them. */
function loadedBy(tree: Tree, entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) for (const target of loads(tree, file)) loaded.add(target);
  return loaded;
}

function loads(tree: Tree, file: string): string[] {
  return importsIn(withoutTypeImports(withoutComments(tree[file] ?? '')))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file), specifier));
}

/** Node removes these imports: of types, or of a list in which each is a type. */
function withoutTypeImports(code: string): string {
  return code
    .replace(/\bimport\s+type\b[^;]*;/g, '')
    .replace(/\bimport\s*\{([^}]*)\}\s*from[^;]*;/g, (whole, names: string) =>
      names.split(',').every((name) => /^\s*(type\s|$)/.test(name)) ? '' : whole,
    );
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

/**
 * One line per circle within a folder: among its files and its folders, each folder taken as one with all that lies in
 * it. Types count. Rooms and the floors of ml have an order of their own, which leaves no circle.
 */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const within = new Map<string, Map<string, Set<string>>>();
  for (const [file, targets] of graph)
    for (const target of targets) {
      const [own, other] = [file.split('/'), target.split('/')];
      let depth = 0;
      while (own[depth] === other[depth] && depth < own.length - 1) depth++;
      const folder = own.slice(0, depth).join('/');
      if (folder === '' || folder === 'ml') continue;
      const children = within.get(folder) ?? new Map<string, Set<string>>();
      within.set(folder, children);
      const place = (path: readonly string[]) => path.slice(0, depth + 1).join('/');
      const met = children.get(place(own)) ?? new Set();
      children.set(place(own), met.add(place(other)));
    }
  return [...within.values()]
    .flatMap((children) => cyclesIn(new Map([...children].map(([own, met]) => [own, [...met]]))))
    .filter(
      (line) =>
        !line
          .split(': ')[0]
          .split(', ')
          .every((path) => path.endsWith('.ts')),
    )
    .map((line) => line.replace(/: import each other$/, ': a circle of folders'));
}

const writes = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)'/g,
  /\b(?:insert into|delete from|update)\s+(?!on\b|of\b)([a-z_]+)\b/g,
  /\btable: '(\w+)',\s*columns: \{/g,
];

/** Tables that several folders write. A folder is a room, or a resource in its room. */
function twoWriters(tree: Tree): string[] {
  const writers = new Map<string, Set<string>>();
  for (const [file, source] of Object.entries(tree)) {
    if (forTests.test(file) || file.startsWith('ml/') || file.startsWith('lib/')) continue;
    const code = withoutComments(source);
    for (const form of writes)
      for (const [, table] of code.matchAll(form)) {
        if (!tables(tree).has(table!)) continue;
        const folder = file
          .split('/')
          .slice(0, file.startsWith('resources/') ? 2 : 1)
          .join('/');
        writers.set(table!, (writers.get(table!) ?? new Set()).add(folder));
      }
  }
  return [...writers]
    .filter(([, folders]) => folders.size > 1)
    .map(([table, folders]) => `${table}: is written by ${[...folders].sort().join(' and ')}`);
}

/** Names of the tables there are. */
function tables(tree: Tree): ReadonlySet<string> {
  const types = tree['schema/tables.ts'] ?? '';
  const listed = /export interface DB \{([^}]*)\}/.exec(types)?.[1] ?? '';
  return new Set([...listed.matchAll(/^\s*(\w+):/gm)].map((match) => match[1]));
}

/** Source as committed or staged, by its path within a folder of the repository. */
function sourceOf(folder: string, isPart: (path: string) => boolean): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', folder], { cwd: repository, encoding: 'utf8' });
  return Object.fromEntries(
    listed
      .split('\0')
      .filter((path) => isPart(path) && existsSync(join(repository, path)))
      .map((path) => [path.slice(folder.length + 1), readFileSync(join(repository, path), 'utf8')]),
  );
}

/** The server's; the kernel's AssemblyScript has a compiler and a law of its own. */
const serverSource = (): Tree =>
  sourceOf('server/src', (path) => path.endsWith('.ts') && !path.includes('/kernel/assembly/'));

test('the server keeps the law of imports', () => {
  const tree = serverSource();
  expect(Object.keys(tree).length).toBeGreaterThan(5);
  expect(breaches(tree)).toEqual([]);
});

test('no files of the dashboard import each other, types included', () => {
  const tree = sourceOf('dashboard/src', (path) => /\.tsx?$/.test(path) && !path.endsWith('.gen.ts'));
  expect(Object.keys(tree).length).toBeGreaterThan(5);
  const graph = Object.entries(tree).map(([file, source]): [string, string[]] => [
    file,
    importsIn(withoutComments(source))
      .map((specifier) => posix.join(posix.dirname(file), specifier))
      .filter((target) => Object.hasOwn(tree, target)),
  ]);
  expect(graph.flatMap(([, targets]) => targets).length).toBeGreaterThan(100);
  expect(cyclesIn(new Map(graph))).toEqual([]);
});

test('each room imports rooms that stand above it in the list', () => {
  const order = Object.keys(rooms);
  for (const [at, room] of order.slice(0, -1).entries())
    for (const place of rooms[room])
      expect(order.findIndex((other) => place.startsWith(other))).toBeLessThanOrEqual(at);
});

test('ARCHITECTURE.md shows the rooms and the floors of ml in this order', () => {
  const text = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
  const shown = /^The floors of `ml`[^:]*:\n([\s\S]*?)\.\n/m.exec(text)![1]!;
  expect(shown.split(/[`·\s]+/).filter((name) => name !== '')).toEqual(floors);
  const rows = [...text.matchAll(/^\| `([\w.]+\/?)(?:<noun>\/)?`/gm)].map((match) => match[1]);
  expect(rows.filter((name) => Object.hasOwn(rooms, name!))).toEqual(Object.keys(rooms));
});

test('whoever answers requests or takes jobs parses nothing that customers wrote: children and threads do', () => {
  const tree = serverSource();
  const outside = (entry: string) => [...loadedBy(tree, entry)].filter((file) => !file.startsWith('ml/'));
  const parsing = (file: string) => loads(tree, file).filter((target) => parsers.test(target));
  expect(outside('parsing.ts').flatMap(parsing)).toContain('ml/contract/parse.ts');
  expect(outside('app.ts').filter((file) => parsing(file).length > 0)).toEqual([]);
});

test('a tree that keeps the law has no breach', () => {
  expect(breaches(lawful)).toEqual([]);
});

test.each<[string, Tree, RegExp]>([
  [
    'lib knowing learning',
    { 'lib/a.ts': "import '../ml/training/fit.ts';" },
    /^lib\/a\.ts: imports ml\/training\/fit\.ts/,
  ],
  [
    'learning opening the database',
    { 'ml/training/a.ts': "import { db } from '../../lib/db/db.ts';" },
    /^ml\/training\/a\.ts: imports lib\/db/,
  ],
  [
    'learning naming the service',
    { 'ml/training/a.ts': '// One row per tenant.\n' },
    /^ml\/training\/a\.ts: names tenant/,
  ],
  [
    'access knowing learning',
    { 'access/a.ts': "import '../ml/inference/predict.ts';" },
    /^access\/a\.ts: imports ml\/inference/,
  ],
  ['a resource knowing the wiring', { 'resources/runs/a.ts': "import '../../app.ts';" }, /imports app\.ts/],
  [
    "a resource using another's statements",
    { 'resources/runs/a.ts': "import { insert } from '../batches/sql.ts';" },
    /private to batches/,
  ],
  ['a second door', { 'ml/training/a.ts': "import * as duckdb from '@duckdb/node-api';" }, /whose door is lib\/duckdb/],
  [
    'a package without a door',
    { 'lib/a.ts': "import leftPad from 'left-pad/even';" },
    /imports left-pad, which has no door/,
  ],
  ['a package asked for at run time', { 'lib/a.ts': "await import('left-pad');" }, /imports left-pad/],
  ['an environment read', { 'lib/a.ts': 'const port = process.env.PORT;' }, /reads the environment/],
  ['a long comment', { 'lib/a.ts': `// ${'so '.repeat(40)}on.` }, /has a comment of more than 120 columns/],
  ['a barrel', { 'ml/training/index.ts': "export * from './fit.ts';" }, /^ml\/training\/index\.ts: re-exports/],
  [
    'a barrel of types',
    { 'ml/training/types.ts': "export type { A } from './fit.ts';" },
    /^ml\/training\/types\.ts: re-exports/,
  ],
  [
    'a value handed on',
    { 'ml/training/a.ts': "export { fit } from './fit.ts';\nexport const a = 1;" },
    /^ml\/training\/a\.ts: re-exports/,
  ],
  ['a missing file', { 'ml/training/a.ts': "import './gone.ts';" }, /is no file/],
  ['a drawer', { 'shared/a.ts': 'export const a = 1;' }, /folder the law does not know/],
  ['a stray at the root', { 'scratch.ts': 'export const a = 1;' }, /lies at the root/],
  [
    'a cycle of three, one of them through a type',
    {
      'ml/training/a.ts': "import './b.ts';",
      'ml/training/b.ts': "import type { C } from './c.ts';",
      'ml/training/c.ts': "import { a } from './a.ts';",
    },
    /^ml\/training\/a\.ts, ml\/training\/b\.ts, ml\/training\/c\.ts: import each other$/,
  ],
  [
    'a cycle through a test',
    { 'ml/training/a.test.ts': "import './b.test.ts';", 'ml/training/b.test.ts': "import './a.test.ts';" },
    /each other/,
  ],
  [
    'a product file leaning on what is for tests',
    { 'ml/training/a.ts': "import '../../../tests/support/world.ts';" },
    /^ml\/training\/a\.ts: imports .*, which lies outside of src/,
  ],
  [
    'test support beside the product',
    { 'ml/training/samples.ts': 'export const a = 1;' },
    /is for tests, and lies in src/,
  ],
  ['learning that climbs', { 'ml/statistics/a.ts': "import '../training/fit.ts';" }, /which lies above it/],
  ['a floor nobody named', { 'ml/attic/a.ts': 'export const a = 1;' }, /lies on no floor of ml/],
  [
    'a circle of folders whose files have none',
    {
      'resources/runs/b.ts': "import type { C } from '../models/c.ts';",
      'resources/models/d.ts': "import { a } from '../runs/a.ts';",
      'resources/runs/a.ts': 'export const a = 1;',
      'resources/models/c.ts': 'export type C = 1;',
    },
    /^resources\/models, resources\/runs: a circle of folders$/,
  ],
  [
    'a table of two writers',
    { 'resources/runs/sql.ts': "tx.insertInto('batches').values(row)" },
    /^batches: is written by resources\/batches and resources\/runs$/,
  ],
  [
    'a statement out of its place',
    { 'resources/runs/list.ts': "const rows = tx.selectFrom('runs').selectAll();" },
    /^resources\/runs\/list\.ts: has a statement/,
  ],
  [
    'a task run by the name of another',
    { 'resources/runs/a.ts': "app.compute!.run<typeof score>({ name: 'train', input })" },
    /runs score by the name train/,
  ],
])('%s is one breach', (_, change, expected) => {
  expect(breaches({ ...lawful, ...change })).toEqual([expect.stringMatching(expected)]);
});

const lawful: Tree = {
  'main.ts': "import { app } from './app.ts';",
  'app.ts': "import { create } from './resources/batches/create.ts';\nimport './commands/demo.ts';",
  'config.ts': 'export const port = Number(process.env.PORT);',
  'commands/demo.ts':
    "import { fit } from '../ml/training/fit.ts';\nimport { insert } from '../resources/batches/sql.ts';",
  'resources/batches/create.ts': "import { insert } from './sql.ts';\nimport { actor } from '../../access/actor.ts';",
  'resources/batches/sql.ts': "import { db } from '../../lib/db/db.ts';\nsql`update batches set status = 1`;",
  'schema/tables.ts': 'export interface DB {\n  batches: Batches;\n}',
  'resources/runs/start.ts':
    "import { create } from '../batches/create.ts';\nimport { fit } from '../../ml/training/fit.ts';",
  'access/actor.ts': "import { db } from '../lib/db/db.ts';",
  'ml/training/fit.ts': [
    "import { assert } from '../../lib/failure.ts';",
    "import {\n  read,\n  type Rows,\n} from '../../lib/duckdb/read.ts';",
    "// import '../../resources/batches/sql.ts' would be a breach, a comment is not: process.env, https://example.com",
  ].join('\n'),
  'ml/training/fit.test.ts':
    "import { test } from 'vitest';\nimport '../../resources/batches/sql.ts';\nprocess.env.TZ = 'UTC';",
  'ml/inference/predict.ts': "export type { A } from '../version/version.ts';\nexport function predict(a: A): void {}",
  'ml/version/version.ts': 'export type A = 1;',
  'lib/failure.ts': 'export class Failure extends Error {}',
  'lib/db/db.ts': "import { join } from 'node:path';",
  'lib/duckdb/read.ts': "import { DuckDBInstance } from '@duckdb/node-api';\nimport { assert } from '../failure.ts';",
};
