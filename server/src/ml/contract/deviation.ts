import type { Failure } from '../../lib/failure.ts';
import { startOf } from '../../lib/files/values.ts';

/**
 * `structure`: the whole file has another structure than the contract; the remedy is a new version of the contract.
 * `data`: some rows break a rule; the remedy is to correct them.
 */
type DeviationKind = 'structure' | 'data';

export type DeviationRule =
  | 'missing_column'
  | 'unknown_column'
  | 'renamed_column'
  | 'changed_type'
  | 'new_values'
  | 'unreadable_file'
  | 'limit_exceeded'
  | 'unknown_table'
  | 'no_key'
  | 'reserved_name'
  | 'unreadable_row'
  | 'wrong_type'
  | 'missing_value'
  | 'duplicate_key'
  | 'duplicate_value'
  | 'not_allowed'
  | 'below_minimum'
  | 'above_maximum'
  | 'wrong_pattern'
  | 'wrong_format'
  | 'dangling_reference'
  | 'in_future'
  | 'before_1900';

export type Deviation = {
  readonly kind: DeviationKind;
  readonly rule: DeviationRule;
  /** The column; null when the deviation is about the whole row or its compound key. */
  readonly column: string | null;
  /** Number of rows concerned. */
  readonly count: number;
  /** The first rows concerned, numbered from 1, with their values. */
  readonly samples: readonly DeviatingValue[];
  /** All rows concerned, as far as no more than `rowsListedMax` of the file are; absent where the columns deviate. */
  readonly rows?: readonly number[];
  readonly message: string;
  /** What the message names, so that it can be said in other words; of texts of a file's reader nothing. */
  readonly values: DeviationValues;
};

export type DeviationValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export type DeviatingValue = { readonly row: number; readonly value: string | null };

/** The only deviation of a file that cannot be read, or that exceeds a limit and is therefore not read on. */
export function unreadableFile({ message, reason }: Failure): Deviation {
  const rule = reason === 'limit_exceeded' ? reason : 'unreadable_file';
  return { ...wholeFile(rule, message), kind: 'data' };
}

/** A deviation of the whole file that does not depend on its rows. */
export function wholeFile(
  rule: DeviationRule,
  message: string,
  column: string | null = null,
  values: DeviationValues = {},
): Deviation {
  return { kind: 'structure', rule, column, count: 0, samples: [], message, values };
}

export const samplesMax = 20;
/** Most rows that the deviations of a file list together. */
export const rowsListedMax = 2_000;
const sampleLengthMax = 80;

type Entry = {
  readonly rule: DeviationRule;
  readonly column: string | null;
  count: number;
  readonly samples: DeviatingValue[];
  readonly rows: number[];
  readonly expected: string;
  readonly values: DeviationValues;
};

/** Counts deviations by rule and column and keeps the first samples of each. */
export class DeviationLog {
  private readonly found = new Map<string, Entry>();
  private listed = 0;

  add(
    rule: DeviationRule,
    column: string | null,
    row: number,
    value: string | null,
    expected: string,
    values: DeviationValues = {},
  ): void {
    const key = JSON.stringify([rule, column]);
    let entry = this.found.get(key);
    if (entry === undefined)
      this.found.set(key, (entry = { rule, column, count: 0, samples: [], rows: [], expected, values }));
    entry.count++;
    if (this.listed < rowsListedMax) {
      entry.rows.push(row);
      this.listed++;
    }
    if (entry.samples.length < samplesMax) {
      entry.samples.push({ row, value: value === null ? null : startOf(value, sampleLengthMax) });
    }
  }

  /**
   * Drops the deviations of a column by one rule, which have become part of a structural deviation. Returns their
   * number and samples.
   */
  drop(rule: DeviationRule, column: string): Pick<Deviation, 'count' | 'samples'> {
    const key = JSON.stringify([rule, column]);
    const { count, samples, rows } = this.found.get(key) ?? { count: 0, samples: [], rows: [] };
    this.found.delete(key);
    this.listed -= rows.length;
    return { count, samples };
  }

  list(): Deviation[] {
    return [...this.found.values()].map(({ rule, column, count, samples, rows, expected, values }) => ({
      kind: 'data',
      rule,
      column,
      count,
      samples,
      rows,
      message: `${column === null ? '' : `${column}: `}${count} ${count === 1 ? 'row' : 'rows'}: ${expected}`,
      values,
    }));
  }
}
