import type { ColumnContract, Contract, TableContract } from '../contract/contract.ts';
import { parseStoredContract } from '../contract/parse.ts';
import { knownAtColumn } from '../contract/reserved.ts';
import { personalColumns } from './layout.ts';
import type { Manifest } from './manifest.ts';

/**
 * The contract under which a snapshot is read. In a table with changed rows and no column that dates its versions,
 * `_known_at` dates them. When identifiers are stored as numbers, columns of personal data are left out.
 */
export function contractOf(manifest: Manifest): Contract {
  const contract = parseStoredContract(manifest.contract, 'the contract of the snapshot');
  const changed = new Set(
    manifest.tables.filter(({ parts }) => parts.some((part) => part.changed > 0)).map(({ name }) => name),
  );
  const read = (table: TableContract): TableContract => {
    const personal = manifest.numbered === undefined ? [] : personalColumns(table);
    const columns = table.columns.filter(({ name }) => !personal.includes(name));
    return table.knownAt !== undefined || !changed.has(table.name)
      ? { ...table, columns }
      : { ...table, knownAt: knownAtColumn, columns: [...columns, knownAtContract] };
  };
  return { ...contract, tables: contract.tables.map(read) };
}

const knownAtContract: ColumnContract = {
  name: knownAtColumn,
  type: 'timestamp',
  required: false,
  unique: false,
  planned: false,
  mutable: false,
  pii: false,
};
