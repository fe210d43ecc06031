// Warnings about tables as they are loaded: input that is legal but rarely intended.
import type { Rows } from '../../lib/files/column.ts';
import type { ReadTable } from '../../lib/files/read.ts';
import { microsecondsPerDay, type TableContract } from '../contract/contract.ts';
import type { Notice } from '../contract/notices.ts';
import { findStandIn } from '../contract/times.ts';
import type { Tables } from './tables.ts';

const rejectReasonsShown = 3;

type Of = { readonly code: 'before_1900' | 'in_future' } | { readonly code: 'no_date'; readonly isPlanned: boolean };

/** Warns about rejected values and rows, by column, with an example for each. */
export function warnOfRejects(name: string, { rejects, rejectedTotal }: ReadTable): Notice[] {
  if (rejectedTotal === 0) return [];
  const groups = Map.groupBy(rejects, ({ column }) => column);
  const examples = [...groups.values()].slice(0, rejectReasonsShown).map(([first, ...others]) => {
    const { file, row, column, reason } = first!;
    return { file, row, column, reason, others: others.length };
  });
  const isMore = groups.size > examples.length;
  return [{ code: 'rejected', table: name, count: rejectedTotal, looked: rejects.length, examples, isMore }];
}

/** The farthest moment a Date holds, in milliseconds. Parquet can hold farther ones. */
const dateMs = 8.64e15;
const ancient = Date.UTC(1900, 0, 1) * 1000;
/** A day may already have begun in another time zone before it begins in UTC. */
const aheadMax = microsecondsPerDay;

/**
 * Warns about a table without rows, and about dates that lie before 1900 or in the future, or seem to stand for no
 * date.
 */
export function warnOfRows(table: TableContract, rows: Rows, now: number): Notice[] {
  if (rows.rows === 0) return [{ code: 'no_rows', table: table.name }];
  const warnings: Notice[] = [];
  const dated = table.columns.filter(({ type }) => type === 'date' || type === 'timestamp');
  for (const { name, planned } of dated) {
    const column = rows.columns.get(name);
    // A date that refers to a table is read with the type of that table's key.
    if (column?.kind !== 'time') continue;
    const { values } = column;
    const tell = (found: Float64Array, of: number, what: Of) => {
      if (found.length === 0) return;
      const day = new Date(Math.min(Math.max(of / 1000, -dateMs), dateMs)).toISOString().split('T', 1)[0];
      const where = { table: table.name, column: name, rows: found.length, of: rows.rows };
      warnings.push({ ...what, ...where, day });
    };
    const old = values.filter((value) => value < ancient);
    tell(
      old,
      old.reduce((a, b) => Math.min(a, b), 0),
      { code: 'before_1900' },
    );
    const standIn = findStandIn(values, now);
    const isStandIn = (value: number) => standIn !== null && value >= standIn && value < standIn + microsecondsPerDay;
    if (standIn !== null) tell(values.filter(isStandIn), standIn, { code: 'no_date', isPlanned: planned });
    if (planned) continue;
    const late = values.filter((value) => value > now + aheadMax && !isStandIn(value));
    tell(
      late,
      late.reduce((a, b) => Math.max(a, b), 0),
      { code: 'in_future' },
    );
  }
  return warnings;
}

/** Names the tables whose rows have no event time, and counts the rows that lack theirs in the other tables. */
export function warnOfTimes(tables: Tables): Notice[] {
  const warnings: Notice[] = [];
  const timeless: string[] = [];
  for (const { name, rows, time } of tables.values()) {
    if (!time) timeless.push(name);
    const undated = time?.reduce((count, moment) => count + Number(Number.isNaN(moment)), 0) ?? 0;
    if (undated > 0) warnings.push({ code: 'undated_rows', table: name, rows: undated, of: rows });
  }
  if (timeless.length > 0) warnings.push({ code: 'timeless', tables: timeless });
  return warnings;
}
