import { assert } from '../../../lib/failure.ts';
import { microsecondsPerDay } from '../../contract/contract.ts';
import { rowsAsOf } from '../../graph/as-of/rows.ts';
import { isKnown, knownDates, knownMoments } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import type { ColumnUse } from './column-use.ts';

/** Two dates of one row, the one from which days are counted to the other. */
export type DatePair = { readonly from: string; readonly column: string };

/** Most pairs of a table, those of a planned date first. */
const pairsMax = 8;

/**
 * Finds the dates of each table whose distance tells something: a due date and the day of payment. A tree cannot easily
 * derive a difference from two values. Decided from what is known at `cut`, and cached per table, as many features read
 * one table.
 */
export function openDatePairs(
  uses: ReadonlyMap<string, ReadonlyMap<string, ColumnUse>>,
  cut: number,
): (table: Table) => readonly DatePair[] {
  const found = new Map<string, readonly DatePair[]>();
  return (table) => {
    if (!found.has(table.name)) found.set(table.name, findPairs(table, uses.get(table.name) ?? new Map(), cut));
    return found.get(table.name)!;
  };
}

function findPairs(table: Table, uses: ReadonlyMap<string, ColumnUse>, cut: number): DatePair[] {
  const dates = table.contract.columns
    .filter(({ name, pii }) => !pii && uses.get(name)?.kind === 'date')
    .sort((a, b) => Number(b.planned) - Number(a.planned));
  if (dates.length < 2) return [];
  const rows = rowsAsOf(table, cut);
  const numbers = [...uses].flatMap(([name, use]) => (use.kind === 'number' ? [numberOf(table, name, cut)] : []));
  return dates
    .flatMap((first, k) =>
      dates.slice(k + 1).flatMap((second) => {
        const daysOf = daysBetween(table, first.name, second.name, cut);
        const days = someDays(rows.length, (at) => daysOf(rows[at]));
        if (isSteady(days, first.planned) || numbers.some((number) => isTold(number, daysOf, rows))) return [];
        // From a planned date on; of two alike from the one that mostly comes first.
        const isBackward = first.planned === second.planned && days[days.length >> 1] < 0;
        const [from, to] = isBackward ? [second, first] : [first, second];
        return [{ from: from.name, column: to.name }];
      }),
    )
    .slice(0, pairsMax);
}

/** A value of each row; NaN where it is missing, or not known at the cut. */
type ValueOf = (row: number) => number;

function numberOf(table: Table, name: string, cut: number): ValueOf {
  const column = table.columns.get(name);
  assert(column?.kind === 'number', `${name} is numeric`);
  const known = knownMoments(table, name);
  return (row) => (isKnown(known, row, cut) ? column.values[row] : Number.NaN);
}

function daysBetween(table: Table, from: string, to: string, cut: number): ValueOf {
  const [start, end] = [table.columns.get(from), table.columns.get(to)];
  assert(start?.kind === 'time' && end?.kind === 'time', `${from} and ${to} are dates`);
  const [startKnown, endKnown] = [knownDates(table, from), knownDates(table, to)];
  return (row) =>
    isKnown(startKnown, row, cut) && isKnown(endKnown, row, cut)
      ? (end.values[row] - start.values[row]) / microsecondsPerDay
      : Number.NaN;
}

/** Whether a column of numbers says the days already, counted either way: `days_late`. */
function isTold(number: ValueOf, days: ValueOf, rows: Int32Array): boolean {
  return [1, -1].some((sign) => {
    const apart = someDays(rows.length, (at) => number(rows[at]) - sign * days(rows[at]));
    const same = apart.filter((each) => Math.abs(each) <= steadyDays).length;
    return apart.length > 0 && same >= apart.length * plannedShareMin;
  });
}

const sampledMax = 10_000;

/** Values at no more than `sampledMax` of `places` places, spread over all, without those that are missing: sorted. */
export function someDays(places: number, valueAt: (at: number) => number): Float64Array {
  const step = Math.ceil(places / sampledMax);
  return Float64Array.from({ length: step === 0 ? 0 : Math.ceil(places / step) }, (_, k) => valueAt(k * step))
    .filter((value) => !Number.isNaN(value))
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
