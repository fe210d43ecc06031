import { microsecondsPerDay } from '../../contract/contract.ts';
import { rowsAsOf } from '../../graph/as-of/rows.ts';
import { isKnown, knownDates } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import type { ColumnUse } from './column-use.ts';

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
  const dates = table.contract.columns
    .filter(({ name, pii }) => !pii && (name === own || uses?.get(name)?.kind === 'date'))
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

const rowsMax = 10_000;

/** Days from one date to the other in some of the rows that have both, as known at `cut`: sorted. */
function daysBetween(table: Table, from: string, to: string, rows: Int32Array, cut: number): Float64Array {
  const [start, end] = [table.columns.get(from)!, table.columns.get(to)!];
  if (start.kind !== 'time' || end.kind !== 'time') return new Float64Array();
  const [startKnown, endKnown] = [knownDates(table, from), knownDates(table, to)];
  const step = Math.max(1, Math.ceil(rows.length / rowsMax));
  const sample = rows.filter(
    (row, k) => k % step === 0 && isKnown(startKnown, row, cut) && isKnown(endKnown, row, cut),
  );
  return Float64Array.from(sample, (row) => (end.values[row] - start.values[row]) / microsecondsPerDay)
    .filter((days) => !Number.isNaN(days))
    .sort();
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
