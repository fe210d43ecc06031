import { expect, test } from 'vitest';
import { headOfText } from '../uploads/head-of-file.ts';
import type { ContractColumn, ContractTable } from './contract.ts';
import { placingOf } from './guess-placing.ts';

const table = (name: string, ...columns: readonly string[]) =>
  ({
    name,
    columns: columns.map((column) => ({
      ...{ name: column.replace('!', ''), aliases: column === 'id!' ? ['Código'] : [] },
      isRequired: column.endsWith('!'),
    })) as unknown as ContractColumn[],
  }) as unknown as ContractTable;
const tables = [
  table('Loan', 'id!', 'amount', 'paid'),
  table('customer', 'id!', 'name'),
  table('late-without-faults', 'day!'),
];
const tableOf = (name: string, header?: string) =>
  placingOf(name, tables, header === undefined ? null : headOfText(`${header}\n1\n`, 'csv', true)).table;

test('a file is for the table of its name, and so are rows that were taken out of it', () => {
  expect(tableOf('LOAN.csv.gz')).toBe('Loan');
  for (const taken of ['without-faults', 'rows-to-correct', 'sem-erros', 'linhas-a-corrigir', 'without-faults (1)'])
    expect(tableOf(`loan-${taken}.csv`), taken).toBe('Loan');
  expect(tableOf('late-without-faults.csv')).toBe('late-without-faults');
  expect(tableOf('payments-sem-erros.csv')).toBe('payments');
});

test('a file of another name is for the only table that has its columns', () => {
  expect(tableOf('2024.csv', 'ID,amount')).toBe('Loan');
  expect(tableOf('2024.csv', 'código,name')).toBe('customer');
  // Two have them, one lacks one, and one requires another.
  for (const header of ['id', 'id,name,age', 'amount,paid']) expect(tableOf('2024.csv', header), header).toBe('2024');
});

test('a file is taken in as those of its table were', () => {
  expect(placingOf('loan.csv', tables, null, new Map([['Loan', 'upsert']])).mode).toBe('upsert');
  expect(placingOf('loan.csv', tables).mode).toBe('append');
});
