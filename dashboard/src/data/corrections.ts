import type { ContractColumn, ContractTable } from './contract.ts';
import type { Guess } from './report.ts';

/** Of the part of a page that says what becomes of corrections. */
export const correctionsId = 'corrections';

export const columnFields = [
  ...([
    'type',
    'format',
    'decimalSeparator',
    'minimum',
    'maximum',
    'unit',
    'isKey',
    'isIdentifier',
    'reference',
  ] as const),
  ...(['isPersonal', 'knownFrom', 'isPlanned', 'isMutable'] as const),
];
export type ColumnField = (typeof columnFields)[number];
export const tableFields = ['entityKind', 'eventTime'] as const;
export type TableField = (typeof tableFields)[number];

/** What a field of a table (`column` is null) or column is to say; '' is to say nothing. */
export type Correction =
  | { readonly table: string; readonly column: string; readonly field: ColumnField; readonly value: string | boolean }
  | { readonly table: string; readonly column: null; readonly field: TableField; readonly value: string };

export const columnTypes = ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time'] as const;
/** How days and moments may be written besides ISO 8601. */
export const dateForms: readonly string[] = [
  ...['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy/MM/dd', 'yyyyMMdd'],
  ...['epoch_seconds', 'epoch_milliseconds'],
];
export const isDated = (type: string): boolean => type === 'date' || type === 'timestamp';
export const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';

/** What a field of a column says now, as a correction would. */
export function columnValue(column: ContractColumn, field: ColumnField): string | boolean {
  if (field === 'reference') return column.references.map(({ table, column: key }) => `${table}.${key}`).join(', ');
  // Of texts it is a format that is not corrected here.
  if (field === 'format') return dateForms.includes(column.format ?? '') ? column.format! : '';
  if (field === 'isIdentifier') return column.format === 'identifier';
  if (field === 'minimum' || field === 'maximum') return column[field] === null ? '' : String(column[field]);
  return column[field] ?? '';
}

export const tableValue = (table: ContractTable, field: TableField): string => table[field] ?? '';

/** The kinds of guesses, by what they are about. */
export const guessKinds: Readonly<Partial<Record<ColumnField | TableField, string>>> = {
  ...{
    type: 'type',
    format: 'type',
    decimalSeparator: 'type',
    minimum: 'range',
    isKey: 'key',
    isIdentifier: 'format',
    reference: 'reference',
    isPersonal: 'pii',
    knownFrom: 'knownFrom',
  },
  ...{ isPlanned: 'planned', entityKind: 'entityKind', eventTime: 'time' },
};

/** What is said by now of what was guessed, where that is something else. */
export function saidInstead(
  { kind, column: name }: Guess,
  table: ContractTable,
  before: ContractTable,
): readonly (readonly [ColumnField | TableField, string | boolean])[] {
  const [column, old] = [table, before].map(({ columns }) => columns.find((one) => one.name === name));
  const said =
    name === null
      ? tableFields.map((field) => [field, tableValue(table, field), tableValue(before, field)] as const)
      : column && old
        ? columnFields.map((field) => [field, columnValue(column, field), columnValue(old, field)] as const)
        : [];
  return said.flatMap(([field, now, was]) => (guessKinds[field] === kind && now !== was ? [[field, now]] : []));
}

/**
 * What follows from corrections: where rows are said to be no people, names that were taken for those of people are no
 * personal data, but for columns of which somebody says it by hand.
 */
export function impliedBy(corrections: readonly Correction[], guesses: readonly Guess[]): readonly Correction[] {
  return guesses.flatMap(({ table, column, kind, because = [] }): readonly Correction[] => {
    const isByTable = kind === 'pii' && because.some(({ code }) => code === 'table_of_people');
    if (column === null || !isByTable) return [];
    const own = corrections.filter((one) => one.table === table);
    const rowsAre = own.find(({ field }) => field === 'entityKind')?.value ?? '';
    const isByHand = own.some((one) => one.column === column && one.field === 'isPersonal');
    if (rowsAre === '' || rowsAre === 'individual' || isByHand) return [];
    return [{ table, column, field: 'isPersonal', value: false }];
  });
}
