/**
 * The law of imports, kept by reading the source as text: a guard, not a proof. What each folder owns is in
 * ARCHITECTURE.md, and what it may import in `law/places.ts`; a new outside package is let in by naming its door there.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { breaches } from './law/breaches.ts';
import { cyclesIn } from './law/circles.ts';
import { floors, rooms } from './law/places.ts';
import {
  importsIn,
  loadedBy,
  loads,
  repository,
  serverSource,
  sourceOf,
  type Tree,
  withoutComments,
} from './law/source.ts';

/** Of learning, what reads a contract, a task or a query from text, or a folder that has one. */
const parsers =
  /^ml\/(contract\/(parse|yaml|write)|tasks\/parse-[\w-]+|lake\/(contract-of|load)|version\/version|rfm\/(folder|open)|export\/export)\.ts$/;

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
