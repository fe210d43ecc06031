import { expect, test } from 'vitest';
import { Failure } from '../../lib/failure.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { diffContracts } from './diff.ts';
import { parseContract } from './parse.ts';
import { readYaml, yamlProblemsMax } from './yaml.ts';

const lengthMax = 1_000_000;
const filled = (piece: string) => piece.repeat(Math.floor(lengthMax / piece.length));
const keys = (count: number) => Array.from({ length: count }, (_, at) => `key${at}: 1`).join('\n');

/** The tables of a contract whose columns refer to each other as densely as a valid one may. */
function contractText(tables: number, columns: number): string {
  const one = (table: number) => [
    `  - name: t${table}`,
    '    properties:',
    '      - { name: id, logicalType: string, primaryKey: true }',
    '      - { name: at, logicalType: date }',
    ...Array.from({ length: columns - 2 }, (_, column) => {
      const relationships = `relationships: [{ to: t${(table + 1) % tables}.id }]`;
      const custom = 'customProperties: [{ property: knownFrom, value: at }]';
      return `      - { name: c${column}, logicalType: string, ${column % 2 === 0 ? relationships : custom} }`;
    }),
  ];
  const head = ['apiVersion: v3.1.0', 'kind: DataContract', 'id: wide', 'version: "1"', 'schema:'];
  return [...head, ...Array.from({ length: tables }, (_, table) => one(table)).flat()].join('\n');
}

function shortest(work: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 6; time++) {
    const start = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A quadratic reader takes four times as long for a text of twice the length. */
const doubledMax = 3;

test.each<[string, (size: number) => () => unknown]>([
  ['a map', (size) => () => readYaml(keys(size * 5_000))],
  ['a task of unknown fields', (size) => () => parseTask(`PREDICTED: 1\n${keys(size * 2_000)}`, 'x', 'x')],
  ['many tables', (size) => () => parseContract(contractText(size * 250, 4), 'x')],
  ['many columns', (size) => () => parseContract(contractText(1, size * 1_000), 'x')],
  ['fields that are not known', (size) => () => parseContract(`kind: DataContract\n${keys(size * 3_000)}`, 'x')],
  [
    'differences',
    (size) => {
      const [a, b] = [contractText(2, size * 800), contractText(3, size * 800)].map((text) => parseContract(text, 'x'));
      return () => Array.from({ length: 5 }, () => diffContracts(a, b));
    },
  ],
])('%s of twice the size takes at most three times as long', (_, sized) => {
  const quietly = (work: () => unknown) => () => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  };
  const [once, twice] = [quietly(sized(2)), quietly(sized(4))];
  once();
  expect(shortest(twice) / shortest(once)).toBeLessThan(doubledMax);
});

test.each<[string, string, string]>([
  ['lists in lists', filled('['), 'nests deeper than'],
  ['lists in lists that end', '['.repeat(lengthMax / 2) + ']'.repeat(lengthMax / 2), 'nests deeper than'],
  ['maps in maps', filled('{a: '), 'nests deeper than'],
  ['dashes on a line', filled('- '), 'nests deeper than'],
  ['questions on a line', filled('? '), 'nests deeper than'],
  [
    'steps of one blank',
    Array.from({ length: 1_400 }, (_, at) => `${' '.repeat(at)}a:\n`).join(''),
    'nests deeper than',
  ],
  ['numbers', `[${filled('1,')}`, 'tokens'],
  ['anchors', filled('- &a 1\n'), 'anchors, aliases, tags'],
  ['anchors on a line', filled('&a '), 'anchors, aliases, tags'],
  ['tags', filled('- !a 1\n'), 'anchors, aliases, tags'],
  ['directives', filled('%a\n'), 'anchors, aliases, tags'],
])('a text of nothing but %s is refused', (_, text, why) => {
  const { code, message } = failureOf(() => readYaml(text));
  expect(code).toBe('limit_exceeded');
  expect(message).toContain(why);
});

test('aliases of aliases are not followed', () => {
  const rows = [...'bcdefghi'].map(
    (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]`,
  );
  const { problems } = readYaml(['a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]', ...rows].join('\n'));
  expect(problems()[0].message).toMatch(/alias/i);
});

test('a key that its map has already is told with its place', () => {
  expect(readYaml('a: 1\nb:\n  - c: 1\n    d: 2\n    c: 3\n').problems()).toEqual([
    { at: 'line 5, column 5', message: 'Map keys must be unique' },
  ]);
  expect(readYaml('"1": 1\n1: 2\n').problems()).toEqual([]);
});

test('of very many problems some are told, and how many more there are', () => {
  const problems = failureOf(() => parseContract(`kind: DataContract\n${keys(5_000)}`, 'x')).problems;
  expect(problems).toHaveLength(yamlProblemsMax + 1);
  expect(problems.at(-1)!.message).toMatch(/^49\d\d more problems$/);
});
