import { Failure } from '../../lib/failure.ts';
import type { Rows } from '../../lib/files/column.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import type { Notice } from '../contract/notices.ts';
import { indexKeys, keyValue, resolveKeys } from './keys.ts';
import type { KeyLookup, ResolvedReference, Table, Tables } from './tables.ts';
import { openTimes } from './times.ts';
import { orderVersions } from './versions.ts';

/**
 * When a smaller share of a reference's values match, the contract is taken to be wrong rather than the data dirty, as
 * where files are taken in. Partners outside the file are common: what matches is read, and the rest is warned of.
 */
export const referenceMatchMin = 0.1;

/**
 * Builds linked tables from rows already in memory. Warnings are appended to `warnings`; see `loadTables` for errors.
 * `matchMin`: the smallest share of a reference's values that must be keys of the referenced table.
 */
export function linkTables(
  contract: Contract,
  rowsOf: ReadonlyMap<string, Rows>,
  warnings: Notice[],
  matchMin = referenceMatchMin,
): Tables {
  const tables = new Map<string, Table>();
  const keys = new Map<string, KeyLookup>();
  for (const table of contract.tables) {
    const rows = rowsOf.get(table.name) ?? { rows: 0, columns: new Map() };
    keys.set(table.name, indexKeys(table, rows, warnings));
  }
  const references = new Map<string, Map<string, ResolvedReference>>();
  for (const table of contract.tables) {
    const rows = rowsOf.get(table.name);
    if (rows) references.set(table.name, resolveReferences(table, rows, keys, warnings, matchMin));
  }
  const timeOf = openTimes(contract, rowsOf, references);
  for (const table of contract.tables) {
    const rows = rowsOf.get(table.name);
    if (!rows) continue;
    const time = timeOf(table.name);
    const rowOf = keys.get(table.name)!;
    const versions = table.knownAt ? orderVersions(table, rows, time) : undefined;
    tables.set(table.name, {
      contract: table,
      name: table.name,
      rows: rows.rows,
      columns: rows.columns,
      rowOf,
      references: references.get(table.name)!,
      ...(time ? { time } : {}),
      ...(versions ? { versions } : {}),
    });
  }
  return tables;
}

function resolveReferences(
  table: TableContract,
  rows: Rows,
  keys: ReadonlyMap<string, KeyLookup>,
  warnings: Notice[],
  matchMin: number,
): Map<string, ResolvedReference> {
  const resolved = new Map<string, ResolvedReference>();
  for (const reference of table.references) {
    const column = rows.columns.get(reference.column);
    const rowOf = keys.get(reference.table);
    if (!column || !rowOf) continue;
    const target = resolveKeys(column, rows.rows, rowOf);
    let filled = 0;
    let matched = 0;
    for (let row = 0; row < rows.rows; row++) {
      if (keyValue(column, row) === null) continue;
      filled++;
      if (target[row] >= 0) matched++;
    }
    if (filled > 0 && matched < filled * matchMin) {
      throw new Failure(
        'invalid',
        `table ${table.name}: only ${matched} of ${filled} values of ${reference.column} are keys of ${reference.table}.${reference.key}; check the types of both columns, or take the reference out of the contract`,
      );
    }
    if (matched < filled) {
      warnings.push({
        ...{ code: 'unmatched', table: table.name, column: reference.column, rows: filled - matched, of: filled },
        to: `${reference.table}.${reference.key}`,
      });
    }
    resolved.set(reference.column, { table: reference.table, rows: target });
  }
  return resolved;
}
