/** Tables as lists of raw rows, and what was known of them at a moment: by plain loops, from the contract alone. */

import type { Contract, TableContract } from '../../../src/ml/contract/contract.ts';
import { type Data, day, type Row, type Value } from '../../samples.ts';

export type World = { readonly contract: Contract; readonly data: Data; readonly known: Map<string, unknown> };

/** What a function of the world said before, since most features ask the same. */
export function once<V>({ known }: World, key: string, make: () => V): V {
  const said = known.get(key);
  if (said !== undefined || known.has(key)) return said as V;
  const made = make();
  known.set(key, made);
  return made;
}

export function tableOf(world: World, name: string): TableContract {
  return world.contract.tables.find((table) => table.name === name)!;
}

/** When a date or timestamp was there to be read: a day when it is over. */
export function momentOf(table: TableContract, row: Row, column: string): number {
  const value = row[column] ?? null;
  if (value === null) return Number.NaN;
  return table.columns.find(({ name }) => name === column)!.type === 'date' ? Number(value) + day - 1 : Number(value);
}

export function timeOf(world: World, table: TableContract, row: Row): number {
  const times = once(world, 'times', () => new Map<Row, number>());
  const known = times.get(row);
  if (known !== undefined) return known;
  const time = findTime(world, table, row);
  times.set(row, time);
  return time;
}

function findTime(world: World, table: TableContract, row: Row): number {
  if (!table.time) return Number.NEGATIVE_INFINITY;
  if ('column' in table.time) return momentOf(table, row, table.time.column);
  const { reference, offset } = table.time;
  const target = table.references.find(({ column }) => column === reference)!.table;
  const parent = world.data[target].find((other) => other[tableOf(world, target).key[0]] === row[reference]);
  return parent ? timeOf(world, tableOf(world, target), parent) + offset : Number.NaN;
}

/** When a row, or this version of it, was there to be read. */
export function readableFrom(world: World, table: TableContract, row: Row): number {
  const time = timeOf(world, table, row);
  const sent = table.knownAt === undefined ? Number.NaN : momentOf(table, row, table.knownAt);
  return Number.isNaN(sent) ? time : Math.max(sent, time);
}

/** The rows of a table as they stood at a moment: of each key the version last sent. */
export function rowsAsOf(world: World, name: string, readableUntil: number): Row[] {
  return once(world, `as of ${name} ${readableUntil}`, () => findRowsAsOf(world, name, readableUntil));
}

function findRowsAsOf(world: World, name: string, readableUntil: number): Row[] {
  const table = tableOf(world, name);
  const readable = world.data[name].filter((row) => readableFrom(world, table, row) <= readableUntil);
  if (table.knownAt === undefined) return readable;
  const newest = new Map<Value, Row>();
  for (const row of readable) {
    const key = row[table.key[0]];
    const other = newest.get(key);
    if (!other || readableFrom(world, table, row) >= readableFrom(world, table, other)) newest.set(key, row);
  }
  return readable.filter((row) => newest.get(row[table.key[0]]) === row);
}

export function rowAsOf(world: World, name: string, key: Value, readableUntil: number): Row | null {
  return once(
    world,
    `row ${name} ${key} ${readableUntil}`,
    () => rowsAsOf(world, name, readableUntil).find((row) => row[tableOf(world, name).key[0]] === key) ?? null,
  );
}

export function exists(world: World, name: string, key: Value): boolean {
  return once(
    world,
    `exists ${name} ${key}`,
    () => key !== null && world.data[name].some((row) => row[tableOf(world, name).key[0]] === key),
  );
}

/** The first of a row's versions: what it says of where it belongs. */
export function firstVersion(world: World, name: string, key: Value): Row | null {
  return once(world, `first ${name} ${key}`, () => findFirstVersion(world, name, key));
}

function findFirstVersion(world: World, name: string, key: Value): Row | null {
  const table = tableOf(world, name);
  let first: Row | null = null;
  for (const row of world.data[name]) {
    if (row[table.key[0]] !== key || Number.isNaN(readableFrom(world, table, row))) continue;
    if (first === null || readableFrom(world, table, row) < readableFrom(world, table, first)) first = row;
  }
  return first;
}

/** Whether a reference leads to a row that is there by then; a row that nothing dates always is. */
export function leads(world: World, name: string, key: Value, readableUntil: number): boolean {
  return exists(world, name, key) && linkedSince(world, name, key) <= readableUntil;
}

export function linkedSince(world: World, name: string, key: Value): number {
  const table = tableOf(world, name);
  const moments = world.data[name]
    .filter((row) => row[table.key[0]] === key)
    .map((row) => readableFrom(world, table, row))
    .filter((moment) => !Number.isNaN(moment));
  return moments.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...moments);
}

export function readColumn(table: TableContract, row: Row, column: string, readableUntil: number): Value {
  const { knownFrom } = table.columns.find(({ name }) => name === column)!;
  if (knownFrom !== undefined && !(momentOf(table, row, knownFrom) <= readableUntil)) return null;
  return row[column] ?? null;
}

/** A date that has come, or that was planned. */
export function readDate(table: TableContract, row: Row, column: string, readableUntil: number): number | null {
  const { planned } = table.columns.find(({ name }) => name === column)!;
  const value = readColumn(table, row, column, readableUntil);
  return value === null || !(planned || momentOf(table, row, column) <= readableUntil) ? null : Number(value);
}
