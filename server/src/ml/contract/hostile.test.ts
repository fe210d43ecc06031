import { expect, test } from 'vitest';
import { Failure } from '../../lib/failure.ts';
import { parseContract } from './parse.ts';
import { readYaml, yamlProblemsMax } from './yaml.ts';

const lengthMax = 1_000_000;
const filled = (piece: string) => piece.repeat(Math.floor(lengthMax / piece.length));
const keys = (count: number) => Array.from({ length: count }, (_, at) => `key${at}: 1`).join('\n');

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

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
