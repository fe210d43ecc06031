import { assert } from '../../lib/failure.ts';
import type { Column, Rows } from '../../lib/files/column.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import type { ColumnContract, TableContract } from '../contract/contract.ts';
import { isReserved } from '../contract/reserved.ts';
import { firstVersion, rowAsOf } from '../graph/as-of/rows.ts';
import { keyValue } from '../graph/keys.ts';
import type { Table } from '../graph/tables.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { type KnownCell, openCell } from '../tasks/events.ts';
import type { Task } from '../tasks/task.ts';
import { namesOf } from '../version/other-names.ts';
import { isSame } from './name-columns.ts';
import { refuseEvaluation } from './refusals.ts';
import { SegmentBuilder } from './segments.ts';

/** How the values of a segment are read, row by row. */
export type ReadSegment = {
  /** The column of the file; null for one of the table. */
  readonly request: ColumnRequest | null;
  readonly builder: SegmentBuilder;
  value(rows: Rows, row: number, entity: number, at: number): string | number | null;
};

/**
 * Prepares reading the columns of segments: of the file, or else of the entity's table, as it was known at the moment
 * of each row. `asRead`: the name by which a column of the file is read. Throws Failure 'invalid' for columns that
 * neither has, and for those that name people or things.
 */
export function openSegments(
  { version: { task, fresh, contract }, described }: OpenVersion,
  table: Table,
  segments: readonly string[],
  header: readonly string[],
  asRead: (column: string) => string,
): ReadSegment[] {
  // The newer contract first: what it has learned of a column counts for versions of before, too.
  const contracts = [described, contract.tables];
  return segments.map((asked): ReadSegment => {
    const name = asRead(asked);
    const declared = declaredColumn(contracts, task, name, asked);
    const names = declared ? namesOf(declared) : [name];
    const inFile = header.filter((column) => names.some((one) => isSame(one, column)));
    if (inFile.length > 0) {
      const request: ColumnRequest = { name: declared?.name ?? name, type: 'string', aliases: inFile };
      const builder = new SegmentBuilder(asked, 'file', declared !== undefined);
      return { request, builder, value: (rows, row) => keyValue(findColumn(rows, request.name), row) };
    }
    if (!declared || !table.columns.has(declared.name))
      throw refuseEvaluation({
        ...{ code: 'segment_unknown', name: asked, columns: header, table: table.name },
        others: table.contract.columns.flatMap((one) => (isReserved(one.name) ? [] : [one.name])),
      });
    const cell = openCell(table, declared.name);
    return {
      request: null,
      builder: new SegmentBuilder(asked, 'table', true),
      value: (_, __, entity, at) => cellAt(cell, table, fresh, entity, at),
    };
  });
}

/** Whose rows are told apart, and the column with their keys. */
type SegmentedTask = Pick<Task, 'entity' | 'key'>;

/**
 * Holds columns that rows are to be told apart by against a contract. Throws Failure 'invalid' for those that the
 * entity's table does not have, and for those that name people or things.
 */
export function requireSegments(tables: readonly TableContract[], task: SegmentedTask, names: readonly string[]): void {
  const own = tableNamed(tables, task.entity);
  for (const name of names)
    if (!declaredColumn([tables], task, name))
      throw refuseEvaluation({
        ...{ code: 'segment_unknown', name, columns: [], table: task.entity },
        others: own?.columns.flatMap((one) => (isReserved(one.name) ? [] : [one.name])) ?? [],
      });
}

/**
 * The column of the entity's table that a segment names, by the first contract that has it. Throws Failure 'invalid'
 * where it tells who or what a row is about.
 */
function declaredColumn(
  contracts: readonly (readonly TableContract[])[],
  { entity, key }: SegmentedTask,
  name: string,
  asked = name,
): ColumnContract | undefined {
  if (isSame(name, key) || contracts.some((tables) => tellsWho(tables, entity, name)))
    throw refuseEvaluation({ code: 'segment_of_one', name: asked });
  return contracts.flatMap((tables) => columnNamed(tableNamed(tables, entity), name) ?? [])[0];
}

/** Whether a contract says that a column of a table, or of a file about it, tells who or what a row is about. */
function tellsWho(tables: readonly TableContract[], tableName: string, name: string): boolean {
  const own = tableNamed(tables, tableName);
  const column = columnNamed(own, name);
  if (!own || !column) return tables.some((other) => isPersonal(columnNamed(other, name)));
  return (
    isPersonal(column) || own.key.includes(column.name) || own.references.some((one) => one.column === column.name)
  );
}

function isPersonal(column: ColumnContract | undefined): boolean {
  return column !== undefined && (column.pii || column.graphKey === true || personalFormats.has(column.format));
}

const personalFormats: ReadonlySet<ColumnContract['format']> = new Set(['cpf', 'cnpj', 'email', 'phone']);

function tableNamed(tables: readonly TableContract[], name: string): TableContract | undefined {
  return tables.find((table) => table.name === name);
}

/** The column with a name, or with another one that files have for it, whatever their case. */
function columnNamed(table: TableContract | undefined, name: string): ColumnContract | undefined {
  return table?.columns.find((column) => namesOf(column).some((one) => isSame(one, name)));
}

function findColumn({ columns }: Rows, name: string): Column {
  const found = [...columns].find(([own]) => own.toLowerCase() === name.toLowerCase());
  assert(found, `column ${name} was read`);
  return found[1];
}

function cellAt(cell: KnownCell, table: Table, fresh: boolean, entity: number, at: number): string | number | null {
  if (entity < 0) return null;
  const row = fresh ? firstVersion(table, entity) : rowAsOf(table, entity, at);
  return row < 0 ? null : cell.at(row, at);
}
