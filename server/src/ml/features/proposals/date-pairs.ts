import { microsecondsPerDay } from '../../contract/contract.ts';
import { rowsAsOf } from '../../graph/as-of/rows.ts';
import { isKnown, knownDates } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import { type ColumnUse, eventTime } from './column-use.ts';

/** Two dates of one row, the one from which days are counted to the other. */
export type DatePair = { readonly from: string; readonly column: string };

/** Most pairs of a table: those of a planned date first, then those of the row's own time. */
const pairsMax = 8;

/**
 * Finds the dates of each table whose distance tells something: a due date and the day of payment, the two ends of a
 * term. A tree cannot easily derive a difference from two values. Decided from what is known at `cut`, and cached per
 * table, as many features read one table.
 */
export function openDatePairs(
  uses: ReadonlyMap<string, ReadonlyMap<string, ColumnUse>>,
  cut: number,
): (table: Table) => readonly DatePair[] {
  const found = new Map<string, readonly DatePair[]>();
  return (table) => {
    if (!found.has(table.name)) found.set(table.name, findPairs(table, uses.get(table.name), cut));
    return found.get(table.name)!;
  };
}

/** The column of the rows' own time, where it is a date. */
export function timeColumn({ contract, columns }: Table): string | undefined {
  const name = contract.time && 'column' in contract.time ? contract.time.column : undefined;
  return name !== undefined && columns.get(name)?.kind === 'time' ? name : undefined;
}

function findPairs(table: Table, uses: ReadonlyMap<string, ColumnUse> | undefined, cut: number): DatePair[] {
  const own = timeColumn(table);
  const mayRead = (name: string) => {
    const use = uses?.get(name);
    return use?.kind === 'date' || (name === own && use?.kind === 'none' && use.why === eventTime);
  };
  const dates = table.contract.columns
    .filter(({ name, pii }) => !pii && mayRead(name))
    .map(({ name, planned }) => ({ name, rank: planned ? 0 : name === own ? 1 : 2, planned: planned === true }))
    .sort((a, b) => a.rank - b.rank);
  if (dates.length < 2) return [];
  const rows = rowsAsOf(table, cut);
  return dates
    .flatMap((first, k) =>
      dates.slice(k + 1).flatMap((second) => {
        const days = daysBetween(table, first.name, second.name, rows, cut);
        if (isSteady(days, first.planned || second.planned)) return [];
        const isBackward = first.rank === second.rank && days[days.length >> 1] < 0;
        // A term runs from the row's time to the planned date, what happened from the planned date on.
        const isTerm = first.rank === 0 && second.rank === 1;
        const [from, to] = isBackward || isTerm ? [second, first] : [first, second];
        return [{ from: from.name, column: to.name }];
      }),
    )
    .slice(0, pairsMax);
}

/** Days from one date to the other in some of the rows that have both, as known at `cut`: sorted. */
function daysBetween(table: Table, from: string, to: string, rows: Int32Array, cut: number): Float64Array {
  const [start, end] = [table.columns.get(from)!, table.columns.get(to)!];
  if (start.kind !== 'time' || end.kind !== 'time') return new Float64Array();
  const [startKnown, endKnown] = [knownDates(table, from), knownDates(table, to)];
  return someDays(
    rows.length,
    (k) => (end.values[rows[k]] - start.values[rows[k]]) / microsecondsPerDay,
    (k) => isKnown(startKnown, rows[k], cut) && isKnown(endKnown, rows[k], cut),
  );
}

const sampledMax = 10_000;

/** The days of at most `sampledMax` of `rows` rows, spread over all, without those that are missing or not known: sorted. */
export function someDays(
  rows: number,
  daysOf: (k: number) => number,
  isReadable: (k: number) => boolean,
): Float64Array {
  const step = Math.ceil(rows / sampledMax);
  const days: number[] = [];
  for (let k = 0; k < rows; k += step) if (isReadable(k) && !Number.isNaN(daysOf(k))) days.push(daysOf(k));
  return Float64Array.from(days).sort();
}

/** Days by which a time may differ from the usual one and still be it: two clocks, or the day and its moment. */
const steadyDays = 1;
const steadyShareMin = 0.95;
/** Of a planned date the few that miss it are what tells. */
const plannedShareMin = 0.995;

/** Whether sorted distances are nearly all the same: a second stamp of one moment, which tells nothing. */
export function isSteady(days: Float64Array, isPlanned: boolean): boolean {
  if (days.length === 0) return true;
  const usual = days[days.length >> 1];
  const same = days.filter((each) => Math.abs(each - usual) <= steadyDays).length;
  return same >= days.length * (isPlanned ? plannedShareMin : steadyShareMin);
}
