import type { SaidAbout } from '../../ml/inference/outside.ts';
import type { RowWarning } from '../../ml/inference/predict.ts';

export type RowWarningCode = RowWarning | 'stale_data' | 'before_learned';

/** The warning whose rows are all listed, not only counted: what they name is mistyped, and can be corrected. */
export const listedWarning = 'wrong_check_digits' satisfies RowWarningCode;

/** A row with an answer that has the warning, and the column of its file that is at fault. */
export type ListedRow = { readonly row: number; readonly column: string; readonly code: typeof listedWarning };

/** By code, and by what the warning is about, which answered rows have it. */
export type RowWarnings = Readonly<Partial<Record<RowWarningCode, TellingOf>>>;
export type TellingOf = Readonly<Record<string, RowsTold>>;

/** How many rows, the numbers of the first of them in their file, in order, and of a condition its words. */
export type RowsTold = { readonly rows: number; readonly first: readonly number[]; readonly said?: SaidAbout };

/** Rows of a warning that are told by their numbers. */
export const firstRowsMax = 10;

/** Sums rows by what they are about. */
export function addTelling(one: TellingOf = {}, other: TellingOf = {}): TellingOf {
  const sums: Record<string, RowsTold> = { ...one };
  for (const [about, { rows, first, said = sums[about]?.said }] of Object.entries(other)) {
    const before = sums[about];
    sums[about] = {
      ...(said && { said }),
      rows: (before?.rows ?? 0) + rows,
      first: [...(before?.first ?? []), ...first].sort((a, b) => a - b).slice(0, firstRowsMax),
    };
  }
  return sums;
}

/** Sums rows by code and by what they are about. */
export function addRowWarnings(one: RowWarnings, other: RowWarnings): RowWarnings {
  const codes = Object.keys({ ...one, ...other }) as RowWarningCode[];
  return Object.fromEntries(codes.map((code) => [code, addTelling(one[code], other[code])]));
}

/** What there is to say of the rows of a file, and what the message names. */
type SaidOfRows = {
  readonly message: string;
  readonly values: {
    readonly about: string;
    readonly rows: number;
    readonly answered: number;
    readonly [said: `about_${string}`]: string;
  };
  readonly first: readonly number[];
};

/** Says of a file, of which so many rows were answered, how many of them have a warning. */
export function describeRows(code: RowWarningCode, told: TellingOf, answered: number): SaidOfRows[] {
  const count = (rows: number) => rows.toLocaleString('en');
  return Object.entries(told).map(([about, { rows, first, said }]) => ({
    message: `${count(rows)} of ${count(answered)} ${said ? sayOutside(said.en) : says[code](about)}`,
    values: { about, rows, answered, ...(said && { about_en: said.en, 'about_pt-BR': said['pt-BR'] }) },
    first,
  }));
}

/** Of a condition in words; what was counted before these were kept names it as the query does. */
const sayOutside = (condition: string): string =>
  `answered rows are outside the question, which is about cases with ${condition} as of their moment: the model learned only from those`;

const says: Record<RowWarningCode, (about: string) => string> = {
  unknown_entities: (input) =>
    `answered rows have a ${input} that is not in the data as of their moment: nothing was known of it`,
  unnamed_entities: (input) =>
    `answered rows have no ${input}, which nearly all rows of the data have: they were answered as of nobody`,
  wrong_check_digits: (input) =>
    `answered rows have a ${input} that is no CPF or CNPJ with right check digits: no such document is issued, look whether it is mistyped`,
  outside_population: (condition) =>
    `answered rows do not meet ${condition} as of their moment, which the question is about: the model learned only from those that do`,
  stale_data: (days) =>
    `answered rows ask of a moment more than ${days} ${days === '1' ? 'day' : 'days'} after the newest data, longer than these were ever silent before: what happened since is read as if it had not. Send newer data, or ask as of then with reference_date`,
  before_learned: (day) =>
    `answered rows ask of a moment before ${day}, when the first case that the model learned from was: what it learned is of later times, and need not hold then. Ask as of that day or later with reference_date`,
};
