import { Failure } from '../../lib/failure.ts';
import type { Objective } from '../statistics/objective.ts';
import { quantileOfSorted } from '../statistics/ranks.ts';
import { type Estimate, resamplingOf } from '../statistics/standard-errors.ts';
import { estimateMetrics, type JudgedRows } from './measure.ts';

/** A column that rows are told apart by. */
export type SegmentColumn = {
  readonly column: string;
  readonly of: 'file' | 'table';
  /** Whether a contract describes the column, so that it is known not to be personal. */
  readonly isDeclared: boolean;
  /** Per row its value in `values`; -1 is missing. */
  readonly codes: Int32Array;
  readonly values: readonly (string | number)[];
};

/** The rows of each value of a column. */
export type SegmentReport = {
  readonly column: string;
  readonly of: 'file' | 'table';
  /** The largest first; a column of many numbers by ranges of about a tenth of the rows. */
  readonly values: readonly SegmentRow[];
  /** What is beyond the most values told, or of so few that it could tell of one. */
  readonly others: { readonly values: number; readonly rows: number } | null;
};

export type SegmentRow = {
  /** Null where the value is missing. */
  readonly value: string | null;
  readonly rows: number;
  readonly positives: number | null;
  /** The task's metric. */
  readonly metric: Estimate;
  readonly mean_predicted: number | null;
  readonly mean_observed: number | null;
  /** Whether the rows are too few to say much: fewer than 100, or than ten of either label. */
  readonly is_small: boolean;
};

/** Columns of segments at most, and values told of one. */
export const segmentsMax = 5;
export const segmentValuesMax = 50;
/** Different values of a column at most, beyond which it is an identifier and no segment. */
const differentMax = 10_000;
/** Rows of a value that is told at least. */
const toldRowsMin = 5;
const rowsMin = 100;
const labelsMin = 10;
const ranges = 10;

/** Collects the values of a column row by row. */
export class SegmentBuilder {
  private readonly codeOf = new Map<string | number, number>();
  private readonly codes: number[] = [];
  private readonly column: string;
  private readonly of: 'file' | 'table';
  private readonly isDeclared: boolean;
  private areNumbers = true;

  constructor(column: string, of: 'file' | 'table', isDeclared: boolean) {
    this.column = column;
    this.of = of;
    this.isDeclared = isDeclared;
  }

  /** Throws Failure 'invalid' when the column has more different values than a segment may have, not all numbers. */
  add(value: string | number | null): void {
    if (value === null) {
      this.codes.push(-1);
      return;
    }
    let code = this.codeOf.get(value);
    if (code === undefined) {
      code = this.codeOf.size;
      this.codeOf.set(value, code);
      this.areNumbers &&= isNumeric(value);
      if (code >= differentMax && !this.areNumbers)
        throw new Failure(
          'invalid',
          `segment ${this.column} has more than ${differentMax} different values: name a column that many rows share values of`,
        );
    }
    this.codes.push(code);
  }

  take(): SegmentColumn {
    const { column, of, isDeclared } = this;
    return { column, of, isDeclared, codes: Int32Array.from(this.codes), values: [...this.codeOf.keys()] };
  }
}

/** Rows with their moments and entities, for which a segment has one code each. */
export type SegmentedRows = JudgedRows & { readonly at: Float64Array; readonly entities: Int32Array };

/** Measures the rows of each value of a column apart. `codes`: those of the judged rows. */
export function measureSegments(objective: Objective, judged: SegmentedRows, column: SegmentColumn): SegmentReport {
  const { values, others } = groupSegments(judged, column);
  return {
    column: column.column,
    of: column.of,
    values: values.map(({ value, rows }) => segmentRow(objective, judged, rows, value)),
    others,
  };
}

/** The judged rows of each value of a column, the largest first, or by ascending ranges. `codes`: those of the rows. */
export function groupSegments(
  judged: Pick<SegmentedRows, 'entities'>,
  column: SegmentColumn,
): {
  readonly values: readonly { readonly value: string | null; readonly rows: readonly number[] }[];
  readonly others: SegmentReport['others'];
} {
  const { codes, names } = namedCodes(column);
  const rowsOf = Map.groupBy(codes.keys(), (row) => codes[row]);
  const bySize = [...rowsOf].sort(([a, of], [b, other]) => other.length - of.length || a - b);
  const large = bySize.filter(([, rows]) => isTellable(rows, judged, column));
  const told = large.slice(0, segmentValuesMax);
  const rest = bySize.filter((one) => !told.includes(one));
  return {
    values: (names.isOrdered ? told.sort(([a], [b]) => a - b) : told).map(([code, rows]) => ({
      value: names.of(code),
      rows,
    })),
    others:
      rest.length === 0 ? null : { values: rest.length, rows: rest.reduce((sum, [, rows]) => sum + rows.length, 0) },
  };
}

