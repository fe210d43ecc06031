import type { ContractColumn, ContractTable } from './contract.ts';

export const columnFields = [
  ...(['type', 'format', 'decimalSeparator', 'minimum', 'maximum', 'unit', 'isKey', 'reference'] as const),
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
  if (field === 'minimum' || field === 'maximum') return column[field] === null ? '' : String(column[field]);
  return column[field] ?? '';
}

export const tableValue = (table: ContractTable, field: TableField): string => table[field] ?? '';

/** The kinds of guesses, by what they are about. */
export const guessKinds: Readonly<Partial<Record<ColumnField | TableField, string>>> = {
  ...{
    type: 'type',
    format: 'format',
    decimalSeparator: 'type',
    minimum: 'range',
    isKey: 'key',
    reference: 'reference',
    isPersonal: 'pii',
    knownFrom: 'knownFrom',
  },
  ...{ isPlanned: 'planned', entityKind: 'entityKind', eventTime: 'time' },
};
