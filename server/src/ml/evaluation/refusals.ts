import { Failure } from '../../lib/failure.ts';
import { sayWorded, type Worded } from '../../lib/files/worded.ts';
import type { RowError } from './row-error.ts';

/** Why a labelled file cannot be evaluated, in English, by the code. */
const wording = {
  labelled_empty: ({ file }: OfFile) => `${file} has no rows`,
  labelled_too_long: ({ file, most }: OfFile & { readonly most: number }) =>
    `${file} has more than ${most.toLocaleString('en')} rows: send a part of it`,
  labelled_lacks_mapped: ({ file, lacking, columns }: LacksMapped) =>
    `${file} lacks ${lacking.join(', ')}, named in column_mapping; it has ${columns.join(', ')}`,
  labelled_of_others: ({ file, known, rows, column, table, key }: OfOthers) =>
    `${file}: only ${known} of ${rows} values of ${column} are keys of ${table}.${key}; send a file about ${table}`,
  labelled_unreadable: ({ file, rows, row, column, message }: Unreadable) =>
    `${file}: none of its ${rows} rows can be read; row ${row}${column === null ? '' : `, column ${column}`}: ${message}`,
  labelled_unknown: ({ file, rows, open, without, unreadable }: Unknown) =>
    `${file}: of ${rows} rows none has a label that was known: ${open} are of windows that had not closed, ${without} have none, ${unreadable} cannot be read`,
  segment_of_one: ({ name }: { readonly name: string }) =>
    `segment ${name} tells who a row is about: name a column that many rows share values of`,
  segment_unknown: ({ name, columns, table, others }: UnknownSegment) =>
    columns.length === 0
      ? `segment ${name} is no column of ${table}, which has ${others.join(', ')}`
      : `segment ${name} is neither a column of the file, which has ${columns.join(', ')}, nor of ${table}, which has ${others.join(', ')}`,
};

type OfFile = { readonly file: string };
type LacksMapped = OfFile & { readonly lacking: readonly string[]; readonly columns: readonly string[] };
type OfOthers = OfFile & {
  readonly known: number;
  readonly rows: number;
  readonly column: string;
  readonly table: string;
  readonly key: string;
};
type Unreadable = OfFile & Pick<RowError, 'row' | 'column' | 'message' | 'because'> & { readonly rows: number };
type Unknown = OfFile & {
  readonly rows: number;
  readonly open: number;
  readonly without: number;
  readonly unreadable: number;
};
type UnknownSegment = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly others: readonly string[];
};

export type EvaluationRefusal = Worded<typeof wording>;

export function sayRefusal(refusal: EvaluationRefusal): string {
  return sayWorded(wording, refusal);
}

export function refuseEvaluation(refusal: EvaluationRefusal): Failure {
  return new Failure('invalid', sayRefusal(refusal), { because: refusal });
}
