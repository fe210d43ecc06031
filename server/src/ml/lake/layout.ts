import type { Column, Rows } from '../../lib/files/column.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import { valueText } from '../../lib/files/value-text.ts';
import { valueOfText } from '../../lib/files/values.ts';
import type { Contract, EntityKind, TableContract } from '../contract/contract.ts';
import { columnRequests } from '../graph/load.ts';
import type { IdentifierBook } from './identifiers.ts';

/** How the rows of a table are stored. */
export type Layout = {
  /** The columns to read from a customer's file. */
  readonly read: readonly ColumnRequest[];
  /** The columns of a part, as written and read. */
  readonly kept: readonly ColumnRequest[];
  /** The columns that hold dictionary numbers in place of identifiers, and the kind of entity of each. */
  readonly numbered: ReadonlyMap<string, EntityKind>;
};

/** Kinds with an identifier of their own. Events are identified by what they belong to. */
const namedKinds: ReadonlySet<EntityKind> = new Set(['company', 'individual', 'asset']);

export function layoutOf(contract: Contract, table: TableContract, isNumbered: boolean): Layout {
  const read = columnRequests(contract, table);
  if (!isNumbered) return { read, kept: read.map(stored), numbered: new Map() };
  const personal = personalColumns(table);
  const numbered = numberedColumns(contract, table);
  const own = read.filter(({ name }) => !personal.includes(name));
  return {
    read: own,
    kept: own.map((request) => stored(numbered.has(request.name) ? asNumber(request) : request)),
    numbered,
  };
}

/**
 * Parts have the names of the contract alone, and moments in place of what a form says: so have the texts for missing
 * values, which may have been added since.
 */
function stored({ aliases: _, form, ...request }: ColumnRequest): ColumnRequest {
  const { type, missing } = request;
  if (form === undefined || missing === undefined || type === 'string') return request;
  const write = valueText(type);
  const values = missing.map((text) => [text, valueOfText(type, text, form)] as const);
  return { ...request, missing: values.map(([text, value]) => (Number.isNaN(value) ? text : write(value))) };
}

/** A dictionary number never stands for a missing value, so `missing` is dropped. */
function asNumber({ missing: _, ...request }: ColumnRequest): ColumnRequest {
  return { ...request, type: 'integer' };
}

/** The columns with the keys of named entities and the references to them, each with the kind of entity. */
export function numberedColumns(contract: Contract, table: TableContract): Map<string, EntityKind> {
  const kindOf = ({ key, entityKind }: TableContract): EntityKind | null =>
    key.length === 1 && entityKind !== undefined && namedKinds.has(entityKind) ? entityKind : null;
  const numbered = new Map<string, EntityKind>();
  const own = kindOf(table);
  if (own !== null) numbered.set(table.key[0], own);
  for (const { column, table: name } of table.references) {
    const kind = kindOf(contract.tables.find((other) => other.name === name)!);
    // A key that is also a reference is an identifier of its own table first.
    if (kind !== null && !numbered.has(column)) numbered.set(column, kind);
  }
  return numbered;
}

/**
 * Keys, as `table.column`, of referenced tables without an entity kind. Nothing can be erased by them: their values are
 * stored as they come.
 */
export function plainKeys({ tables }: Contract): string[] {
  const isReferenced = ({ name }: TableContract) =>
    tables.some(({ references }) => references.some(({ table }) => table === name));
  return tables
    .filter((table) => table.entityKind === undefined && table.key.length === 1 && isReferenced(table))
    .map(({ name, key }) => `${name}.${key[0]}`);
}

/** Columns of personal data that are neither needed to identify and link rows nor to date them. */
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

/** The contract without the columns of personal data that are not stored. */
export function keptContract(contract: Contract): Contract {
  return {
    ...contract,
    tables: contract.tables.map((table) => {
      const personal = personalColumns(table);
      return { ...table, columns: table.columns.filter(({ name }) => !personal.includes(name)) };
    }),
  };
}

/** The rows as they are stored: identifiers become numbers; new ones get numbers in order of appearance. */
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
