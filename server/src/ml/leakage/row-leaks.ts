import { lastVersions } from '../graph/as-of/rows.ts';
import { changesUndated, knownDates, knownMoments } from '../graph/as-of/values.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { auroc } from '../statistics/metrics.ts';
import { ratesOfOtherHalf } from '../statistics/other-half-rates.ts';
import { columnsOf } from '../tasks/condition.ts';
import { overdueDates, termsOf } from '../tasks/events.ts';
import type { FutureRows } from '../tasks/target.ts';
import type { Task } from '../tasks/task.ts';
import { suspectLift } from './find.ts';

type Column = NonNullable<ReturnType<Table['columns']['get']>>;

/** A column that tells of a row what this only later becomes. */
export type RowLeak = {
  /** `table.column` */
  readonly at: string;
  /** |2 AUROC - 1|, from 0 to 1. */
  readonly lift: number;
  readonly rows: number;
};

/** With fewer rows that became it, or did not, chance could look like a leak. */
const rarerMin = 50;
/** Texts of more values are names, not states. */
const valuesMax = 50;

/**
 * Finds columns of the rows that a question counts which tell whether a row becomes overdue, though they stand in it
 * from its own time on: the end of a row that is still open could be read there, also where so few rows are open that
 * no feature tells the label by itself. Of rows whose term was over by `until` (microseconds).
 */
export function findRowLeaks(
  { target, hide = [] }: Partial<Pick<Task, 'target' | 'hide'>>,
  tables: Tables,
  until: number,
): RowLeak[] {
  if (target?.kind !== 'rows' || !target.overdue) return [];
  const table = tables.get(target.table)!;
  const { overdue } = target;
  const terms = termsOf(table, overdue);
  const dates = overdueDates(table, tables, overdue);
  const rows = lastVersions(table).filter((row) => terms[row]! <= until);
  const late = Float64Array.from(rows, (row) => (Number.isNaN(dates[row]) ? 0 : 1));
  const count = late.reduce((sum, one) => sum + one, 0);
  if (Math.min(count, rows.length - count) < rarerMin) return [];
  return readable(table, target, hide).flatMap(({ name, column }) => {
    const scores = scoresOf(column, rows, late);
    const lift = scores === null ? 0 : Math.abs(2 * auroc(late, scores) - 1);
    return lift >= suspectLift.classes ? [{ at: `${table.name}.${name}`, lift, rows: rows.length }] : [];
  });
}

/** The columns that are read as they came with their row, but for those by which the question itself is asked. */
function readable(table: Table, target: FutureRows, hide: readonly string[]): { name: string; column: Column }[] {
  const { contract } = table;
  const { due, paid, amounts, payments } = target.overdue!;
  const asked = new Set([due, ...(amounts ? [amounts.due] : []), ...(target.where ? columnsOf(target.where) : [])]);
  if (!payments) for (const name of [paid, ...(amounts ? [amounts.paid] : [])]) asked.add(name);
  return contract.columns.flatMap((one) => {
    const { name } = one;
    const column = table.columns.get(name);
    const isKey = contract.key.includes(name) || contract.references.some((reference) => reference.column === name);
    if (!column || asked.has(name) || isKey || hide.includes(`${table.name}.${name}`)) return [];
    const moments = column.kind === 'time' ? knownDates(table, name) : knownMoments(table, name);
    return moments || table.versions || changesUndated(table, one) ? [] : [{ name, column }];
  });
}

/** A number for each row by which it could be told: of texts how often the other half of the rows became it. */
function scoresOf(column: Column, rows: Int32Array, late: Float64Array): Float64Array | null {
  if (column.kind !== 'text') {
    const values = Float64Array.from(rows, (row) => column.values[row]!);
    const known = values.filter((value) => !Number.isNaN(value)).sort();
    // Where a value is missing may tell as much as the value: it stands below all others.
    return known.length === 0 ? null : values.map((value) => (Number.isNaN(value) ? known[0]! - 1 : value));
  }
  if (column.dictionary.length > valuesMax) return null;
  const rates = ratesOfOtherHalf(
    rows.map((row) => column.codes[row]!),
    late,
  );
  return rates.map((rate) => (Number.isNaN(rate) ? 0 : rate));
}
