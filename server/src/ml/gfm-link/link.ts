import { assert, Failure } from '../../lib/failure.ts';
import type { Contract, EntityKind, TableContract } from '../contract/contract.ts';
import type { Focus } from '../features/feature.ts';
import type { State } from '../features/state.ts';
import type { Gfm } from '../gfm/version.ts';
import { rowAsOf } from '../graph/as-of/rows.ts';
import { isKnown, knownMoments } from '../graph/as-of/values.ts';
import type { Table, Tables } from '../graph/tables.ts';
import type { Task } from '../tasks/task.ts';

/**
 * How rows of a task are linked to entities of a graph: the focus, and the column of its table that has the identifier.
 */
export type GraphLink = {
  readonly focus: Focus;
  readonly table: string;
  readonly column: string;
  readonly kind?: EntityKind;
};

/** Rows that may be linked to a graph: those of a task, or of a table that is encoded. */
export type Linked = Pick<Task, 'entity' | 'ignore'>;

export function encodedRows(table: string): Linked {
  return { entity: table, ignore: [] };
}

type Contracts = Pick<Contract, 'tables'>;

/**
 * Links the rows of a task to a graph by a column marked `graphKey`, in their own table or in one they refer to (for
 * new rows only in one they refer to). Of several columns the first is taken, or `given` (`table.column`). Throws
 * Failure 'invalid' where there is none.
 */
export function findLink(of: Linked, contract: Contracts, fresh: boolean, given?: string): GraphLink {
  const link = linkOf(of, contract, fresh, given);
  if (link) return link;
  throw new Failure(
    'invalid',
    given === undefined
      ? `nothing links ${of.entity} to a graph: mark the column of its identifiers graphKey in the contract, or name it with --gfm-key table.column`
      : `${given} is no column that ${of.entity} can be linked by: it must be of ${
          tablesNear(of, contract, fresh)
            .map(({ table }) => table.name)
            .join(', ') || 'a table it refers to'
        }`,
  );
}

/** Like `findLink`, but null where there is none. */
export function linkOf(of: Linked, contract: Contracts, fresh: boolean, given?: string): GraphLink | null {
  const links = tablesNear(of, contract, fresh)
    .filter(({ table }) => !of.ignore.includes(table.name))
    .flatMap(({ focus, table }) =>
      table.columns
        .filter(({ name, graphKey }) => (given === undefined ? graphKey === true : given === `${table.name}.${name}`))
        .map(({ name }) => ({
          ...{ focus, table: table.name, column: name },
          ...(table.entityKind !== undefined && { kind: table.entityKind }),
        })),
    );
  return links[0] ?? null;
}

/** The tables that may hold a row's identifier: its own, unless the row is new, and those it refers to. */
function tablesNear(of: Linked, contract: Contracts, fresh: boolean): { focus: Focus; table: TableContract }[] {
  const entity = contract.tables.find(({ name }) => name === of.entity);
  assert(entity, `table ${of.entity}`);
  const root: Focus = { kind: 'root' };
  return [
    ...(fresh ? [] : [{ focus: root, table: entity }]),
    ...entity.references.flatMap(({ column, table: name }) => {
      const table = contract.tables.find((other) => other.name === name);
      return table ? [{ focus: { kind: 'parent', of: root, reference: column } as const, table }] : [];
    }),
  ];
}

/**
 * Links the rows of an encoded table to the graph of a task's `link`: by the same column, if it is in this table or one
 * it refers to; else by the first marked column. Null where there is none.
 */
export function encoderLinkOf(of: Linked, contract: Contracts, link: GraphLink): GraphLink | null {
  return linkOf(of, contract, false, `${link.table}.${link.column}`) ?? linkOf(of, contract, false);
}

/** Counts the rows of a link's table that have an identifier known to the graph. */
export function countKnown(tables: Tables, gfm: Gfm, { table: of, column, kind }: GraphLink): number {
  const table = tables.get(of);
  assert(table, `table ${of}`);
  const identifierAt = openIdentifierReader(table, column);
  let known = 0;
  for (let row = 0; row < table.rows; row++) {
    const identifier = identifierAt(row);
    if (identifier !== null && gfm.find(identifier, kind) >= 0) known++;
  }
  return known;
}

/**
 * Finds the graph entities of a state's rows, by the identifier readable at `readableUntil`; -1 where the graph has
 * none.
 */
export function openFinder(gfm: Gfm, { column: name, table: of, kind }: GraphLink): (state: State) => Int32Array {
  const found = new Map<string, number>();
  const find = (identifier: string): number => {
    let entity = found.get(identifier);
    if (entity === undefined) found.set(identifier, (entity = gfm.find(identifier, kind)));
    return entity;
  };
  return ({ table, fresh, rows, readableUntil }) => {
    assert(table?.name === of && !fresh, `vectors are of rows of ${of} that are in the tables`);
    const known = knownMoments(table, name);
    const identifierAt = openIdentifierReader(table, name);
    return rows.map((given, i) => {
      const row = rowAsOf(table, given, readableUntil[i]);
      if (row < 0 || !isKnown(known, row, readableUntil[i])) return -1;
      const identifier = identifierAt(row);
      return identifier === null ? -1 : find(identifier);
    });
  };
}

/**
 * Reads the identifiers in a column as texts, null where there is none. If the table stores numbers of a dictionary,
 * they are converted to names.
 */
function openIdentifierReader({ columns, numbers }: Table, name: string): (row: number) => string | null {
  const column = columns.get(name);
  if (!column) return () => null;
  if (column.kind === 'text') return (row) => (column.codes[row] < 0 ? null : column.dictionary[column.codes[row]]);
  const nameOf = numbers?.columns.has(name) ? (numbers.nameOf ?? (() => null)) : String;
  return (row) => (Number.isNaN(column.values[row]) ? null : nameOf(column.values[row]));
}
