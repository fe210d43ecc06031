import { Failure } from '../../lib/failure.ts';
import type { Column, Rows } from '../../lib/files/column.ts';
import type { TableContract } from '../contract/contract.ts';
import type { KeyLookup, KeyValue } from './tables.ts';

/** The value of a key or reference column at a row, as `Table.rowOf` spells it; null when missing. */
export function keyValue(column: Column, row: number): KeyValue | null {
  if (column.kind === 'text') return column.codes[row] < 0 ? null : column.dictionary[column.codes[row]];
  const value = column.values[row];
  return Number.isNaN(value) ? null : value;
}

/**
 * The first row of each value of a table's key; empty unless that is one column. Warnings say how many rows repeat a key of a table
 * that keeps no versions. Throws Failure 'invalid' when the column is missing.
 */
export function indexKeys(table: TableContract, rows: Rows, warnings: string[]): Map<KeyValue, number> {
  const rowOf = new Map<KeyValue, number>();
  if (table.key.length !== 1) return rowOf;
  const column = rows.columns.get(table.key[0]);
  if (!column) throw new Failure('invalid', `table ${table.name}: key column ${table.key[0]} is missing`);
  let repeated = 0;
  for (let row = 0; row < rows.rows; row++) {
    const key = keyValue(column, row);
    if (key === null) continue;
    if (rowOf.has(key)) repeated++;
    else rowOf.set(key, row);
  }
  if (repeated > 0 && !table.knownAt) {
    warnings.push(
      `table ${table.name}: ${repeated} rows repeat a key of ${table.key[0]}; references lead to the first of them`,
    );
  }
  return rowOf;
}

/** Row numbers of the keys in `column`, -1 where there is none. */
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
