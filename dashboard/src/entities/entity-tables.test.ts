import { expect, test } from 'vitest';
import { entityTables, firstSearched, hasPersonalKey } from './entity-tables.ts';

const key = { isKey: true, references: [] };
const table = (name: string, entityKind: string | null, to: readonly string[] = [], keys = 1) => ({
  ...{ name, entityKind },
  columns: [
    ...Array.from({ length: keys }, () => key),
    { isKey: false, references: to.map((one) => ({ table: one, column: 'id' })) },
  ],
});

test('tables of entities have a key of one column, and a kind or rows of others that refer to them', () => {
  const tables = [
    table('payments', 'event', ['customers', 'branches']),
    table('rates', null),
    table('days', 'other', [], 2),
    table('customers', 'company'),
    table('branches', null),
  ];
  // The first one is chosen: it is none of events.
  expect(entityTables(tables)).toEqual(['customers', 'branches', 'payments']);
});

test('a key is personal by its own mark or format, and not by those of other columns', () => {
  const column = (isKey: boolean, isPersonal: boolean, format: string | null = null) => ({ isKey, isPersonal, format });
  const isOf = (...columns: ReturnType<typeof column>[]) => hasPersonalKey({ columns });
  expect(isOf(column(true, true))).toBe(true);
  expect(isOf(column(true, false, 'cpf'))).toBe(true);
  expect(isOf(column(true, false, 'cnpj'), column(false, true), column(false, false, 'email'))).toBe(false);
});

test('the table that was looked at last is searched first, else one whose keys are listed where there is one', () => {
  const tables = ['customers', 'cards', 'payments'];
  expect(firstSearched(tables, ['customers'], undefined)).toBe('cards');
  expect(firstSearched(tables, ['customers'], 'customers')).toBe('customers');
  expect(firstSearched(tables, [], 'gone')).toBe('customers');
  expect(firstSearched(tables, tables, undefined)).toBe('customers');
});
