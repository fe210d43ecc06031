import { expect, test } from 'vitest';
import type { ContractTable } from '../data/contract.ts';
import { type Head, headOfText } from '../uploads/head-of-file.ts';
import { definitionOfFile, type LineHints } from './definition-of-file.ts';

const hints: LineHints = {
  ...{ entity: (tables) => `which of ${tables}`, key: 'which key', time: 'which time', label: 'which label' },
  ...{ kind: 'which kind', metric: 'which metric', or: (others) => `or ${others}` },
  ...{ isoDays: 'as 2024-01-31', fewNumbers: 'or classes' },
};
const column = (name: string, more: object = {}) => ({ name, references: [], isKey: false, format: null, ...more });
const table = (name: string, columns: object[], eventTime: string | null = null) =>
  ({ name, columns, eventTime }) as unknown as ContractTable;
const tables = [
  table('customers', [column('customer_id', { isKey: true }), column('since', { format: 'dd/MM/yyyy' })]),
  table(
    'loans',
    [
      column('loan_id', { isKey: true }),
      column('customer_id', { references: [{ table: 'customers', column: 'customer_id' }] }),
      column('seller', { references: [{ table: 'sellers', column: 'id' }] }),
    ],
    'approved',
  ),
  table('sellers', [column('id', { isKey: true })]),
];
const headOf = (...lines: string[]): Head => headOfText(`${lines.join('\n')}\n`, 'csv', true)!;
const written = (...lines: string[]) =>
  definitionOfFile(headOf(...lines), tables, hints)
    .trimEnd()
    .split('\n');

test('a file of a key, a day and an answer is a whole definition', () => {
  expect(written('customer_id,as_of,churned', 'c1,2024-01-31,0', 'c2,2024-02-29 10:00:00,1', 'c3,2024-01-31,')).toEqual(
    [...['entity: customers', 'key: customer_id', 'time: as_of', 'label: churned', 'kind: binary', 'metric: auroc']],
  );
  expect(written('spent;when;Customer_ID', '1,5;2024-01-31;c1', '20;2024-01-31;c2')).toEqual([
    ...['entity: customers', 'key: Customer_ID', 'time: when', 'label: spent', 'kind: regression', 'metric: mae'],
  ]);
  expect(written('seller,date,next good', 's1,2024-01-31,bread', 's2,2024-01-31,fuel')).toEqual([
    ...['entity: sellers', 'key: seller', 'time: date', 'label: "next good"', 'kind: multiclass', 'metric: accuracy'],
  ]);
});

test('of several candidates one is taken, and the others are named', () => {
  const rows = ['l1,c1,2024-01-01,2024-01-02,a,yes', 'l2,c1,2024-01-01,2024-01-02,b,no'];
  expect(written('loan_id,customer_id,seen,approved,branch,bad', ...rows)).toEqual([
    'entity: loans  # or customers',
    'key: loan_id  # or customer_id',
    'time: approved  # or seen',
    'label: bad  # or branch',
    ...['kind: binary', 'metric: auroc'],
  ]);
  const grades = Array.from({ length: 30 }, (_, at) => `l${at},20240131,${at % 4}`);
  expect(written('loan_id,dt_base,grade', ...grades)).toEqual([
    ...['entity: loans', 'key: loan_id', 'time: dt_base  # as 2024-01-31', 'label: grade'],
    ...['kind: regression  # or classes', 'metric: mae'],
  ]);
});

test('what is not found is a line to be filled in, with what to write', () => {
  expect(written('cpf,date,late', '123,2024-01-31,true')).toEqual([
    ...['entity:  # which of customers, loans, sellers', 'key:  # which key', 'time: date', 'label: late  # or cpf'],
    ...['kind: binary', 'metric: auroc'],
  ]);
  expect(written('customer_id,date', 'c1,2024-01-31').slice(3)).toEqual([
    ...['label:  # which label', 'kind:  # which kind', 'metric:  # which metric'],
  ]);
  expect(written('customer_id,late', 'c1,0')[2]).toBe('time:  # which time');
  expect(definitionOfFile(null, [], hints)).toBe(
    'entity:  # which of \nkey:  # which key\ntime:  # which time\nlabel:  # which label\nkind:  # which kind\nmetric:  # which metric\n',
  );
});

test('days that are not written as the service reads them are marked, unless the contract names their form', () => {
  expect(written('customer_id;dia;saiu', 'c1;31/01/2024;0', 'c2;01/02/2024;1')[2]).toBe('time: dia  # as 2024-01-31');
  expect(written('customer_id;since;saiu', 'c1;31/01/2024;0')[2]).toBe('time: since');
});
