import { type Column, type LogicalType, pickRows, type Rows } from '../../lib/files/column.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { knownAtColumn } from '../contract/reserved.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { DistinctCounter, digestValues } from './digests.ts';
import { personalColumns } from './layout.ts';

export type TableReport = {
  readonly table: string;
  readonly rows: number;
  /** First and last event time as local clock time, ISO 8601 without an offset; null when the table has none. */
  readonly from: string | null;
  readonly until: string | null;
  readonly columns: readonly ColumnReport[];
  /** Columns from which nothing can be learned, or that were not stored. */
  readonly dropped: readonly { readonly column: string; readonly reason: DropReason }[];
  /** Rows by month of the event time (`2024-01`), in order of month; months without rows are left out. */
  readonly months: readonly { readonly month: string; readonly rows: number }[];
};

export type ColumnReport = {
  readonly name: string;
  readonly type: LogicalType;
  /** Share of rows with a value, 0 to 1. */
  readonly present: number;
  /** Number of distinct values; above 4,096 an estimate, to within some 2 %. */
  readonly distinct: number;
  readonly distinct_is_estimate: boolean;
  /**
   * Numbers as they are, dates as 2024-01-31, times in the form of the table's own; null for text, for personal data
   * and when there is no value.
   */
  readonly minimum: number | string | null;
  readonly maximum: number | string | null;
};

/** `unknown`: not in the contract. `personal`: marked as personal data and neither key nor reference, so not stored. */
export type DropReason = 'unknown' | 'constant' | 'all_missing' | 'personal';

/**
 * Describes the rows of all tables: of rows that were changed by files the newest versions, and not the ones before.
 * The tables hold the columns that are stored under the contract.
 */
export function describeTables(tables: Tables, contract: Contract): TableReport[] {
  return contract.tables.map((named) => {
    const table = tables.get(named.name)!;
    const summary = new TableSummary(table.contract, table.numbers?.columns);
    const newest = newestRows(table);
    if (newest === null) summary.add(table, table.time);
    else summary.add(pickRows(table, newest), table.time && Float64Array.from(newest, (row) => table.time![row]));
    return summary.close(personalColumns(named).map((column) => ({ column, reason: 'personal' })));
  });
}

/** The newest version of each row; null where files have changed none. Versions of the sender's own are rows. */
function newestRows({ contract, versions }: Table): number[] | null {
  if (contract.knownAt !== knownAtColumn || versions === undefined) return null;
  const { offsets, rows } = versions;
  const ends = Array.from(offsets.subarray(1)).filter((end, entity) => end > offsets[entity]);
  return ends.map((end) => rows[end - 1]);
}

/** Builds a table's report chunk by chunk, in memory that does not grow with the number of rows. */
export class TableSummary {
  private readonly contract: TableContract;
  private readonly numbered: ReadonlySet<string>;
  private readonly columns: Map<string, ColumnSummary>;
  private readonly months = new Map<string, number>();
  private rows = 0;
  private from = Number.POSITIVE_INFINITY;
  private until = Number.NEGATIVE_INFINITY;

  /** `numbered`: columns that hold dictionary numbers, whose size has no meaning. */
  constructor(contract: TableContract, numbered: Iterable<string> = []) {
    this.contract = contract;
    this.numbered = new Set(numbered);
    this.columns = new Map(
      contract.columns.filter(({ name }) => name !== knownAtColumn).map(({ name }) => [name, newSummary()]),
    );
  }

  /** Adds rows; `time` is their event time, microseconds. */
  add(rows: Rows, time: Float64Array | undefined): void {
    this.rows += rows.rows;
    for (const [name, summary] of this.columns) {
      const column = rows.columns.get(name);
      if (column !== undefined) addColumn(summary, column);
    }
    if (time !== undefined) this.addTimes(time);
  }

  close(dropped: TableReport['dropped'] = []): TableReport {
    const { contract, rows } = this;
    const columns = contract.columns.flatMap(({ name, type, pii }): ColumnReport[] => {
      const summary = this.columns.get(name);
      if (summary === undefined || dropped.some(({ column }) => column === name)) return [];
      const isHidden = pii || this.numbered.has(name);
      const show = (value: number) =>
        isHidden || !Number.isFinite(value) ? null : showValue(summary.kind, type, value);
      return [
        {
          name,
          type,
          present: rows === 0 ? 0 : summary.filled / rows,
          distinct: Math.min(summary.distinct.estimate(), summary.filled),
          distinct_is_estimate: !summary.distinct.isExact,
          minimum: show(summary.minimum),
          maximum: show(summary.maximum),
        },
      ];
    });
    const useless = columns.flatMap(({ name, present, distinct }): TableReport['dropped'] => {
      if (rows < 2) return [];
      if (present === 0) return [{ column: name, reason: 'all_missing' }];
      return distinct === 1 && present === 1 ? [{ column: name, reason: 'constant' }] : [];
    });
    const show = (moment: number) => (Number.isFinite(moment) ? showTime(moment) : null);
    return {
      table: contract.name,
      rows,
      from: show(this.from),
      until: show(this.until),
      columns,
      dropped: [...dropped, ...useless],
      months: [...this.months]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([month, rowsOfMonth]) => ({ month, rows: rowsOfMonth })),
    };
  }

  private addTimes(time: Float64Array): void {
    let day = Number.NaN;
    let month = '';
    for (const moment of time) {
      if (!Number.isFinite(moment)) continue;
      if (moment < this.from) this.from = moment;
      if (moment > this.until) this.until = moment;
      // Consecutive rows are mostly of one day, and finding the month of a day costs more than the rest.
      const own = Math.floor(moment / microsecondsPerDay);
      if (own !== day) {
        day = own;
        month = showTime(moment).slice(0, 7);
      }
      this.months.set(month, (this.months.get(month) ?? 0) + 1);
    }
  }
}

const microsecondsPerDay = 86_400_000_000;
/** The farthest moment a Date holds, in milliseconds. Parquet can hold farther ones. */
const dateMs = 8.64e15;

type ColumnSummary = {
  kind: Column['kind'];
  filled: number;
  minimum: number;
  maximum: number;
  readonly distinct: DistinctCounter;
};

function newSummary(): ColumnSummary {
  return {
    kind: 'text',
    filled: 0,
    minimum: Number.POSITIVE_INFINITY,
    maximum: Number.NEGATIVE_INFINITY,
    distinct: new DistinctCounter(),
  };
}

function addColumn(summary: ColumnSummary, column: Column): void {
  summary.kind = column.kind;
  const digests = digestValues(column);
  if (column.kind === 'text') {
    const met = new Uint8Array(column.dictionary.length);
    for (const code of column.codes) {
      if (code < 0) continue;
      summary.filled++;
      met[code] = 1;
    }
    for (const [code, isMet] of met.entries())
      if (isMet === 1) summary.distinct.add(digests.high[code], digests.low[code]);
    return;
  }
  for (const [row, value] of column.values.entries()) {
    if (Number.isNaN(value)) continue;
    summary.filled++;
    if (value < summary.minimum) summary.minimum = value;
    if (value > summary.maximum) summary.maximum = value;
    summary.distinct.add(digests.high[row], digests.low[row]);
  }
}

function showValue(kind: Column['kind'], type: LogicalType, value: number): number | string {
  if (kind !== 'time') return value;
  return type === 'date' ? showTime(value).slice(0, -'T00:00:00.000'.length) : showTime(value);
}

/** Without the Z: the values are clock times, not instants. */
function showTime(us: number): string {
  return new Date(Math.min(Math.max(us / 1000, -dateMs), dateMs)).toISOString().slice(0, -1);
}