/**
 * Whether the rows of a value are enough to tell it with their labels. A column that no contract describes may name
 * people, who have many rows: its values are told of as many entities.
 */
function isTellable(
  rows: readonly number[],
  { entities }: Pick<SegmentedRows, 'entities'>,
  { isDeclared }: SegmentColumn,
): boolean {
  if (isDeclared) return rows.length >= toldRowsMin;
  const known = rows.filter((row) => entities[row] >= 0);
  return rows.length - known.length + new Set(known.map((row) => entities[row])).size >= toldRowsMin;
}

type Names = { of(code: number): string | null; readonly isOrdered: boolean };

/** The column as it is, or, where it has many numbers, by ranges. */
function namedCodes({ codes, values }: SegmentColumn): { codes: Int32Array; names: Names } {
  const numbers = values.map(Number);
  if (values.length <= segmentValuesMax || !values.every(isNumeric))
    return { codes, names: { of: (code) => (code < 0 ? null : String(values[code])), isOrdered: false } };
  const sorted = Float64Array.from(
    codes.filter((code) => code >= 0),
    (code) => numbers[code],
  ).sort();
  const ends = Array.from({ length: ranges - 1 }, (_, k) => quantileOfSorted(sorted, (k + 1) / ranges));
  const rangeOf = numbers.map((value) => ends.findIndex((end) => value <= end));
  const inRange = rangeOf.map((range) => (range < 0 ? ranges - 1 : range));
  const edges = Array.from({ length: ranges }, () => ({ low: Number.POSITIVE_INFINITY, high: -Infinity }));
  for (const code of new Set(codes)) {
    if (code < 0) continue;
    const edge = edges[inRange[code]];
    edge.low = Math.min(edge.low, numbers[code]);
    edge.high = Math.max(edge.high, numbers[code]);
  }
  const textOf = (value: number) => String(Number(value.toPrecision(6)));
  return {
    codes: codes.map((code) => (code < 0 ? -1 : inRange[code])),
    names: {
      of: (range) => (range < 0 ? null : `${textOf(edges[range].low)} to ${textOf(edges[range].high)}`),
      isOrdered: true,
    },
  };
}

function isNumeric(value: string | number): boolean {
  return String(value).trim() !== '' && !Number.isNaN(Number(value));
}

function segmentRow(objective: Objective, judged: SegmentedRows, rows: readonly number[], value: string | null) {
  const own = pickRows(judged, rows);
  const isNumber = objective.kind !== 'multiclass';
  const mean = (values: Float64Array) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const positives = objective.kind === 'binary' ? own.labels.reduce((sum, label) => sum + label, 0) : null;
  const { metric } = objective;
  return {
    value,
    rows: rows.length,
    positives,
    metric: estimateMetrics([metric], objective, own, resamplingOf(own.at, own.entities))[metric]!,
    mean_predicted: isNumber ? mean(own.values) : null,
    mean_observed: isNumber ? mean(own.labels) : null,
    is_small: rows.length < rowsMin || (positives !== null && Math.min(positives, rows.length - positives) < labelsMin),
  };
}

/** Judged rows at some places. */
export function pickRows<R extends SegmentedRows>(
  { labels, values, sure, at, entities }: R,
  rows: ArrayLike<number>,
): SegmentedRows {
  const width = values.length / labels.length;
  const pick = (from: Float64Array) => Float64Array.from(rows, (row) => from[row]);
  return {
    labels: pick(labels),
    values: Float64Array.from(
      { length: rows.length * width },
      (_, k) => values[rows[Math.floor(k / width)] * width + (k % width)],
    ),
    sure: sure && { ...sure, lower: pick(sure.lower), upper: pick(sure.upper) },
    at: pick(at),
    entities: Int32Array.from(rows, (row) => entities[row]),
  };
}
