import type { ColumnFormat } from './contract.ts';

/** A text of a file, and in how many rows it stands. */
type Found = { readonly text: string; readonly rows: number };

/** The reasons of guesses in English, by their codes. They are joined by commas, but where one begins otherwise. */
const wording = {
  // Of keys.
  unique: () => 'unique, never empty',
  unique_together: () => 'no single column is unique; these are together, and never empty',
  named_identifier: () => 'named like an identifier',
  named_code: () => 'named like a code',
  table_name: () => "has the table's name",
  like_table_name: () => "its name is like the table's",
  first_column: () => 'first column',
  early_column: () => 'among the first columns',
  whole_numbers: () => 'whole numbers',
  counting: () => 'counting on',
  equal_length: () => 'codes of one length',
  short_codes: () => 'short codes',
  capitals: () => 'in capitals',
  held_elsewhere: () => 'columns of its name, or called after the table, hold its values in other tables',
  names_rows: ({ column }: { readonly column: string }) => `and what ${column} names`,
  near_key: ({ repeated, missing, rows, first }: NearKey) => {
    const told = first.map(({ row, of }) => `row ${row} that of row ${of}`).join(', ');
    const repeats = `${repeated} of ${rows} rows repeat a value${told === '' ? '' : ` (${told})`}`;
    const faults = [
      ...(repeated > 0 ? [repeats] : []),
      ...(missing > 0 ? [`${missing} of ${rows} rows have none`] : []),
    ];
    return `looks like the key, but ${faults.join(' and ')}`;
  },
  // Of references.
  names_agree: () => 'the names agree',
  holds_table_name: () => "its name holds the table's",
  earlier_rows: () => 'points to earlier rows of its own table',
  spread: () => 'its values spread over the keys',
  by_values: () => 'by its values alone',
  beyond_chance: () => 'which are keys far too often for chance',
  keys_there: ({ percent }: { readonly percent: number }) => `${percent} % of its values are keys there`,
  others_lacking: () => ': the others are rows that the data lack',
  if_others_lacking: () => ': a reference, if the others are rows that the data lack',
  rival_table: () => '; another table fits as well',
  same_as: ({ column }: { readonly column: string }) => `but as a rule the same as ${column}`,
  keys_of: ({ table }: { readonly table: string }) => `which are keys of ${table}`,
  // Of what rows are, and of personal data.
  tax_number: ({ column, of }: { readonly column: string; readonly of: 'company' | 'individual' }) =>
    `${column} holds a ${of === 'company' ? "company's" : "person's"} tax number`,
  like_events: () => 'dated, points to others, and nothing points to it',
  birth_date: () => 'has a birth date',
  named_table: () => 'by the name of the table',
  named_events: () => 'dated, and by the name of the table',
  company_names: ({ column }: { readonly column: string }) => `${column} holds names of companies`,
  named_person: () => 'named like the name of a person',
  table_of_people: () => 'in a table of people',
  named_birth: () => 'named like a date of birth',
  named_cpf: () => 'named like a CPF',
  values_of_form: ({ form }: { readonly form: 'cpf' | 'email' | 'phone' }) =>
    `its values have the form of ${{ cpf: 'a CPF', email: 'an email address', phone: 'a phone number' }[form]}`,
  // Of times.
  never_empty: () => 'never empty',
  rarely_empty: () => 'rarely empty',
  earliest_date: () => 'the earliest of the dates',
  only_date: () => 'the only date',
  completed_by: ({ column }: { readonly column: string }) => `${column} completes it`,
  named_later: () => 'its name says it lies after the event',
  rival_dates: ({ columns }: { readonly columns: readonly string[] }) =>
    `but ${columns.join(' and ')} lies within a day of it in nearly every row; take the one on which a prediction would be asked`,
  named_founding: () => 'named like a date of birth or founding',
  decades_before: ({ years }: { readonly years: number }) =>
    `spread over decades, and at least ${years} years before the dates of other tables, as births and foundings are`,
  one_date: () => 'the same in all rows, like the date of an export',
  empty_in: ({ percent }: { readonly percent: number }) => `empty in ${percent} % of the rows`,
  dates_nothing: () =>
    ': it does not date the rows; where a row comes to be on that day, make it the date of the table (eventTime)',
  comes_with: ({ table }: { readonly table: string }) =>
    `no date of its own; its rows come with their row of ${table}, which is an event: nothing that points to it has a later time`,
  more_references: ({ count }: { readonly count: number }) => `${count} more references come with it`,
  filled_offset: ({ column, offset }: { readonly column: string; readonly offset: string }) =>
    `${column}, where filled, lies ${offset} from it`,
  offset: ({ column, offset }: { readonly column: string; readonly offset: string }) =>
    `${column} lies ${offset} from it`,
  empty_with: ({
    column,
    missing,
    rows,
  }: {
    readonly column: string;
    readonly missing: number;
    readonly rows: number;
  }) => `empty exactly where ${column} is, in ${missing} of ${rows} rows`,
  // Of dates that are known ahead.
  named_plan: () => 'named like a plan',
  filled_in: ({ percent }: { readonly percent: number }) => `filled in ${percent} % of the rows`,
  always_filled: () => 'always filled',
  ahead: () => 'ahead of its row',
  beyond_data: () => 'and beyond the last event of the data',
  fixed_terms: ({ terms }: { readonly terms: number }) => `${terms} fixed terms ahead of its row`,
  perhaps_old: () => 'but perhaps only because the data are old',
  after_row: () =>
    'nearly always after its row: a plan, if it is written together with the row; if it is written when that day has come, it is read from its own day on, as it should be',
  // Of types and forms.
  empty_column: () => 'the column is empty',
  leading_zeros: () => 'digits with leading zeros: codes, not numbers',
  long_numbers: () => 'whole numbers of more digits than numbers keep: codes, not numbers',
  repeated_misfit: ({ type, example }: { readonly type: string; readonly example: string }) =>
    `nearly of type ${type}, but "${example}" comes back: codes, unless it is listed in missingValues`,
  misfits: ({
    others,
    filled,
    example,
  }: {
    readonly others: number;
    readonly filled: number;
    readonly example: string;
  }) => `${others} of ${filled} values are not of it, such as "${example}"`,
  microseconds: () =>
    'its numbers read as microseconds since 1970: send milliseconds or timestamps to have them used as such',
  decimal_comma: ({ example }: { readonly example: string }) => `written with a decimal comma, such as "${example}"`,
  comma_of_either: () =>
    'its commas may be decimal signs or set off thousands: kept as text and read as numbers; if they are decimal signs, make it a number with decimalSeparator ","',
  written_as: ({ example, iso, filled }: { readonly example: string; readonly iso: number; readonly filled: number }) =>
    `written as "${example}"${iso === 0 ? '' : `, and ${iso} of ${filled} rows as ISO 8601 says`}`,
  year_first: () => ': the year first',
  days_of_digits: () => ': days as YYYYMMDD, all of them there',
  since_1970: ({ unit }: { readonly unit: 'seconds' | 'milliseconds' }) =>
    `: ${unit} since 1970, by its name and range`,
  shown_first: ({ first, decided, filled }: First & { readonly decided: number; readonly filled: number }) =>
    `: the ${first} first, which ${decided} of ${filled} rows show by a ${first === 'day' ? 'first' : 'second'} part above 12`,
  first_as_others: ({ first }: First) => `: the ${first} first, as in the columns whose values show it`,
  either_first: ({ first }: First) =>
    `: read with the ${first} before the ${first === 'day' ? 'month' : 'day'}, which no value shows to be right or wrong: if it is wrong, the form is the other of dd/MM/yyyy and MM/dd/yyyy`,
  mixed_dates: ({ day, month }: { readonly day: string; readonly month: string }) =>
    `some of its dates have the day first, such as "${day}", and some the month, such as "${month}", ${unread}`,
  unread_dates: ({
    count,
    filled,
    example,
  }: {
    readonly count: number;
    readonly filled: number;
    readonly example: string;
  }) =>
    `${count === filled ? 'its texts look like dates' : `${count} of its ${filled} dates are`} in a form that is not read, such as "${example}", ${unread}`,
  numbers_in_text: ({
    percent,
    found,
    isMore,
  }: {
    readonly percent: number;
    readonly found: readonly Found[];
    readonly isMore: boolean;
  }) =>
    `${percent} % of its values are numbers, but not ${tellFound(found)}${isMore ? ', …' : ''} rows: kept as text and read as numbers, words as missing; if words only say that there is none, list them in missingValues and make it a number; if these are codes, give them a pattern`,
  missing_texts: ({ found, rows, filled, type, isNearly, isWords }: MissingTexts) =>
    `${tellFound(found)} of ${rows} rows, beside ${filled} values${isNearly ? ', nearly all' : ''} of type ${type}${isWords ? '' : ': a word for absence, or a slip'}`,
  far_ahead: ({ count, rows }: { readonly count: number; readonly rows: number }) =>
    `in ${count} of ${rows} rows, far ahead: it may stand for no date`,
  of_form: ({ count, looked }: { readonly count: number; readonly looked: number; readonly form: ColumnFormat }) =>
    `${count} of ${looked} values looked at are of this form`,
  free_text: ({ characters }: { readonly characters: number }) => `free text, ${characters} characters on average`,
  many_values: () => 'with many values',
  all_different: () => 'every row has another value',
  few_values: ({ values, rows }: { readonly values: number; readonly rows: number }) =>
    `${values} values in ${rows} rows`,
  as_seen: () => 'as seen',
  seen: ({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) =>
    `seen: ${minimum} to ${maximum}`,
  like_share: () => ': looks like a share',
  like_percentage: () => ': looks like a percentage',
};

type First = { readonly first: 'day' | 'month' };
type NearKey = {
  readonly repeated: number;
  readonly missing: number;
  readonly rows: number;
  /** The first rows that repeat an earlier one, counted from 1. */
  readonly first: readonly { readonly row: number; readonly of: number }[];
};
type MissingTexts = {
  readonly found: readonly Found[];
  readonly rows: number;
  readonly filled: number;
  readonly type: string;
  readonly isNearly: boolean;
  readonly isWords: boolean;
};

type Wording = typeof wording;
export type ReasonCode = keyof Wording;
/** Those whose sentence names no values. */
export type PlainCode = {
  [Code in ReasonCode]: Parameters<Wording[Code]> extends [] ? Code : never;
}[ReasonCode];
type Valued = {
  [Code in Exclude<ReasonCode, PlainCode>]: { readonly code: Code } & Parameters<Wording[Code]>[0];
}[Exclude<ReasonCode, PlainCode>];
/** Why something was guessed: a code, and the values that its sentence names. */
export type Reason = { readonly code: PlainCode } | Valued;

const unread = 'so none is used: send all of them in one form, best as YYYY-MM-DD';

function tellFound(found: readonly Found[]): string {
  return found.map(({ text, rows }) => `"${text}" in ${rows}`).join(', ');
}

/** The sentence of several reasons, in English. */
export function sayReasons(reasons: readonly Reason[]): string {
  const texts = reasons.map((reason) => (wording[reason.code] as (values: Reason) => string)(reason));
  return texts.reduce((sentence, text) => (/^[:;]/.test(text) ? sentence + text : `${sentence}, ${text}`));
}
