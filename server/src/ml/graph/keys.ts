import { documentSpellings, isCnpj, isCpf } from '../../lib/brazil-documents.ts';
import { Failure } from '../../lib/failure.ts';
import { type Column, type Rows, type TextColumn, toDoubles } from '../../lib/files/column.ts';
import type { TableContract } from '../contract/contract.ts';
import type { Notice } from '../contract/notices.ts';
import { numberKeys, numberSlots } from './number-keys.ts';
import type { KeyLookup, KeyValue } from './tables.ts';

/** The value of a key or reference column at a row, in the form `Table.rowOf` takes; null when missing. */
export function keyValue(column: Column, row: number): KeyValue | null {
  if (column.kind === 'text') return column.codes[row] < 0 ? null : column.dictionary[column.codes[row]];
  const value = column.values[row];
  return Number.isNaN(value) ? null : value;
}

/**
 * Maps each value of a table's key to its first row. The map is empty unless the key is one column. Warns how many rows
 * repeat a key in a table that keeps no versions. Throws Failure 'invalid' when the key column is missing.
 */
export function indexKeys(table: TableContract, rows: Rows, warnings: Notice[]): KeyLookup {
  if (table.key.length !== 1) return new Map();
  const column = rows.columns.get(table.key[0]);
  if (!column) throw new Failure('invalid', `table ${table.name}: key column ${table.key[0]} is missing`);
  const { rowOf, repeated } = column.kind === 'text' ? indexTexts(column) : indexNumbers(toDoubles(column.values));
  if (repeated > 0 && !table.knownAt) {
    warnings.push({ code: 'repeated_keys', table: table.name, column: table.key[0], rows: repeated });
  }
  return rowOf;
}

type Indexed = { readonly rowOf: KeyLookup; readonly repeated: number };

function indexTexts({ codes, dictionary }: TextColumn): Indexed {
  const rowOf = new Map<KeyValue, number>();
  let repeated = 0;
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] < 0) continue;
    const key = dictionary[codes[row]];
    if (rowOf.has(key)) repeated++;
    else rowOf.set(key, row);
  }
  return { rowOf, repeated };
}

function indexNumbers(values: Float64Array): Indexed {
  const slots = numberSlots(values);
  let repeated = 0;
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) repeated++;
  for (let slot = 0; slot < slots.length; slot++) if (slots[slot] !== 0) repeated--;
  return { rowOf: numberKeys(values, slots), repeated };
}

/** The row number of each key in `column`, -1 where the key is missing or unknown. */
export function resolveKeys(column: Column, rows: number, rowOf: KeyLookup): Int32Array {
  const target = new Int32Array(rows).fill(-1);
  if (column.kind === 'text') {
    const byCode = Int32Array.from(column.dictionary, (value) => rowOf.get(value) ?? -1);
    for (let row = 0; row < rows; row++) if (column.codes[row] >= 0) target[row] = byCode[column.codes[row]];
  } else {
    for (let row = 0; row < rows; row++) {
      const value = column.values[row];
      if (!Number.isNaN(value)) target[row] = rowOf.get(value) ?? -1;
    }
  }
  return target;
}

/**
 * As `resolveKeys`, for keys that somebody sent: a CPF or CNPJ that is not there as it is written is looked for with
 * and without its punctuation too.
 */
export function findKeys(column: Column, rows: number, rowOf: KeyLookup): Int32Array {
  return resolveKeys(column, rows, { get: (key) => rowOf.get(key) ?? otherwiseWritten(key, rowOf) });
}

function otherwiseWritten(key: KeyValue, rowOf: KeyLookup): number | undefined {
  if (typeof key !== 'string' || !(isCpf(key) || isCnpj(key))) return undefined;
  for (const spelling of documentSpellings(key)) {
    const row = rowOf.get(spelling);
    if (row !== undefined) return row;
  }
  return undefined;
}
