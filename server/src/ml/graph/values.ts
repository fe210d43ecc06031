import type { TextColumn } from '../../lib/files/column.ts';
import type { ColumnContract, TableContract } from '../contract/contract.ts';
import { knownAtColumn } from '../contract/reserved.ts';
import { isFilledLater } from './as-of/values.ts';
import type { IndexedText, KeyLookup, KeyValue, ResolvedReference, Table, Tables } from './tables.ts';

const valueColumn: ColumnContract = {
  name: 'value',
  type: 'string',
  required: true,
  unique: true,
  planned: false,
  mutable: false,
  pii: false,
};

/**
 * Gives every text column that may be a category a table of its values, and makes the column a reference to that table.
 * What is known about a value (such as how often its rows had the label) is then read like what is known about any
 * other row. `except`: columns (`table.column`) to leave as they are. Columns that are filled in or changed later also
 * stay as they are, because a reference has no moment of its own. The result does not depend on the values present:
 * which columns are worth reading is decided from the rows known at the training cut.
 */
export function withValueTables(tables: Tables, except: readonly string[]): Tables {
  const extended = new Map<string, Table>();
  for (const table of tables.values()) {
    const references = new Map<string, ResolvedReference>(table.references);
    for (const contract of table.contract.columns) {
      const column = table.columns.get(contract.name);
      const name = `${table.name}.${contract.name}`;
      if (column?.kind !== 'text' || !mayBeCategory(table, contract) || except.includes(name)) continue;
      // Table names may contain dots: when a table already has this name, no value table is made.
      if (tables.has(name)) continue;
      const values = valueTable(name, column);
      extended.set(values.name, values);
      references.set(contract.name, { table: values.name, rows: column.codes, values: true });
    }
    extended.set(table.name, references.size === table.references.size ? table : { ...table, references });
  }
  return extended;
}

function mayBeCategory(table: Table, contract: ColumnContract): boolean {
  const { name, type, format, mutable, pii } = contract;
  if (type !== 'string' || format !== undefined || isFilledLater(table, name) || mutable || pii) return false;
  // For a table without its own date, whether rows were ever changed must not change which questions can be asked.
  if (table.versions && table.contract.knownAt !== knownAtColumn) return false;
  return !table.contract.key.includes(name) && !table.references.has(name);
}

function valueTable(name: string, column: TextColumn | IndexedText): Table {
  const rows = 'size' in column ? column.size : column.dictionary.length;
  const contract: TableContract = { name, key: ['value'], references: [], columns: [valueColumn] };
  return {
    contract,
    name,
    rows,
    columns: new Map<string, TextColumn>([
      [
        'value',
        {
          kind: 'text',
          codes: Int32Array.from({ length: rows }, (_, row) => row),
          get dictionary() {
            return column.dictionary;
          },
        },
      ],
    ]),
    rowOf: 'codeOf' in column ? { get: (key) => column.codeOf(String(key)) } : lookupIn(column),
    references: new Map(),
    values: true,
  };
}

/** Built on first use: only rows from outside are looked up by value, and a free-text column has very many values. */
function lookupIn(column: TextColumn): KeyLookup {
  let rowOf: Map<KeyValue, number> | undefined;
  return {
    get(key) {
      rowOf ??= new Map(column.dictionary.map((value, row) => [value, row]));
      return rowOf.get(key);
    },
  };
}
