import type { Column, Rows } from '../../lib/files/column.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import type { Contract, EntityKind, TableContract } from '../contract/contract.ts';
import { columnRequests } from '../graph/load.ts';
import type { IdentifierBook } from './identifiers.ts';

/** How the rows of a table are kept. */
export type Layout = {
  /** How a customer's file is read. */
  readonly read: readonly ColumnRequest[];
  /** The columns of a part, and how it is read. */
  readonly kept: readonly ColumnRequest[];
  /** The columns that hold numbers of the dictionary in place of names, and whose. */
  readonly numbered: ReadonlyMap<string, EntityKind>;
};

/** Things that have a name of their own; events are known by what they are part of. */
const namedKinds: ReadonlySet<EntityKind> = new Set(['company', 'individual', 'asset']);

export function layoutOf(contract: Contract, table: TableContract, isNumbered: boolean): Layout {
  const read = columnRequests(contract, table);
  if (!isNumbered) return { read, kept: read, numbered: new Map() };
  const personal = personalColumns(table);
  const numbered = numberedColumns(contract, table);
  const own = read.filter(({ name }) => !personal.includes(name));
  return {
    read: own,
    kept: own.map((request) => (numbered.has(request.name) ? asNumber(request) : request)),
    numbered,
  };
}

/** No number of the dictionary stands for a missing name. */
function asNumber({ missing: _, ...request }: ColumnRequest): ColumnRequest {
  return { ...request, type: 'integer' };
}

/** The keys of named entities, and the references to them. */
export function numberedColumns(contract: Contract, table: TableContract): Map<string, EntityKind> {
  const kindOf = ({ key, entityKind }: TableContract): EntityKind | null =>
    key.length === 1 && entityKind !== undefined && namedKinds.has(entityKind) ? entityKind : null;
  const numbered = new Map<string, EntityKind>();
  const own = kindOf(table);
  if (own !== null) numbered.set(table.key[0], own);
  for (const { column, table: name } of table.references) {
    const kind = kindOf(contract.tables.find((other) => other.name === name)!);
    // A key that also refers is a name of its own table first.
    if (kind !== null && !numbered.has(column)) numbered.set(column, kind);
  }
  return numbered;
}

/**
 * Keys, as `table.column`, of tables that others refer to, by which nothing can be erased: their names are kept as they
 * come.
 */
export function plainKeys({ tables }: Contract): string[] {
  const isReferenced = ({ name }: TableContract) =>
    tables.some(({ references }) => references.some(({ table }) => table === name));
  return tables
    .filter((table) => table.entityKind === undefined && table.key.length === 1 && isReferenced(table))
    .map(({ name, key }) => `${name}.${key[0]}`);
}

/** Columns of personal data by which nothing is found or dated. */
export function personalColumns({ columns, key, references, time, knownAt }: TableContract): string[] {
  const needed = new Set<string | undefined>([
    ...key,
    ...references.map(({ column }) => column),
    ...(time && 'column' in time ? [time.column, time.clock] : []),
    knownAt,
    ...columns.map(({ knownFrom }) => knownFrom),
  ]);
  return columns.filter(({ name, pii }) => pii && !needed.has(name)).map(({ name }) => name);
}

/** A contract without the columns of personal data that are not kept. */
export function keptContract(contract: Contract): Contract {
  return {
    ...contract,
    tables: contract.tables.map((table) => {
      const personal = personalColumns(table);
      return { ...table, columns: table.columns.filter(({ name }) => !personal.includes(name)) };
    }),
  };
}

/** Rows as they are kept: names become numbers, new ones in order of appearance. */
export function translate(rows: Rows, { numbered }: Layout, book: IdentifierBook): Rows {
  if (numbered.size === 0) return rows;
  const columns = new Map<string, Column>();
  for (const [name, column] of rows.columns) {
    const kind = numbered.get(name);
    columns.set(name, kind === undefined ? column : numbersOf(column, rows.rows, kind, book));
  }
  return { rows: rows.rows, columns };
}

function numbersOf(column: Column, rows: number, kind: EntityKind, book: IdentifierBook): Column {
  const values = new Float64Array(rows).fill(Number.NaN);
  if (column.kind === 'text') {
    const numbers = Float64Array.from(column.dictionary, (text) => book.numberFor(kind, text));
    for (let row = 0; row < rows; row++) if (column.codes[row] >= 0) values[row] = numbers[column.codes[row]];
  } else {
    for (let row = 0; row < rows; row++) {
      const value = column.values[row];
      if (!Number.isNaN(value)) values[row] = book.numberFor(kind, String(value));
    }
  }
  return { kind: 'number', values };
}
