// Warnings about tables as they are loaded: input that is legal but rarely intended.
import type { Rows } from '../../lib/files/column.ts';
import type { ReadTable } from '../../lib/files/read.ts';
import { microsecondsPerDay, type TableContract } from '../contract/contract.ts';
import { findStandIn } from '../contract/times.ts';
import type { Tables } from './tables.ts';

const rejectReasonsShown = 3;

/** Warns about rejected values and rows, by column, with an example for each. */
export function warnOfRejects(name: string, { rejects, rejectedTotal }: ReadTable): string[] {
  if (rejectedTotal === 0) return [];
  const groups = Map.groupBy(rejects, ({ column }) => column);
  const examples = [...groups.values()].slice(0, rejectReasonsShown).map(([first, ...others]) => {
    const { file, row, column, reason } = first!;
    const count = others.length > 0 ? ` (and ${others.length} more like it)` : '';
    return `${file}, row ${row}${column === null ? '' : `, column ${column}`}: ${reason}${count}`;
  });
  if (groups.size > examples.length) examples.push('…');
  const total = rejectedTotal > rejects.length ? `, of which the first ${rejects.length} were looked at` : '';
  return [`table ${name}: ${rejectedTotal} values or rows rejected${total}: ${examples.join('; ')}`];
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
export function warnOfRows(table: TableContract, rows: Rows, now: number): string[] {
  if (rows.rows === 0) return [`table ${table.name}: no rows`];
  const warnings: string[] = [];
  const hint = 'mark the column planned if they are known ahead';
  const dated = table.columns.filter(({ type }) => type === 'date' || type === 'timestamp');
  for (const { name, planned } of dated) {
    const column = rows.columns.get(name);
    // A date that refers to a table is read with the type of that table's key.
    if (column?.kind !== 'time') continue;
    const { values } = column;
    const say = (found: Float64Array, of: number, what: string) => {
      if (found.length === 0) return;
      const day = new Date(Math.min(Math.max(of / 1000, -dateMs), dateMs)).toISOString().split('T', 1)[0];
      warnings.push(`table ${table.name}: ${found.length} of ${rows.rows} values of ${name} ${what} ${day}`);
    };
    const old = values.filter((value) => value < ancient);
    say(
      old,
      old.reduce((a, b) => Math.min(a, b), 0),
      'lie before 1900, the earliest on',
    );
    const standIn = findStandIn(values, now);
    const isStandIn = (value: number) => standIn !== null && value >= standIn && value < standIn + microsecondsPerDay;
    if (standIn !== null) {
      const read = planned ? 'read as a date' : 'not read';
      say(
        values.filter(isStandIn),
        standIn,
        `seem to stand for no date (list it in missingValues as files write it; until then it is ${read}):`,
      );
    }
    if (planned) continue;
    const late = values.filter((value) => value > now + aheadMax && !isStandIn(value));
    say(
      late,
      late.reduce((a, b) => Math.max(a, b), 0),
      `lie in the future and are not read until then (${hint}), the latest on`,
    );
  }
  return warnings;
}

/** Names the tables whose rows have no event time, and counts the rows that lack theirs in the other tables. */
export function warnOfTimes(tables: Tables): string[] {
  const warnings: string[] = [];
  const timeless: string[] = [];
  for (const { name, rows, time } of tables.values()) {
    if (!time) timeless.push(name);
    const undated = time?.reduce((count, moment) => count + Number(Number.isNaN(moment)), 0) ?? 0;
    if (undated > 0)
      warnings.push(`table ${name}: ${undated} of ${rows} rows have no event time and do not count as events`);
  }
  if (timeless.length > 0)
    warnings.push(`without an event time, so taken as known at every moment: ${timeless.join(', ')}`);
  return warnings;
}
