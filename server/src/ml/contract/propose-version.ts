import type { ColumnContract, Contract, TableContract } from './contract.ts';
import type { DeviatingValue } from './deviation.ts';
import { type Change, diffContracts } from './diff.ts';
import type { Rename } from './renames.ts';
import { isReserved } from './reserved.ts';
import type { ColumnType } from './rules.ts';
import { validateContract } from './validate.ts';

export type StructureChange =
  | { readonly rule: 'missing_column'; readonly column: ColumnContract }
  | ({ readonly rule: 'renamed_column' } & Rename)
  | {
      readonly rule: 'unknown_column';
      readonly name: string;
      readonly type: ColumnType;
      readonly missing: readonly string[];
    }
  | {
      readonly rule: 'changed_type';
      readonly column: ColumnContract;
      readonly to: ColumnType;
      readonly count: number;
      readonly samples: readonly DeviatingValue[];
    }
  | {
      readonly rule: 'new_values';
      readonly column: ColumnContract;
      readonly values: readonly string[];
      readonly count: number;
      readonly samples: readonly DeviatingValue[];
    };

/**
 * The next version of a contract, in which one table has the structure of a file: a column under another name keeps its
 * own, and gets that as an alias. Null when that would be no valid
 * contract: the file lacks a key column or the column that dates the rows, or has a column with a reserved name.
 */
export function proposeVersion(
  contract: Contract,
  table: TableContract,
  changes: readonly StructureChange[],
): { contract: Contract; changes: Change[] } | null {
  if (changes.some((change) => change.rule === 'unknown_column' && isReserved(change.name))) return null;
  let columns = [...table.columns];
  for (const change of changes) {
    if (change.rule === 'renamed_column')
      columns = columns.map((column) => (column === change.column ? alsoNamed(column, change.name) : column));
    else if (change.rule === 'missing_column') columns = columns.filter((column) => column !== change.column);
    else if (change.rule === 'unknown_column') columns.push(newColumn(change));
    else if (change.rule === 'new_values')
      columns = columns.map((column) => (column === change.column ? alsoListing(column, change.values) : column));
    else columns = columns.map((column) => (column === change.column ? retype(column, change.to) : column));
  }
  const names = new Set(columns.map((column) => column.name));
  columns = columns.map((column) => {
    if (column.knownFrom === undefined || names.has(column.knownFrom)) return column;
    const { knownFrom: _gone, ...rest } = column;
    return rest;
  });
  const next: TableContract = {
    ...table,
    references: table.references.filter((reference) => names.has(reference.column)),
    columns,
  };
  const proposed = { ...contract, tables: contract.tables.map((other) => (other.name === table.name ? next : other)) };
  // A contract without the key cannot be proposed: rows could no longer be told apart.
  if (table.key.some((name) => !names.has(name)) || validateContract(proposed).length > 0) return null;
  const difference = diffContracts(contract, proposed);
  const isBreaking = difference.some((change) => change.breaking);
  return { contract: { ...proposed, version: nextVersion(contract.version, isBreaking) }, changes: difference };
}

/** `3` → `4`; `1.2.0` → `2.0.0` when breaking, else `1.3.0`; any other text gets `-next`. */
export function nextVersion(version: string, isBreaking: boolean): string {
  const parts = version.split('.');
  if (!parts.every((part) => /^\d{1,9}$/.test(part))) return `${version}-next`;
  const raised = isBreaking || parts.length === 1 ? 0 : 1;
  return parts.map((part, i) => (i < raised ? part : i === raised ? String(Number(part) + 1) : '0')).join('.');
}

/** The column with its rules, which files may have under another name too. */
function alsoNamed(column: ColumnContract, name: string): ColumnContract {
  return { ...column, aliases: [...(column.aliases ?? []), name] };
}

/** The column with further values in its list of allowed ones. */
function alsoListing(column: ColumnContract, values: readonly string[]): ColumnContract {
  return { ...column, enum: [...(column.enum ?? []), ...values] };
}

function newColumn({
  name,
  type,
  missing,
}: {
  name: string;
  type: ColumnType;
  missing: readonly string[];
}): ColumnContract {
  const base = { name, ...type, required: false, unique: false, planned: false, mutable: false, pii: false };
  return missing.length === 0 ? base : { ...base, missingValues: missing };
}

/** The column with another type, without the rules that do not apply to that type. */
function retype(column: ColumnContract, { type, dateForm, decimalSeparator }: ColumnType): ColumnContract {
  const { minimum, maximum, pattern, format, enum: values, dateForm: _was, decimalSeparator: _wrote, ...rest } = column;
  const isNumeric = type === 'integer' || type === 'number';
  const isDated = type === 'date' || type === 'timestamp';
  return {
    ...rest,
    type,
    ...(dateForm !== undefined && { dateForm }),
    ...(decimalSeparator !== undefined && { decimalSeparator }),
    planned: column.planned && isDated,
    ...(isNumeric && minimum !== undefined && { minimum }),
    ...(isNumeric && maximum !== undefined && { maximum }),
    ...(isNumeric && format === 'money' && { format }),
    ...(type === 'string' && values !== undefined && { enum: values }),
  };
}
