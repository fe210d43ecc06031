import type { LogicalType } from './column.ts';
import { sayWorded, type Worded } from './worded.ts';

/** Why a row of a file, or a value in it, cannot be read, in English, by its code. */
const wording = {
  missing: () => 'the value is missing and the column is required',
  not_of_type: ({ type, examples, found, foundAs, hint }: NotOfType) =>
    `expected ${sayExpected(type, examples)}, found ${shownAs[foundAs](found)}${hint === null ? '' : hints[hint]}`,
  expected_type: ({ type, examples }: Pick<NotOfType, 'type' | 'examples'>) =>
    `expected ${sayExpected(type, examples)}`,
  row_fields: ({ expected, found }: { readonly expected: number; readonly found: number }) =>
    `expected ${expected} fields, found ${found}`,
  open_quote: () => 'a quote is opened and never closed',
  text_after_quote: () => 'text follows a closing quote: a quote inside quotes is written twice',
  not_utf8: () => 'the row is not valid UTF-8',
  nul_bytes: () => 'the row holds NUL bytes',
  row_too_long: ({ size, column }: { readonly size: string; readonly column: string | null }) =>
    `the row is longer than ${size}: ${column === null ? 'is a quote lost?' : `the quote that is opened in column "${column}" is not closed`}`,
};

/** A value that is not of the type that its column has. */
export type NotOfType = {
  readonly type: LogicalType;
  /** How a value of the type is written, where it may be written in several ways. */
  readonly examples: readonly string[];
  readonly found: string;
  /** What was found: JSON and typed files have more than texts. */
  readonly foundAs: 'text' | 'number' | 'list' | 'object';
  readonly hint: 'too_large' | 'decimal_point' | 'not_midnight' | null;
};

export type RowReason = Worded<typeof wording>;

/** A reason as a reject carries it: in a sentence, and as a code with values. */
export type ToldReason = { readonly reason: string; readonly because: RowReason };

export function tellRowReason(because: RowReason): ToldReason {
  return { reason: sayRowReason(because), because };
}

export function sayRowReason(reason: RowReason): string {
  return sayWorded(wording, reason);
}

/** What a value of a type looks like, in words. */
function sayExpected(type: LogicalType, examples: readonly string[]): string {
  return examples.length === 0 ? types[type] : `${types[type]} such as ${examples.join(' or ')}`;
}

const types: Readonly<Record<LogicalType, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  timestamp: 'a timestamp',
  time: 'a time of day',
};

const shownAs: Readonly<Record<NotOfType['foundAs'], (found: string) => string>> = {
  text: (found) => `"${found}"`,
  number: (found) => `the number ${found}`,
  list: (found) => `the list ${found}`,
  object: (found) => found,
};

const hints: Readonly<Record<NonNullable<NotOfType['hint']>, string>> = {
  too_large: ', which is beyond ±9007199254740991: declare an identifier as a string',
  decimal_point: ': write decimals with a point and no thousands separator',
  not_midnight: ': the time of day is not midnight',
};
