/** What an event says: its columns and those of the rows it leads to, its references, intervals and ranks. */

import type { TableContract } from '../../../src/ml/contract/contract.ts';
import type { Signal } from '../../../src/ml/events/signals.ts';
import type { Condition } from '../../../src/ml/features/feature.ts';
import { day, type Row, type Value } from '../../samples.ts';
import { average } from './numbers.ts';
import {
  exists,
  firstVersion,
  leads,
  momentOf,
  once,
  readableFrom,
  readColumn,
  readDate,
  rowAsOf,
  tableOf,
  timeOf,
  type World,
} from './world.ts';

/** Signals as texts: the same ones are asked for of every event. */
const texts = new WeakMap<Signal, string>();

function textOf(signal: Signal): string {
  const text = texts.get(signal) ?? JSON.stringify(signal);
  texts.set(signal, text);
  return text;
}

export function signalAt(world: World, name: string, row: Row, signal: Signal, readableUntil: number): Value {
  const moments = once(world, textOf(signal), () => new Map<number, Map<Row, Value>>());
  const said = moments.get(readableUntil) ?? new Map<Row, Value>();
  moments.set(readableUntil, said);
  const known = said.get(row);
  if (known !== undefined) return known;
  const value = findSignal(world, name, row, signal, readableUntil);
  said.set(row, value);
  return value;
}

function findSignal(world: World, name: string, row: Row, signal: Signal, readableUntil: number): Value {
  const table = tableOf(world, name);
  const time = timeOf(world, table, row);
  switch (signal.kind) {
    case 'reference': {
      const target = table.references.find(({ column }) => column === signal.column)!.table;
      return leads(world, target, row[signal.column], readableUntil) ? row[signal.column] : null;
    }
    case 'interval': {
      const found = walk(world, table, row, signal.path ?? []);
      if (!found || found.since > readableUntil) return null;
      const value = readDate(found.owner, found.row, signal.column, readableUntil);
      const start = signal.from === undefined ? time : readDate(table, row, signal.from, readableUntil);
      return value === null || start === null ? null : (value - start) / day;
    }
    case 'rank': {
      const ranks = once(world, `rank ${textOf(signal)}`, () => new Map<Row, number | null>());
      if (!ranks.has(row)) ranks.set(row, rank(world, table, row, signal));
      return ranks.get(row) ?? null;
    }
    case 'column': {
      const found = walk(world, table, row, signal.path);
      if (!found || found.since > readableUntil) return null;
      const value = readColumn(found.owner, found.row, signal.column, readableUntil);
      if (signal.word === undefined || value === null) return value;
      return String(value).split(' ').includes(signal.word) ? 1 : 0;
    }
  }
}

/** The row that a path of references leads to, and since when it is there. */
function walk(world: World, table: TableContract, row: Row, path: readonly string[]) {
  let owner = table;
  let here = row;
  let since = Number.NEGATIVE_INFINITY;
  for (const step of path) {
    const reference = owner.references.find(({ column }) => column === step)!;
    const target = tableOf(world, reference.table);
    const key = here[step] ?? null;
    // Of what has no date of its own, the parent is read as it first was, once it is there.
    const parent = table.time
      ? rowAsOf(world, target.name, key, timeOf(world, table, row))
      : firstVersion(world, target.name, key);
    if (!parent) return null;
    since = Math.max(since, readableFrom(world, target, parent));
    here = parent;
    owner = target;
  }
  return { owner, row: here, since };
}

/** Since when a row is known to meet a condition; never: infinite. */
export function metSince(world: World, name: string, row: Row, { path, column, value }: Condition): number {
  const found = walk(world, tableOf(world, name), row, path);
  if (!found || found.row[column] !== value) return Number.POSITIVE_INFINITY;
  const { knownFrom } = found.owner.columns.find((each) => each.name === column)!;
  if (knownFrom === undefined) return found.since;
  const known = momentOf(found.owner, found.row, knownFrom);
  return Number.isNaN(known) ? Number.POSITIVE_INFINITY : Math.max(found.since, known);
}

function rank(world: World, table: TableContract, row: Row, signal: Signal & { kind: 'rank' }): number | null {
  const { name: target } = tableOf(world, table.references.find(({ column }) => column === signal.within)!.table);
  const x = row[signal.column];
  if (x === null || !exists(world, target, row[signal.within])) return null;
  const time = timeOf(world, table, row);
  const siblings = world.data[table.name].filter(
    (other) =>
      other[signal.within] === row[signal.within] &&
      other[signal.column] !== null &&
      timeOf(world, table, other) <= time,
  );
  // Beyond this many, standing is told only of rows that came all at once.
  if (siblings.length > 256 && siblings.some((other) => timeOf(world, table, other) !== time)) return null;
  if (siblings.length < 2) return null;
  const values = siblings.map((other) => Number(other[signal.column]));
  if (signal.as === 'percentile') {
    const below = values.filter((value) => value < Number(x)).length;
    const equal = values.filter((value) => value === x).length - 1;
    return (below + equal / 2) / (values.length - 1);
  }
  const mean = average(values);
  const sd = Math.sqrt(average(values.map((value) => (value - mean) ** 2)));
  return sd > 0 ? (Number(x) - mean) / sd : null;
}

export const column = (name: string, ...path: string[]): Signal => ({ kind: 'column', path, column: name });
