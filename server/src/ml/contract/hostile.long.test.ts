/** Texts of twice the size take about twice as long. */
import { expect, test } from 'vitest';
import { Failure } from '../../lib/failure.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { diffContracts } from './diff.ts';
import { parseContract } from './parse.ts';
import { readYaml } from './yaml.ts';

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
